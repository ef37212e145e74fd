public import Foundation

/// A model in memory.
///
/// Hold on to it for as long as the model is needed; its conversations do too. ``unload()`` gives the memory back at
/// once, and so does releasing the last reference to the runner and its conversations.
public protocol ModelRunner: AnyObject, Sendable {
    /// The model's name: what it was loaded by, or its file's name without the extension.
    var modelId: String { get }

    /// The tokens that a prompt and its reply may have together; 0 where a runner does not know it.
    var contextSize: Int { get }

    /// The figures of all that was computed since the model was loaded; all 0 where a runner does not count.
    var statistics: ModelStatistics { get }

    /// The LoRA adapters that were loaded beside the model, in the order of the loading options.
    var adapters: [ModelAdapter] { get }

    /// Begins a conversation.
    ///
    /// - Parameter systemPrompt: instructions for the model; nil or empty for none.
    func createConversation(systemPrompt: String?) -> any Conversation

    /// Goes on with a conversation.
    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation

    /// Goes on with a conversation that ``Conversation/save(to:)`` wrote.
    ///
    /// The state in the file is taken up where this model computes as the one that saved it: the same weights,
    /// instruction set, type of keys and values and scaling of positions. The next reply then computes only what is
    /// new. Otherwise it computes the history anew, which ``RestoredConversation/recomputationReason`` and a line in
    /// the log tell.
    ///
    /// - Throws: ``LeapSerializationException`` where the file is no saved conversation, or its history is damaged.
    func restoreConversation(from url: URL) async throws -> RestoredConversation

    /// Generates the reply to a conversation's history as it is, with callbacks on the main queue.
    ///
    /// ``Conversation/generateResponse(message:generationOptions:)`` is the usual way. This one adds no message before
    /// it begins. Without an error callback, errors arrive as a completion with ``GenerationFinishReason/error``.
    func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void,
        onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler

    /// Gives the model's memory back.
    ///
    /// Generations that run are interrupted. The conversations keep their history; generating in them fails from now
    /// on.
    func unload() async

    /// Returns the number of tokens that a generation after these messages would begin with.
    ///
    /// - Parameters:
    ///   - messages: the whole history, the message to answer last.
    ///   - addBosToken: whether the token that begins every text is counted, if the model has one.
    /// - Returns: exactly what would be computed, had nothing been kept; 0 if the messages cannot be made into a prompt
    ///   or the model is unloaded (the log says why). ``promptTokenCount(messages:functions:addBosToken:)`` throws
    ///   instead.
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int

    /// Returns the number of tokens that a generation after these messages would begin with; throws the reason why they
    /// cannot be counted.
    ///
    /// It renders and tokenises the prompt before it returns, which takes milliseconds for most;
    /// ``getPromptTokensSize(messages:addBosToken:)`` does that elsewhere.
    ///
    /// - Parameters:
    ///   - messages: the whole history, the message to answer last.
    ///   - functions: the functions the conversation has; their definitions are part of the prompt.
    ///   - addBosToken: whether the token that begins every text is counted, if the model has one.
    /// - Throws: ``LeapGenerationException`` if the messages cannot be made into a prompt, or the model is unloaded.
    func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], addBosToken: Bool
    ) throws -> Int

    /// Returns the likelihood that the model gives to a text, token by token; see ``score(_:topLogprobs:)`` for the
    /// short forms.
    ///
    /// - Parameters:
    ///   - text: what is scored; control tokens in it are text.
    ///   - context: what stands before it.
    ///   - topLogprobs: how many of the most likely tokens are reported for each place, 0 to 20.
    func score(_ text: String, after context: ScoreContext, topLogprobs: Int) async throws -> TextScore

    /// The vectors that stand for texts: similar texts have vectors with a small angle between them.
    ///
    /// Texts are computed together, several in a pass, in memory that does not grow with their number. Some models want
    /// a task before a text, such as `query: `; their cards say so, and it is part of the text.
    ///
    /// - Parameters:
    ///   - texts: any number; control tokens in them are text.
    ///   - options: how the vectors are made.
    /// - Returns: one for each text, in their order.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` if a text does not fit into the context;
    ///   ``LeapGenerationException`` if a text has no tokens, the file names no pooling and the options neither, or the
    ///   model is unloaded; `CancellationError` within a layer's time if the task is cancelled.
    func embed(_ texts: [String], options: EmbeddingOptions) async throws -> [TextEmbedding]

    /// Ranks documents by how well they answer a query, with a model that was made for that: a reranker.
    ///
    /// Documents are computed together, several in a pass, each with the query.
    ///
    /// - Parameters:
    ///   - query: what is looked for; control tokens in it, and in the documents, are text.
    ///   - documents: any number.
    ///   - options: how documents are read.
    /// - Returns: one for each document, the best first; of equal ones the earlier first.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` if a document does not fit into the context with
    ///   the query; ``LeapGenerationException`` if the model ranks nothing, or is unloaded; `CancellationError` within
    ///   a layer's time if the task is cancelled.
    func rank(query: String, documents: [String], options: RankingOptions) async throws -> [Ranking]
}

