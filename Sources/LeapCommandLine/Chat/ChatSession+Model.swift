import LeapBase
import LeapSDK

/// The model that answers.
extension ChatSession {
    /// Goes on with another model; the one before stays where that cannot be loaded.
    func setModel(_ name: String) async throws {
        let old = runner
        guard !name.isEmpty else {
            Terminal.note("(\(old.modelId), \(old.contextSize) tokens of context)")
            return
        }
        // Whether to fetch a model that is not there is asked for with the system's own line editing.
        KeyboardMode.restore()
        defer { if Terminal.inputIsTerminal { KeyboardMode.set(.waiting) } }
        let runner = try await loader(ModelArgument(text: name))
        state.withLock {
            $0.runner = runner
            $0.model = ModelArgument(text: name).lasting
            // The history goes on; its state is the other model's.
            $0.renewConversation()
        }
        await old.unload()
        runner.noteBaseModel()
        Terminal.note("(\(runner.modelId) continues the conversation; /reset starts a new one)")
    }
}
