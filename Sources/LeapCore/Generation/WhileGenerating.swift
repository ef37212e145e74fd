/// A policy for a generation that is started while another one of the conversation runs; in no case is anything added
/// to the history.
public enum WhileGenerating: String, Sendable, Hashable, Codable, CaseIterable {
    /// The stream is empty; a callback gets an empty completion with ``GenerationFinishReason/stop``.
    case ignore
    /// The stream throws ``LeapGenerationException``; a callback gets a completion with
    /// ``GenerationFinishReason/error``.
    case fail
}
