import Dispatch
import Foundation
import LeapBase

/// An object that, while it lives, runs a closure before a signal ends the program.
final class Endings {
    /// The action of Ctrl-\ where it does not end the program.
    private static let quitKey = Locked<(@Sendable () -> Void)?>(nil)
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        sources = [SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if number == SIGQUIT, let action = Self.quitKey.withLock({ $0 }) { return action() }
                handler()
                Self.endProgram(by: number)
            }
            source.resume()
            return source
        }
    }

    /// Sets the action of Ctrl-\ while one of these lives; nil ends the program.
    static func setQuitKey(_ action: (@Sendable () -> Void)?) { quitKey.withLock { $0 = action } }

    /// Ends the program as a signal does that nobody listens to.
    static func endProgram(by number: Int32) {
        signal(number, SIG_DFL)
        // The threads of queues hold signals back.
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        raise(number)
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
    }
}
