import ArgumentParser
import Dispatch
import Foundation
import LeapBase

/// Turns Ctrl-C into a call, for as long as it lives; of several that live the latest is called.
///
/// One source of the signal serves the whole program: the system's library for Linux installs its handler with the
/// first source of a signal, and a later one, after another disposition was set meanwhile, would hear nothing.
package final class Interrupts {
    /// The exit status of a program that Ctrl-C ended.
    static let status = ExitCode(130)

    private struct Listeners {
        var source: (any DispatchSourceSignal)?
        var latest = 0
        var handlers: [(identifier: Int, call: @Sendable () -> Void)] = []
    }

    private static let listeners = Locked(Listeners())
    private let identifier: Int

    package init(_ handler: @escaping @Sendable () -> Void) {
        identifier = Self.listeners.withLock { listeners in
            if listeners.source == nil {
                signal(SIGINT, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
                source.setEventHandler { Self.handle() }
                source.resume()
                listeners.source = source
            }
            listeners.latest += 1
            listeners.handlers.append((listeners.latest, handler))
            return listeners.latest
        }
    }

    deinit {
        let identifier = identifier
        Self.listeners.withLock { listeners in listeners.handlers.removeAll { $0.identifier == identifier } }
    }

    private static func handle() {
        if let handler = listeners.withLock({ $0.handlers.last?.call }) { return handler() }
        // Nobody listens any more.
        Endings.endProgram(by: SIGINT)
    }

    /// Waits for a task, which Ctrl-C cancels; a second press ends the program at once.
    ///
    /// - Throws: ``status`` where Ctrl-C came, when the task has come to its end.
    static func ending(_ task: Task<Void, any Error>) async throws {
        let presses = Locked(0)
        let interrupts = Interrupts {
            let isFirst = presses.withLock { count in
                count += 1
                return count == 1
            }
            // Ending takes a moment, and who presses twice does not want to wait for it.
            if isFirst { task.cancel() } else { _exit(status.rawValue) }
        }
        defer { withExtendedLifetime(interrupts) {} }
        do {
            try await task.value
        } catch let error where !(error is CancellationError && task.isCancelled) {
            throw error
        }
        if presses.withLock({ $0 > 0 }) { throw status }
    }
}
