public import Foundation
public import LeapChat

/// A model in memory.
///
/// Keep a reference while you need the model; its conversations keep one too. To release the memory, call ``unload()``,
/// or release the last reference to the runner and its conversations.
public protocol ModelRunner: AnyObject, Sendable {
    /// The name under which the model was loaded, or its file's name without the extension.
    var modelId: String { get }

    /// The maximum number of tokens of prompt and reply together; 0 if the runner does not know it.
    var contextSize: Int { get }

    /// The statistics since the model was loaded; all 0 if the runner keeps none.
    var statistics: ModelStatistics { get }

    /// The LoRA adapters that were loaded with the model, in the order of the loading options.
    var adapters: [ModelAdapter] { get }

    /// Creates a conversation.
    ///
    /// - Parameter systemPrompt: instructions for the model; nil or empty for none.
    func createConversation(systemPrompt: String?) -> any Conversation

    /// Continues a conversation from its history.
    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation

    /// Continues a conversation that ``Conversation/save(to:)`` wrote.
    ///
    /// The state in the file is used if this model computes exactly as the one that saved it: the same weights,
    /// instruction set, type of keys and values, and scaling of positions. The next reply then computes only the new
    /// tokens. Otherwise it computes the whole history again; ``RestoredConversation/recomputationReason`` and a line
    /// in the log say why.
    ///
    /// - Throws: ``LeapSerializationException`` if the file is not a saved conversation, or its history is damaged.
    func restoreConversation(from url: URL) async throws -> RestoredConversation

    /// Generates the reply to a conversation's current history, with callbacks on the main queue.
    ///
    /// Usually you call ``Conversation/generateResponse(message:generationOptions:)``. This method adds no message
    /// before it starts. Without an error callback, errors arrive as a completion with
    /// ``GenerationFinishReason/error``.
    func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void,
        onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler

    /// Replaces the policy that chooses threads and pauses, from the next pass on.
    ///
    /// A loaded model has a ``StandardPacePolicy``. Use a ``FullPacePolicy`` to compute at full speed.
    ///
    /// - Parameter policy: chooses the pace.
    /// - Throws: ``LeapException`` if the runner's pace cannot be set: another process computes.
    func setPacePolicy(_ policy: any PacePolicy) throws

    /// Releases the model's memory.
    ///
    /// Running generations are interrupted. The conversations keep their history, but new generations in them fail.
    func unload() async

    /// Returns the number of prompt tokens of a generation after these messages.
    ///
    /// - Parameters:
    ///   - messages: the whole history; the last message is the one to answer.
    ///   - addBosToken: whether to count the beginning-of-text token, if the model has one.
    /// - Returns: the exact number of tokens, as if nothing were cached; 0 if the messages cannot become a prompt or
    ///   the model is unloaded (the log says why). To receive an error instead, call
    ///   ``promptTokenCount(messages:functions:addBosToken:)``.
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int

