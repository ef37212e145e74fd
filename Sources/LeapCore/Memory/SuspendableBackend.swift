package import Foundation
import LeapBase
import LeapChat
package import LeapEngine
import LeapModel

/// An engine that can be unloaded while nothing uses it, and is made again when something does.
///
/// Its sessions stay the same objects: their state is on disk meanwhile, or is computed again.
package final class SuspendableBackend: InferenceBackend {
    private enum Phase {
        case loaded
        /// The engine is being unloaded or made; the value is the error of making it.
        case changing(Task<(any Error)?, Never>)
        case suspended
        case unloaded
    }

    private struct WeakSession {
        weak var session: SuspendableSession?
    }

    private struct State {
        var phase = Phase.loaded
        /// The latest engine, which is unloaded unless the phase is `loaded`.
        var engine: Engine
        /// The identity of what was suspended; nil before that.
        var identity: StableHash?
        var uses = 0
        /// The totals of earlier engines.
        var past = EngineStatistics()
        var sessions: [ObjectIdentifier: WeakSession] = [:]
        /// The source of the pace that was set; nil where the engine's own was never replaced.
        var pace: (any PaceSource)??

        var isLoaded: Bool { if case .loaded = phase { true } else { false } }
        var isUnloaded: Bool { if case .unloaded = phase { true } else { false } }
    }

    package let contextSize: Int
    package let textModel: TextModel?
    package let readsSoundPieces: Bool
    private let modelId: String
    private let remake: (@Sendable () throws -> Engine)?
    private let state: Locked<State>

    /// - Parameters:
    ///   - engine: the engine, which is loaded.
    ///   - modelId: the model's name, for the log.
    ///   - remake: makes the same engine again; nil where the model has to stay in memory.
    package init(_ engine: Engine, modelId: String, remake: (@Sendable () throws -> Engine)?) {
        contextSize = engine.contextSize
        textModel = engine.textModel
        readsSoundPieces = engine.readsSoundPieces
        self.modelId = modelId
        self.remake = remake
        state = Locked(State(engine: engine))
    }

    /// The latest engine, which is unloaded while the backend is suspended.
    package var engine: Engine { state.withLock { $0.engine } }

    package var isUnloaded: Bool { state.withLock { $0.isUnloaded } }

    package var statistics: EngineStatistics {
        let (engine, past) = state.withLock { ($0.engine, $0.past) }
        var statistics = engine.statistics
        statistics.addTotals(of: past)
        return statistics
    }

    package var sequenceFormat: SequenceFormat? { engine.sequenceFormat }

    package var resumesReplies: Bool { engine.resumesReplies }

    package func setPace(_ source: (any PaceSource)?) {
        // The engine's setting is replaced first: this holds the earlier source until the lock is free again.
        let earlier = state.withLock { state in
            defer {
                state.pace = .some(source)
                state.engine.setPace(source)
            }
            return state.pace
        }
        withExtendedLifetime(earlier) {}
    }

    package func makeSession() -> SuspendableSession {
        let session = SuspendableSession(self)
        state.withLock { $0.sessions[ObjectIdentifier(session)] = WeakSession(session: session) }
        return session
    }

    /// Forgets a session that is released.
    func forget(_ id: ObjectIdentifier) { state.withLock { _ = $0.sessions.removeValue(forKey: id) } }

    package func score(_ requests: [ScoringRequest]) async throws -> [ScoringResult] {
        let use = try await use()
        defer { withExtendedLifetime(use) {} }
        return try await engine.score(requests)
    }

    package func unload() async {
        let (engine, change) = state.withLock { state -> (Engine, Task<(any Error)?, Never>?) in
            defer { state.phase = .unloaded }
            if case .changing(let task) = state.phase { return (state.engine, task) }
            return (state.engine, nil)
        }
        _ = await change?.value
        await engine.unload()
    }

    // MARK: Uses

    /// The phase that a caller of ``use()`` finds.
    private enum Found {
        case loaded
        case changing(Task<(any Error)?, Never>)
        case unloaded
    }

    package func use() async throws -> BackendUse? {
        while true {
            let found = state.withLock { state -> Found in
                switch state.phase {
                case .loaded:
                    state.uses += 1
                    return .loaded
                case .changing(let task): return .changing(task)
                case .suspended:
                    let task = Task { await self.load() }
                    state.phase = .changing(task)
                    return .changing(task)
                case .unloaded: return .unloaded
                }
            }
            switch found {
            case .loaded: return makeUse()
            case .changing(let task): if let error = await task.value { throw error }
            case .unloaded: throw EngineError.unloaded
            }
        }
    }

    /// A use of the model where it is loaded now; nil otherwise.
    private func useIfLoaded() -> BackendUse? {
        let isLoaded = state.withLock { state in
            guard state.isLoaded else { return false }
            state.uses += 1
            return true
        }
        return isLoaded ? makeUse() : nil
    }

    private func makeUse() -> BackendUse { BackendUse { [self] in state.withLock { $0.uses -= 1 } } }

    /// Makes the engine again, and returns the error of that.
    private func load() async -> (any Error)? {
        do {
            guard let remake else { throw EngineError.unloaded }
            let expected = state.withLock { $0.identity }
            let engine = try await WorkQueue.loading.run { [modelId = self.modelId] in
                let engine = try remake()
                guard let expected, engine.sequenceFormat?.identity != expected else { return engine }
                throw LeapModelLoadingException(
                    "the file of \(modelId) changed after the model was released: load the model again")
            }
            let isWanted = state.withLock { state in
                guard !state.isUnloaded else { return false }
                state.past.addTotals(of: state.engine.statistics)
                (state.engine, state.phase) = (engine, .loaded)
                if let pace = state.pace { engine.setPace(pace) }
                return true
            }
            guard isWanted else {
                await engine.unload()
                return EngineError.unloaded
            }
            LeapLog.logger.notice("\(modelId): loaded again")
            return nil
        } catch {
            state.withLock { if !$0.isUnloaded { $0.phase = .suspended } }
            return error
        }
    }

    // MARK: Giving memory back

    package func giveBack(_ parts: Set<MemoryPart>, stateFolder: URL?) async -> MemoryGivenBack {
        var report = await giveBackParts(parts, stateFolder)
        // Only now, as the parts were given back in a use of the model.
        if parts.contains(.model) { report.isModelReleased = await suspend() }
        return report
    }

    private func giveBackParts(_ parts: Set<MemoryPart>, _ stateFolder: URL?) async -> MemoryGivenBack {
        var report = MemoryGivenBack()
        guard let use = useIfLoaded() else { return report }
        defer { withExtendedLifetime(use) {} }
        let engine = engine
        var kinds = parts.reduce(into: Set<MemoryKind>()) { $0.formUnion($1.kinds) }
        if parts.contains(.model), canSuspend(uses: 1) { kinds = Set(MemoryKind.allCases) }
        if kinds.contains(.sessions), let stateFolder, let format = engine.sequenceFormat {
            (report.savedConversations, report.savingError) = await saveStates(format, in: stateFolder)
        }
        for (kind, byteCount) in await engine.giveBack(kinds) {
            report.bytes[MemoryPart(kind), default: 0] += byteCount
        }
        return report
    }

    /// Writes the states of all sessions that nothing is computed in.
    ///
    /// - Returns: the number of sessions, and the error that ended it early.
    private func saveStates(
        _ format: SequenceFormat, in folder: URL
    ) async -> (count: Int, error: LeapSerializationException?) {
        let sessions = state.withLock { $0.sessions.values.compactMap(\.session) }
        var count = 0
        for session in sessions {
            do {
                if try await session.save(format, in: folder) { count += 1 }
            } catch let error as LeapSerializationException {
                return (count, error)
            } catch {
                // A session in which something is computed keeps its state.
                continue
            }
        }
        return (count, nil)
    }

    private func canSuspend(uses: Int) -> Bool { remake != nil && state.withLock { $0.isLoaded && $0.uses <= uses } }

    /// Unloads the engine, unless something uses it.
    private func suspend() async -> Bool {
        guard remake != nil else { return false }
        let engine = engine
        let identity = engine.sequenceFormat?.identity
        let task = state.withLock { state -> Task<(any Error)?, Never>? in
            guard state.isLoaded, state.uses == 0, state.engine === engine else { return nil }
            let task = Task { () -> (any Error)? in
                await engine.unload()
                self.state.withLock { if !$0.isUnloaded { $0.phase = .suspended } }
                return nil
            }
            (state.phase, state.identity) = (.changing(task), identity)
            return task
        }
        guard let task else { return false }
        _ = await task.value
        return true
    }
}
