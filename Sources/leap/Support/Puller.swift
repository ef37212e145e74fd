import Foundation
import LeapTransfers

/// Fetches a model under a progress bar; Ctrl-C stops it, and what is there stays for the next time.
enum Puller {
    @discardableResult
    static func pull(_ reference: ModelReference, force: Bool) async throws -> InstalledModel {
        let display = PullDisplay(isTerminal: Terminal.errorIsTerminal)
        let task = Task {
            try await ModelNames.store.install(reference, force: force) { display.show($0) }
        }
        let interrupts = Interrupts { task.cancel() }
        defer { withExtendedLifetime(interrupts) {} }
        do {
            let model = try await task.value
            display.end()
            return model
        } catch is CancellationError {
            display.end()
            throw CommandError("stopped; “leap pull \(reference.shown)” goes on from here.")
        } catch {
            display.end()
            throw error
        }
    }
}
