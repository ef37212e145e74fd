import Foundation
import LeapBase
import LeapChat
package import LeapEngine

/// A session of whichever engine its backend has, with its state on disk while it has none in memory.
package final class SuspendableSession: InferenceSession {
    private struct State {
        var session: Session
        /// The engine that the session belongs to.
        var engine: Engine
        /// The state on disk; nil where none was written.
        var saved: TemporaryState?
    }

    private let backend: SuspendableBackend
    private let state: Locked<State>

    init(_ backend: SuspendableBackend) {
        self.backend = backend
        let engine = backend.engine
        state = Locked(State(session: engine.makeSession(), engine: engine))
    }

    deinit { backend.forget(ObjectIdentifier(self)) }

    /// The session of the backend's present engine.
    private var session: Session {
        let engine = backend.engine
        return state.withLock { state in
            if state.engine !== engine { (state.session, state.engine) = (engine.makeSession(), engine) }
            return state.session
        }
    }

    package func generate(
        _ planned: PlannedRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        session.generate(planned, onEvent: onEvent)
    }

    package func generate(
        _ planned: PlannedRequest, onAccepted: @escaping @Sendable () -> Void,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        session.generate(planned, onAccepted: onAccepted, onEvent: onEvent)
    }

    package func snapshot() async throws -> SequenceSnapshot? {
        await prepare()
        return try await session.snapshot()
    }

    package func restore(_ snapshot: SequenceSnapshot) async throws {
        state.withLock { $0.saved = nil }
        try await session.restore(snapshot)
    }

    package func prepare() async {
        let session = session
        guard
            let saved = state.withLock({ state in
                defer { state.saved = nil }
                return state.saved
            }), session.tokenCount == 0, let format = backend.sequenceFormat
        else { return }
        do {
            let (snapshot, reason) = try await WorkQueue.loading.run {
                let file = try ConversationFile(saved.path)
                return BackendSource.state(in: file, file.tokens(), format)
            }
            if let snapshot { try await session.restore(snapshot) }
            if let reason { LeapLog.logger.notice("the state in \(saved.path) is recomputed: \(reason)") }
        } catch {
            LeapLog.logger.notice("the state in \(saved.path) is recomputed: \(error)")
        }
    }

    /// Writes the state to a file.
    ///
    /// - Returns: false if there is no state in memory.
    /// - Throws: ``LeapSerializationException`` if it cannot be written; an error of the engine while something is
    ///   computed in the session.
    func save(_ format: SequenceFormat, in folder: URL) async throws -> Bool {
        guard let snapshot = try await session.snapshot() else { return false }
        let saved = try await WorkQueue.loading.run { try TemporaryState(snapshot, format, in: folder) }
        state.withLock { $0.saved = saved }
        return true
    }
}
