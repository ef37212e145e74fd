/// A policy for a generation that starts while another one of the conversation is running.
///
/// With either policy, nothing is added to the history.
public enum WhileGenerating: String, Sendable, Hashable, Codable, CaseIterable {
    /// The stream is empty; a callback receives an empty completion with ``GenerationFinishReason/stop``.
    case ignore
    /// The stream throws ``LeapGenerationException``; a callback receives a completion with
    /// ``GenerationFinishReason/error``.
    case fail
}
