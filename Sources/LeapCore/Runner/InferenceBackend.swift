import LeapEngine

/// What computes: the engine, or a double of it in tests.
package protocol InferenceBackend: Sendable {
    /// The tokens a prompt and its reply may have together.
    var contextSize: Int { get }
    /// Whether ``unload()`` was called.
    var isUnloaded: Bool { get }

    /// A new session without state.
    func makeSession() -> any InferenceSession

    /// Generates; events come on another thread, one `.finished` as the last of them.
    func generate(
        _ request: GenerationRequest, in session: any InferenceSession,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> any RunningGeneration

    /// Cancels what runs and frees the model.
    func unload() async
}

/// The state that a backend keeps for one sequence of tokens; freed when it is released.
package protocol InferenceSession: AnyObject, Sendable {}

/// A generation that a backend runs.
package protocol RunningGeneration: AnyObject, Sendable {
    /// Ends it within one token, or within one piece of the prompt.
    func cancel()
}

extension Session: InferenceSession {}
extension GenerationTask: RunningGeneration {}

/// The engine as a backend.
struct EngineBackend: InferenceBackend {
    let engine: Engine

    var contextSize: Int { engine.contextSize }
    var isUnloaded: Bool { engine.isUnloaded }

    func makeSession() -> any InferenceSession { engine.makeSession() }

    func generate(
        _ request: GenerationRequest, in session: any InferenceSession,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> any RunningGeneration {
        guard let session = session as? Session else {
            preconditionFailure("a session of another backend")
        }
        return engine.generate(request, in: session, onEvent: onEvent)
    }

    func unload() async { await engine.unload() }
}
