import Foundation
import LeapBase
import Logging

/// The installations that are under way in this process, so that callers who want one model share one.
package final class InstallCenter: Sendable {
    package static let shared = InstallCenter()

    private let running = Locked<[String: Installation]>([:])
    /// The number of callers that are about to load the model of a folder, or load it now.
    private let loads = Locked<[String: Int]>([:])

    private let failures = Locked<[String: any Error]>([:])
    private let uses = ModelUses()

    /// Returns the error of the last installation of a folder; nil while one runs, after one that succeeded or was
    /// stopped, and before the first.
    package func failure(folder: String) -> (any Error)? { failures.withLock { $0[folder] } }

    /// The progress of a running installation; nil if there is none.
    package func progress(folder: String) -> TransferProgress? {
        // Measured by whoever looks: a transfer that no caller waits for has a speed too.
        running.withLock { $0[folder] }?.meter.sample()
    }

    /// Runs `body`, which fetches and loads a model, while everybody can see that it does.
    package func loading<T: Sendable>(folder: String, _ body: () async throws -> T) async throws -> T {
        loads.withLock { $0[folder, default: 0] += 1 }
        defer {
            loads.withLock { loads in
                let left = loads[folder, default: 1] - 1
                loads[folder] = left > 0 ? left : nil
            }
        }
        return try await body()
    }

    /// Notes that an object runs the model of a folder, until it is gone.
    package func noteUse(of folder: String, by object: AnyObject) { uses.add(object, folder: folder) }

    /// Returns whether the model of a folder is in memory here, or about to be.
    func isRunning(folder: String) -> Bool { isLoading(folder: folder) || uses.contains(folder: folder) }

    /// Returns whether somebody fetches the model of a folder in order to load it, or loads it.
    package func isLoading(folder: String) -> Bool { loads.withLock { $0[folder] != nil } }

    /// Joins the running installation of a model, or begins one, and waits for it.
    func install(
        _ reference: ModelReference, force: Bool, plan: ModelPlan?, in store: ModelStore,
        progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> InstalledModel {
        let installation = join(reference, force: force, plan: plan, in: store)
        return try await installation.wait(progress)
    }

    /// Begins an installation that no caller waits for.
    package func start(_ reference: ModelReference, force: Bool, plan: ModelPlan? = nil, in store: ModelStore) {
        join(reference, force: force, plan: plan, in: store).detach()
    }

    /// Stops a running installation; what has been fetched stays for the next one.
    package func stop(folder: String) {
        running.withLock { $0[folder] }?.cancel()
    }

    /// Waits until no installation of the folder runs.
    func drain(folder: String) async {
        await running.withLock { $0[folder] }?.finished()
    }

    private func join(_ reference: ModelReference, force: Bool, plan: ModelPlan?, in store: ModelStore) -> Installation
    {
        let folder = store.folder(of: reference)
        return running.withLock { running in
            if let installation = running[folder], installation.addWaiter() { return installation }
            let installation = Installation()
            running[folder] = installation
            failures.withLock { $0[folder] = nil }
            installation.begin { [weak self, weak installation] meter in
                defer { if let installation { self?.end(installation, folder) } }
                let tell = { store.onInstallation?(InstallationEvent(reference: reference, kind: $0)) }
                tell(.began)
                do {
                    let model = try await store.perform(reference, force: force, plan: plan, meter: meter)
                    tell(.installed)
                    return model
                } catch {
                    // Noted before it counts as ended, so that whoever sees the end sees the reason.
                    if let installation { self?.note(error, of: reference, installation, folder) }
                    tell(error is CancellationError ? .stopped : .failed(error))
                    throw error
                }
            }
            return installation
        }
    }

    private func note(_ error: any Error, of reference: ModelReference, _ installation: Installation, _ folder: String)
    {
        guard !(error is CancellationError) else { return }
        if installation.isDetached {
            ModelStore.logger.error("\(PrintableOutput.of("\(reference.shown) could not be fetched: \(error)"))")
        }
        failures.withLock { $0[folder] = error }
    }

    private func end(_ installation: Installation, _ folder: String) {
        running.withLock { running in
            if running[folder] === installation { running[folder] = nil }
        }
    }
}

/// One running installation and those who wait for it.
final class Installation: Sendable {
    let meter = ProgressMeter()
    private let state = Locked(State())

    private struct State {
        var task: Task<InstalledModel, any Error>?
        var waiters = 1
        /// True if it goes on although no caller waits.
        var isDetached = false
        var isCancelled = false
    }

    func begin(_ body: @escaping @Sendable (ProgressMeter) async throws -> InstalledModel) {
        let task = Task.detached { [meter] in try await body(meter) }
        state.withLock { $0.task = task }
    }

    /// Counts one more who waits; false if it is too late to join.
    func addWaiter() -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.waiters += 1
            return true
        }
    }

    func detach() {
        state.withLock { state in
            state.isDetached = true
            state.waiters -= 1
        }
    }

    /// True if there may be no caller to be told of a failure.
    var isDetached: Bool { state.withLock { $0.isDetached } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            return state.task
        }?.cancel()
    }

    func finished() async {
        _ = await state.withLock { $0.task }?.result
    }

    /// Counts one less who waits.
    ///
    /// - Returns: whether no caller is left, and the installation is being stopped for that.
    private func leave() -> Bool {
        let abandoned = state.withLock { state -> Task<InstalledModel, any Error>? in
            state.waiters -= 1
            guard state.waiters <= 0, !state.isDetached else { return nil }
            state.isCancelled = true
            return state.task
        }
        abandoned?.cancel()
        return abandoned != nil
    }

    /// Waits for the end, reporting progress in turn.
    func wait(_ progress: (@Sendable (TransferProgress) -> Void)?) async throws -> InstalledModel {
        guard let task = state.withLock({ $0.task }) else { throw CancellationError() }
        let reports = Task { [meter] in
            var last: TransferProgress?
            while !Task.isCancelled {
                let now = meter.sample()
                if now != last { progress?(now) }
                last = now
                try? await Task.sleep(nanoseconds: 100_000_000)
            }
        }
        let waiter = Waiter()
        let left = OneWaySwitch()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.begin(continuation)
                Task.detached { waiter.end(await task.result) }
            }
        } onCancel: {
            left.set()
            // The last one to leave waits until everything is noted on disk; others need not.
            if !leave() { waiter.end(.failure(CancellationError())) }
        }
        reports.cancel()
        await reports.value
        if !left.isSet { _ = leave() }
        try Task.checkCancellation()
        let model = try result.get()
        meter.finish()
        progress?(meter.progress)
        return model
    }
}

/// A continuation that is resumed by whatever comes first.
private final class Waiter: Sendable {
    typealias Outcome = Result<InstalledModel, any Error>
    private let state = Locked<(continuation: CheckedContinuation<Outcome, Never>?, outcome: Outcome?)>((nil, nil))

    func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    func end(_ outcome: Outcome) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            if state.outcome == nil { state.outcome = outcome }
            return state.continuation
        }
        continuation?.resume(returning: outcome)
    }
}
