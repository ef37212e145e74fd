import Foundation
import LeapBase
public import LeapCore

public import class LeapOpenAIClient.OpenAiClient
// Exported here too: of two imports of one type, the compiler keeps the access of either.
@_exported public import struct LeapOpenAIClient.OpenAiClientConfig

/// A model at an OpenAI-compatible endpoint, as a `ModelRunner`; use it like a model on the device.
///
/// An endpoint supports less. Adapters, speculation and trimming of old turns have no effect; the log says so if you
/// request them. It reports no log probabilities, and saved conversations have no computed state. The statistics count
/// what the endpoint reports. An interrupted reply has no statistics.
public final class CloudModelRunner: ModelRunner {
    /// The model's name at the endpoint.
    public let modelId: String
    /// The maximum number of tokens of prompt and reply together, if the app knows it; otherwise 0.
    public let contextSize: Int
    /// A Boolean value that indicates whether the endpoint supports fields beyond OpenAI's own.
    ///
    /// They are `top_k`, `min_p`, `repetition_penalty`, `regex`, `grammar` and `chat_template_kwargs`.
    public let isExtended: Bool
    let client: OpenAiClient
    private let state = Locked(State())

    private struct State {
        var isUnloaded = false
        var statistics = ModelStatistics()
    }

    /// Creates a runner; no request is sent before the first reply.
    ///
    /// - Parameters:
    ///   - model: the model's name at the endpoint.
    ///   - config: the endpoint. In a ``HybridRouter``, few retries and short timeouts let the device answer sooner.
    ///   - contextSize: the maximum number of tokens of prompt and reply together; 0 if unknown.
    ///   - isExtended: whether the endpoint supports the fields that vLLM, llama.cpp's server and `leap serve` add to
    ///     OpenAI's. If false, sampling values of those fields have no effect, which the log says. A regular expression
    ///     or a grammar is then an error.
    public init(model: String, config: OpenAiClientConfig, contextSize: Int = 0, isExtended: Bool = false) {
        modelId = model
        self.contextSize = contextSize
        self.isExtended = isExtended
        client = OpenAiClient(config: config)
    }

    /// The statistics that the endpoint reported since the runner was created.
    public var statistics: ModelStatistics { state.withLock { $0.statistics } }

    /// Creates a conversation; see `ModelRunner.createConversation(systemPrompt:)`.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        SourcedConversation(replies: CloudSource(self), systemPrompt: systemPrompt)
    }

    /// Continues a conversation; see `ModelRunner.createConversationFromHistory(history:)`.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        SourcedConversation(replies: CloudSource(self), history: history)
    }

    /// Generates the reply to a conversation's current history.
    ///
    /// See `ModelRunner.generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)`.
    @discardableResult
    public func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        SourcedConversation.generate(
            conversation, by: self, options: generationOptions, onResponse: onResponseCallback,
            onError: onErrorCallback)
    }

    /// Ends running replies; further replies fail.
    public func unload() async {
        state.withLock { $0.isUnloaded = true }
        client.close()
    }

    /// Returns 0, because only the endpoint can count its model's tokens.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int { 0 }

    var isUnloaded: Bool { state.withLock { $0.isUnloaded } }

    func count(_ change: (inout ModelStatistics) -> Void) { state.withLock { change(&$0.statistics) } }
}
