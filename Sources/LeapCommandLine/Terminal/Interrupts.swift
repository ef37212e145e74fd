import ArgumentParser
import Dispatch
import Foundation
import LeapBase

/// Turns Ctrl-C into a call, for as long as it lives.
package final class Interrupts {
    /// What a program that Ctrl-C ended ends with.
    static let status = ExitCode(130)

    private let source: any DispatchSourceSignal

    package init(_ handler: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
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