    /// Returns the number of prompt tokens of a generation after these messages, or throws if they cannot be counted.
    ///
    /// It renders and tokenizes the prompt before it returns, which usually takes milliseconds.
    /// ``getPromptTokensSize(messages:addBosToken:)`` does that work on another thread.
    ///
    /// - Parameters:
    ///   - messages: the whole history; the last message is the one to answer.
    ///   - functions: the conversation's functions; their definitions are part of the prompt.
    ///   - addBosToken: whether to count the beginning-of-text token, if the model has one.
    /// - Throws: ``LeapGenerationException`` if the messages cannot become a prompt, or the model is unloaded.
    func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], addBosToken: Bool
    ) throws -> Int

    /// Returns the likelihood of a text under the model, token by token.
    ///
    /// See ``score(_:topLogprobs:)`` for the short forms.
    ///
    /// - Parameters:
    ///   - text: the text to score; control tokens in it count as text.
    ///   - context: the text or messages before it.
    ///   - topLogprobs: the number of most likely tokens to report for each position, 0 to 20.
    func score(_ text: String, after context: ScoreContext, topLogprobs: Int) async throws -> TextScore

    /// Returns the embeddings of texts: similar texts have vectors with a small angle between them.
    ///
    /// Several texts are computed together in one pass; memory does not grow with their number. Some models expect a
    /// task prefix in the text, such as `query: `; see their model cards.
    ///
    /// - Parameters:
    ///   - texts: any number of texts; control tokens in them count as text.
    ///   - options: how to make the vectors.
    /// - Returns: one embedding for each text, in their order.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` if a text does not fit into the context.
    ///   ``LeapGenerationException`` if a text has no tokens, the model has no pooling and the options set none, or the
    ///   model is unloaded. `CancellationError` if the task is cancelled, within the time of one layer.
    func embed(_ texts: [String], options: EmbeddingOptions) async throws -> [TextEmbedding]

    /// Ranks documents by how well they answer a query, with a reranker or a late-interaction model (ColBERT).
    ///
    /// Several documents are computed together in one pass. A reranker reads each with the query. A late-interaction
    /// model reads query and documents apart and compares their tokens; ``rank(query:embeddings:)`` does so with
    /// documents that were read before.
    ///
    /// - Parameters:
    ///   - query: the query; control tokens in it, and in the documents, count as text.
    ///   - documents: any number of documents.
    ///   - options: how to read the documents.
    /// - Returns: one ranking for each document, best first; equal ones in the order of the documents.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` if a document and the query do not fit into the
    ///   context. ``LeapGenerationException`` if the model does neither, or is unloaded. `CancellationError` if
    ///   the task is cancelled, within the time of one layer.
    func rank(query: String, documents: [String], options: RankingOptions) async throws -> [Ranking]

    /// Returns the likeliest tokens for each mask in a text, with a masked language model.
    ///
    /// Write the name of the vocabulary's mask token in the place of each missing word: `[MASK]` for BERT and ModernBERT.
    /// Each mask stands for one token. The model reads the whole text at once, and several masks independently of each
    /// other.
    ///
    /// - Parameters:
    ///   - text: the text with masks; other control tokens in it count as text.
    ///   - options: the number of tokens for each mask.
    /// - Returns: the tokens for each mask, in the order of the text.
    /// - Throws: ``LeapGenerationException`` if the text has no mask, the model is causal, its file has no mask token or
    ///   no head that predicts words, or the model is unloaded. ``LeapGenerationPromptExceedContextLengthException`` if
    ///   the text does not fit into the context. `CancellationError` if the task is cancelled, within the time of one
    ///   layer.
    func fillMask(_ text: String, options: FillMaskOptions) async throws -> [MaskedWord]

    /// The questions that the model answers, and how; nil if the runner answers none.
    var decisionCapabilities: DecisionCapabilities? { get }

    /// Answers typed questions about a state, with a probability for every option; no token is generated.
    ///
    /// Questions of one request share the computation of the state. A question has the same answer alone as beside
    /// others. A model that was trained for decisions answers as it was trained; any other chat model answers with the
    /// probabilities of labels (``DecisionAnswer/Reading/readout``).
    ///
    /// - Parameters:
    ///   - questions: 1 to 400 questions with different names.
    ///   - state: the text, value or conversation that they are about.
    ///   - options: temperatures and the kind of reading.
    /// - Returns: the answers, in the order of the questions.
    /// - Throws: ``LeapDecisionException`` that names the field at fault.
    ///   ``LeapGenerationPromptExceedContextLengthException`` if a prompt does not fit into the context.
    ///   ``LeapGenerationException`` if the model is unloaded. `CancellationError` if the task is cancelled.
    func decide(
        _ questions: [Question], about state: DecisionState, options: DecisionOptions
    ) async throws -> Decisions
}

extension ModelRunner {
    /// Throws an error, for runners that do not restore conversations.
    public func restoreConversation(from url: URL) async throws -> RestoredConversation {
        throw LeapSerializationException("the runner \(type(of: self)) cannot restore conversations")
    }

    /// The context size of runners that do not report one: 0.
    public var contextSize: Int { 0 }

