import ArgumentParser
import Foundation
import LeapBase
import LeapTransfers

/// Fetches a model under a progress bar; Ctrl-C stops it, and what is there stays for the next time.
enum Puller {
    @discardableResult
    static func pull(_ reference: ModelReference, force: Bool) async throws -> InstalledModel {
        let store = ModelNames.store
        if !force, case .running = store.state(reference) {
            Terminal.note("Another process is fetching \(reference.shown); waiting for it.")
        }
        let display = PullDisplay(isTerminal: Terminal.errorIsTerminal, width: Terminal.errorWidth)
        let task = Task { try await store.install(reference, force: force) { display.show($0) } }
        let presses = Locked(0)
        let interrupts = Interrupts {
            let isFirst = presses.withLock { count in
                count += 1
                return count == 1
            }
            // Stopping takes a moment, to note what is there; who presses twice does not want to wait for it.
            if isFirst { task.cancel() } else { _exit(130) }
        }
        defer { withExtendedLifetime(interrupts) {} }
        do {
            let model = try await task.value
            display.end()
            return model
        } catch is CancellationError {
            display.end()
            Terminal.note("Stopped; “leap pull \(reference.shown)” continues from here.")
            throw ExitCode(130)
        } catch {
            display.end()
            throw error
        }
    }
}
