public import Foundation
import LeapBase
import LeapChat

extension ModelRunner {
    /// Gives memory back at the events of a source, as a policy says, until the model is unloaded.
    ///
    /// Call it again to change the policy. It has no effect on a model that another process runs.
    ///
    /// - Parameters:
    ///   - policy: the memory to give back; nil to give nothing back from now on.
    ///   - source: the source of the events.
    ///   - onEvent: called after each event with what was given back; the log has a line about it too.
    public func follow(
        _ policy: MemoryPolicy?, source: any MemoryPressureSource = SystemMemoryPressure(),
        onEvent: @escaping @Sendable (MemoryEvent, MemoryGivenBack) -> Void = { _, _ in }
    ) {
        (self as? LiquidInferenceEngineRunner)?.follow(policy, source, onEvent)
    }

    /// Gives parts of the memory back that nothing uses now.
    ///
    /// Replies stay the same: what is needed later is computed or read again.
    ///
    /// - Parameters:
    ///   - parts: the parts to give back; all of them, unless set.
    ///   - stateFolder: the folder for the state of conversations; nil to compute it again from the history.
    /// - Returns: the memory that was given back; nothing for a model that another process runs.
    @discardableResult
    public func giveBackMemory(
        _ parts: Set<MemoryPart> = Set(MemoryPart.allCases), stateFolder: URL? = MemoryPolicy().stateFolder
    ) async -> MemoryGivenBack {
        guard let runner = self as? LiquidInferenceEngineRunner else { return MemoryGivenBack() }
        return await runner.backend.giveBack(parts, stateFolder: stateFolder)
    }
}

extension LiquidInferenceEngineRunner {
    fileprivate func follow(
        _ policy: MemoryPolicy?, _ source: any MemoryPressureSource,
        _ onEvent: @escaping @Sendable (MemoryEvent, MemoryGivenBack) -> Void
    ) {
        let follower = policy.map { policy in
            let events = source.events()
            return MemoryFollower(
                Task { [weak self] in
                    for await event in events {
                        guard let self, !self.isUnloaded else { return }
                        onEvent(event, await self.handle(event, policy))
                    }
                })
        }
        replaceMemoryFollower(with: follower)
    }

    /// Follows other events, or none.
    func replaceMemoryFollower(with follower: MemoryFollower?) {
        // The earlier one is released behind the lock: that ends its stream, whose source may be the app's.
        let earlier = memoryFollower.withLock { current in
            defer { current = follower }
            return current
        }
        withExtendedLifetime(earlier) {}
    }

    /// Gives back what a policy says.
    func handle(_ event: MemoryEvent, _ policy: MemoryPolicy) async -> MemoryGivenBack {
        guard event != .foreground else {
            if policy.reloadsInForeground { await reload() }
            return MemoryGivenBack()
        }
        let given = await backend.giveBack(policy.parts(for: event), stateFolder: policy.stateFolder)
        LeapLog.logger.notice("\(modelId): memory event \(event.rawValue); given back: \(given)")
        return given
    }

    /// Loads the model again if it was released.
    private func reload() async {
        do {
            _ = try await backend.use()
        } catch {
            LeapLog.logger.warning("\(modelId): the model cannot be loaded again: \(error.localizedDescription)")
        }
    }
}

/// Follows the events of a source as long as it lives.
final class MemoryFollower: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
}