    /// Throws an error, for runners whose pace cannot be set.
    public func setPacePolicy(_ policy: any PacePolicy) throws {
        throw LeapGenerationException("the pace of the runner \(type(of: self)) cannot be set")
    }

    /// The adapters of runners that support none: an empty array.
    public var adapters: [ModelAdapter] { [] }

    /// The statistics of runners that keep none: all 0.
    public var statistics: ModelStatistics { ModelStatistics() }

    /// Throws an error, for runners that do not count tokens.
    public func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], addBosToken: Bool
    ) throws -> Int {
        throw LeapGenerationException("the runner \(type(of: self)) cannot count the tokens of a prompt")
    }

    /// Throws an error, for runners that compute no embeddings.
    public func embed(_ texts: [String], options: EmbeddingOptions) async throws -> [TextEmbedding] {
        throw LeapGenerationException("the runner \(type(of: self)) computes no embeddings")
    }

    /// Throws an error, for runners that do not rank documents.
    public func rank(query: String, documents: [String], options: RankingOptions) async throws -> [Ranking] {
        throw LeapGenerationException("the runner \(type(of: self)) does not rank documents")
    }

    /// Throws an error, for runners that fill no masks.
    public func fillMask(_ text: String, options: FillMaskOptions) async throws -> [MaskedWord] {
        throw LeapGenerationException("the runner \(type(of: self)) fills no masks")
    }

    /// The capabilities of runners that answer no questions: nil.
    public var decisionCapabilities: DecisionCapabilities? { nil }

    /// Throws an error, for runners that answer no questions.
    public func decide(
        _ questions: [Question], about state: DecisionState, options: DecisionOptions
    ) async throws -> Decisions {
        throw LeapDecisionException(field: "model", "the runner \(type(of: self)) answers no questions")
    }

    /// Answers typed questions about a state; see ``decide(_:about:options:)``.
    public func decide(
        about state: DecisionState, options: DecisionOptions = DecisionOptions(),
        @QuestionBuilder _ questions: () throws -> [Question]
    ) async throws -> Decisions {
        try await decide(try questions(), about: state, options: options)
    }

    /// Returns the five likeliest tokens for each mask in a text; see ``fillMask(_:options:)``.
    public func fillMask(_ text: String) async throws -> [MaskedWord] {
        try await fillMask(text, options: FillMaskOptions())
    }

    /// Ranks documents by how well they answer a query, best first; see ``rank(query:documents:options:)``.
    public func rank(query: String, documents: [String]) async throws -> [Ranking] {
        try await rank(query: query, documents: documents, options: RankingOptions())
    }

    /// Returns the embeddings of texts, with the settings from the model's file.
    public func embed(_ texts: [String]) async throws -> [TextEmbedding] {
        try await embed(texts, options: EmbeddingOptions())
    }

    /// Returns the embedding of a text.
    public func embed(_ text: String, options: EmbeddingOptions = EmbeddingOptions()) async throws -> TextEmbedding {
        guard let embedding = try await embed([text], options: options).first else {
            throw LeapGenerationException("the runner \(type(of: self)) gave no embedding")
        }
        return embedding
    }

    /// Throws an error, for runners that do not score texts.
    public func score(_ text: String, after context: ScoreContext, topLogprobs: Int) async throws -> TextScore {
        throw LeapGenerationException("the runner \(type(of: self)) cannot score texts")
    }

    /// Returns the number of prompt tokens of a generation after these messages, or throws if they cannot be counted.
    public func promptTokenCount(messages: [ChatMessage], functions: [LeapFunction] = []) throws -> Int {
        try promptTokenCount(messages: messages, functions: functions, addBosToken: true)
    }

    /// Creates a conversation without a system prompt.
    public func createConversation() -> any Conversation { createConversation(systemPrompt: nil) }

    /// Returns the number of prompt tokens of a generation after these messages.
    public func getPromptTokensSize(messages: [ChatMessage]) async -> Int {
        await getPromptTokensSize(messages: messages, addBosToken: true)
    }

    /// Generates the reply to a conversation's current history, with a callback on the main queue.
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
