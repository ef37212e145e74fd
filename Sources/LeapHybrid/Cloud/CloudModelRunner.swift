import Foundation
import LeapBase
public import LeapCore

public import class LeapOpenAIClient.OpenAiClient
public import struct LeapOpenAIClient.OpenAiClientConfig

/// A model behind an OpenAI-compatible endpoint, as a `ModelRunner`: conversations with it are like those with a model
/// on the device.
///
/// It differs as an endpoint has no more to say: adapters, speculation and trimming of old turns have no effect, which
/// the log says when they are asked for; log probabilities are not reported; conversations are not saved with a
/// computed state. Statistics count what the endpoint reports. An interrupted reply has no statistics.
public final class CloudModelRunner: ModelRunner {
    /// The model's name at the endpoint.
    public let modelId: String
    /// The number of tokens that a prompt and its reply may have together, where the app knows it; else 0.
    public let contextSize: Int
    /// A Boolean value that tells whether the endpoint takes fields that OpenAI's own does not: `top_k`, `min_p`,
    /// `repetition_penalty`, `regex`, `grammar` and `chat_template_kwargs`.
    public let isExtended: Bool
    let client: OpenAiClient
    private let state = Locked(State())

    private struct State {
        var isUnloaded = false
        var statistics = ModelStatistics()
    }

    /// Makes a runner; the endpoint is asked when a reply is generated.
    ///
    /// - Parameters:
    ///   - model: the model's name at the endpoint.
    ///   - config: where the endpoint is. In a ``HybridRouter``, few retries and short timeouts let the device answer
    ///     sooner.
    ///   - contextSize: the tokens that a prompt and its reply may have together; 0 where it is not known.
    ///   - isExtended: whether the endpoint takes what vLLM, llama.cpp's server and `leap serve` take beyond OpenAI's
    ///     fields. Without it, sampling values of those have no effect, which the log says; a regular expression or a
    ///     grammar is refused.
    public init(model: String, config: OpenAiClientConfig, contextSize: Int = 0, isExtended: Bool = false) {
        modelId = model
        self.contextSize = contextSize
        self.isExtended = isExtended
        client = OpenAiClient(config: config)
    }

    /// The figures that the endpoint reported since the runner was made.
    public var statistics: ModelStatistics { state.withLock { $0.statistics } }

    /// Begins a conversation; see `ModelRunner.createConversation(systemPrompt:)`.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        SourcedConversation(replies: CloudSource(self), systemPrompt: systemPrompt)
    }

    /// Goes on with a conversation; see `ModelRunner.createConversationFromHistory(history:)`.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        SourcedConversation(replies: CloudSource(self), history: history)
    }

    /// Generates the reply to a conversation's history as it is; see
    /// `ModelRunner.generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)`.
    @discardableResult
    public func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        SourcedConversation.generate(
            conversation, by: self, options: generationOptions, onResponse: onResponseCallback,
            onError: onErrorCallback)
    }

    /// Ends the replies that are being generated; further ones fail.
    public func unload() async {
        state.withLock { $0.isUnloaded = true }
        client.close()
    }

    /// Returns 0: the endpoint alone knows how its model counts.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int { 0 }

    var isUnloaded: Bool { state.withLock { $0.isUnloaded } }

    func count(_ change: (inout ModelStatistics) -> Void) { state.withLock { change(&$0.statistics) } }
}
