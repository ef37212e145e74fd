import Foundation

/// Calls that block until a session's own thread is free.
///
/// They run on a thread of their own: the system's pools have one thread for each processor, and where all of them
/// wait, neither the session nor whoever has to take its bytes goes on.
enum SystemThread {
    static func run(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }
}
