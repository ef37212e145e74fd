import Dispatch
import Foundation

/// An object that, while it lives, runs a closure before a signal ends the program.
final class Endings {
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        sources = [SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                handler()
                Self.endProgram(by: number)
            }
            source.resume()
            return source
        }
    }

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
