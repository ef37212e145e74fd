public import Foundation

/// A chat with a model: its history, and the generation of replies.
///
/// ```swift
/// let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
/// for try await response in conversation.generateResponse(userTextMessage: "What is the capital of France?") {
///     if case .chunk(let text) = response { print(text, terminator: "") }
/// }
/// ```
/// Conversations are made by a ``ModelRunner``. Everything here may be called from any task, the main actor's too, and
/// none of it waits. Of what the model computes, a conversation keeps the state between turns, so that the next turn
/// costs only what is new.
public protocol Conversation: AnyObject, Sendable {
    /// The model that the conversation talks to.
    var modelRunner: any ModelRunner { get }

    /// The messages so far; a copy.
    ///
    /// A message that a generation was started with is there at once; if the generation fails before the model computed
    /// anything, it is taken out again before the error is delivered. The reply is added when it is complete, before
    /// ``MessageResponse/complete(_:)`` is delivered. A reply that ends in an error or is interrupted is not; with
    /// ``GenerationOptions/keepsInterruptedReply`` what there is of the latter is, unless it is empty.
    var history: [ChatMessage] { get }

    /// The functions that the model may ask for.
    var functions: [LeapFunction] { get }

    /// A Boolean value that tells whether a reply is being generated.
    var isGenerating: Bool { get }

    /// Lets the model ask for a function, from the next generation on.
    ///
    /// A conversation made from a history goes on with the functions of the conversation that the history comes from,
    /// until a function is registered; then it has only what is registered.
    func registerFunction(_ function: LeapFunction)

    /// Lets the model ask for functions, from the next generation on.
    func registerFunctions(_ functions: [LeapFunction])

    /// The same as ``registerFunction(_:)``; a type that conforms has one of the two.
    func registerFunction(function: LeapFunction)

    /// The same as ``registerFunctions(_:)``; a type that conforms has one of the two.
    func registerFunctions(functions: [LeapFunction])

    /// Adds a message without generating a reply: a stored one, or the result of a function.
    ///
    /// It is kept whatever it holds. A generation that cannot go on from it (a part that the model cannot read, the
    /// result of a function that was not called) throws ``LeapGenerationException`` with the message's number, until
    /// ``removeLastMessage()`` takes it out. After ``ModelRunner/unload()`` nothing is added, and the log says so.
    func appendToHistory(message: ChatMessage)

    /// Removes the last message; does nothing if there is none.
    ///
    /// After a generation was stopped or cancelled, one call removes the user's message that it answers, and what there
    /// is of the reply where that was kept: neither half a reply nor a message without an answer is left. Results of
    /// functions stay, whether their answer had begun or not, so the generation can be started again.
    func removeLastMessage()

    /// Adds a message and generates the reply, beginning at once.
    ///
    /// While another generation runs, the stream is empty, or throws with ``WhileGenerating/fail``. Leaving the loop,
    /// releasing the stream, or cancelling the task that iterates stops the generation within one token. An empty user
    /// message after the results of functions adds nothing: it means "go on".
    ///
    /// The stream throws ``LeapGenerationException`` (also for an unloaded model, a part that the model cannot read, or
    /// two functions of one name) and ``LeapGenerationPromptExceedContextLengthException``.
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> MessageResponseStream

    /// Adds a message and generates the reply, beginning at once, with a callback on the main queue.
    ///
    /// While another generation runs this returns nil, and the callback gets an empty completion with
    /// ``GenerationFinishReason/stop``. Errors arrive as a completion with ``GenerationFinishReason/error``; use the
    /// stream, or ``ModelRunner/generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)``,
    /// to see them.
    @discardableResult
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?,
        onResponse: @escaping (MessageResponseStream.Element) -> Void
    ) -> (any GenerationHandler)?

    /// Removes the last reply and generates another one, beginning at once.
    ///
    /// The last reply is the assistant message at the end of the history; without one, the history is answered as it
    /// is. If the generation fails before the model computed anything, the old reply stays. All else is as in
    /// ``generateResponse(message:generationOptions:)``.
    func regenerateResponse(
        generationOptions: GenerationOptions?
    ) -> MessageResponseStream

    /// Writes history, functions and computed state to a file, in place of one that is there.
    ///
    /// ``ModelRunner/restoreConversation(from:)`` reads it, in this process or another one. The file appears under its
    /// name only when it is whole. After ``ModelRunner/unload()`` the history is written, and the state is left out.
    ///
    /// - Returns: the tokens whose state is in the file.
    /// - Throws: ``LeapGenerationException`` while a reply is being generated; ``LeapSerializationException`` where the
    ///   file cannot be written, or the history has more than 256 MiB.
    @discardableResult
    func save(to url: URL) async throws -> Int
}

extension Conversation {
    /// Throws an error, for conversations that cannot be saved.
    @discardableResult
    public func save(to url: URL) async throws -> Int {
        throw LeapSerializationException("conversations of the type \(type(of: self)) cannot be saved")
    }

    /// Removes the last reply and generates another one, for conversations that have no way of their own to do it.
    public func regenerateResponse(
        generationOptions: GenerationOptions?
    ) -> MessageResponseStream {
        let (stream, continuation) = MessageResponseStream.makeStream()
        guard !isGenerating else {
            continuation.finish()
            return stream
        }
        if history.last?.role == .assistant { removeLastMessage() }
        let handler = modelRunner.generateResponse(
            conversation: self, generationOptions: generationOptions,
            onResponseCallback: { response in
                continuation.yield(response)
                if case .complete? = try? MessagePiece(response) { continuation.finish() }
            },
            onErrorCallback: { continuation.fail($0) })
        continuation.onTermination = { termination in
            if case .cancelled = termination { handler.stop() }
        }
        return stream
    }
}
