/// What happens where a generation is started while another one of the conversation runs; nothing is added to the history in either case.
public enum WhileGenerating: String, Sendable, Hashable, Codable, CaseIterable {
    /// The stream is empty; a callback gets an empty completion with ``GenerationFinishReason/stop``.
    case ignore
    /// The stream throws ``LeapGenerationException``; a callback gets a completion with ``GenerationFinishReason/error``.
    case fail
}