extension ModelRunner {
    /// Throws an error, for runners that cannot restore conversations.
    public func restoreConversation(from url: URL) async throws -> RestoredConversation {
        throw LeapSerializationException("the runner \(type(of: self)) cannot restore conversations")
    }

    /// The context size of runners that do not tell it: 0.
    public var contextSize: Int { 0 }

    /// The adapters of runners that take none: an empty array.
    public var adapters: [ModelAdapter] { [] }

    /// The statistics of runners that do not count: all 0.
    public var statistics: ModelStatistics { ModelStatistics() }

    /// Throws an error, for runners that cannot count tokens.
    public func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], addBosToken: Bool
    ) throws -> Int {
        throw LeapGenerationException("the runner \(type(of: self)) cannot count the tokens of a prompt")
    }

    /// Throws an error, for runners that make no vectors.
    public func embed(_ texts: [String], options: EmbeddingOptions) async throws -> [TextEmbedding] {
        throw LeapGenerationException("the runner \(type(of: self)) makes no embeddings")
    }

    /// Throws an error, for runners that rank nothing.
    public func rank(query: String, documents: [String], options: RankingOptions) async throws -> [Ranking] {
        throw LeapGenerationException("the runner \(type(of: self)) ranks no documents")
    }

    /// Ranks documents by how well they answer a query, the best first; see ``rank(query:documents:options:)``.
    public func rank(query: String, documents: [String]) async throws -> [Ranking] {
        try await rank(query: query, documents: documents, options: RankingOptions())
    }

    /// Returns the vectors that stand for texts, made as the file says.
    public func embed(_ texts: [String]) async throws -> [TextEmbedding] {
        try await embed(texts, options: EmbeddingOptions())
    }

    /// Returns the vector that stands for a text.
    public func embed(_ text: String, options: EmbeddingOptions = EmbeddingOptions()) async throws -> TextEmbedding {
        guard let embedding = try await embed([text], options: options).first else {
            throw LeapGenerationException("the runner \(type(of: self)) gave no embedding")
        }
        return embedding
    }

    /// Throws an error, for runners that cannot score.
    public func score(_ text: String, after context: ScoreContext, topLogprobs: Int) async throws -> TextScore {
        throw LeapGenerationException("the runner \(type(of: self)) cannot score texts")
    }

    /// Returns the number of tokens that a generation after these messages would begin with; throws the reason why they
    /// cannot be counted.
    public func promptTokenCount(messages: [ChatMessage], functions: [LeapFunction] = []) throws -> Int {
        try promptTokenCount(messages: messages, functions: functions, addBosToken: true)
    }

    /// Begins a conversation without a system prompt.
    public func createConversation() -> any Conversation { createConversation(systemPrompt: nil) }

    /// Returns the number of tokens that a generation after these messages would begin with.
    public func getPromptTokensSize(messages: [ChatMessage]) async -> Int {
        await getPromptTokensSize(messages: messages, addBosToken: true)
    }

    /// Generates the reply to a conversation's history as it is, with a callback on the main queue.
    public func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions? = nil,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void
    ) -> any GenerationHandler {
        generateResponse(
            conversation: conversation, generationOptions: generationOptions, onResponseCallback: onResponseCallback,
            onErrorCallback: nil)
    }
}
