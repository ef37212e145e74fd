public import Foundation
public import LeapChat

/// A chat with a model: holds the history and generates replies.
///
/// ```swift
/// let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
/// for try await response in conversation.generateResponse(userTextMessage: "What is the capital of France?") {
///     if case .chunk(let text) = response { print(text, terminator: "") }
/// }
/// ```
/// A ``ModelRunner`` creates conversations. You can call every member from any task, including the main actor; none of
/// them blocks. A conversation keeps the model's state between turns, so the next turn computes only the new tokens.
public protocol Conversation: AnyObject, Sendable {
    /// The model that generates the replies.
    var modelRunner: any ModelRunner { get }

    /// A copy of the messages so far.
    ///
    /// The message that starts a generation is added at once. If the generation fails before the model computes
    /// anything, the message is removed before the error is delivered.
    ///
    /// The complete reply is added before ``MessageResponse/complete(_:)`` is delivered. A reply that ends in an error
    /// is not added. An interrupted reply is added only if ``GenerationOptions/keepsInterruptedReply`` is set and the
    /// reply is not empty.
    var history: [ChatMessage] { get }

    /// The functions that the model can call.
    var functions: [LeapFunction] { get }

    /// A Boolean value that indicates whether a reply is being generated.
    var isGenerating: Bool { get }

    /// Registers a function that the model can call, from the next generation on.
    ///
    /// A conversation created from a history starts with the functions of the conversation that the history comes from.
    /// Once you register a function, it has only the functions that you registered.
    func registerFunction(_ function: LeapFunction)

    /// Registers functions that the model can call, from the next generation on.
    func registerFunctions(_ functions: [LeapFunction])

    /// The same as ``registerFunction(_:)``; a conforming type implements one of the two.
    func registerFunction(function: LeapFunction)

    /// The same as ``registerFunctions(_:)``; a conforming type implements one of the two.
    func registerFunctions(functions: [LeapFunction])

    /// Adds a message without generating a reply: a stored message, or the result of a function.
    ///
    /// Any message is accepted. A generation throws ``LeapGenerationException`` with the message's number if it cannot
    /// continue from that message. Examples are a part that the model cannot read and the result of a function that was
    /// not called. To recover, call ``removeLastMessage()``. After ``ModelRunner/unload()``, nothing is added, and the
    /// log says so.
    func appendToHistory(message: ChatMessage)

    /// Removes the last message; does nothing if there is none.
    ///
    /// After a generation was stopped or cancelled, one call removes the unanswered user message and, if it was kept,
    /// the incomplete reply. Function results stay, whether or not their reply had begun, so you can start the
    /// generation again.
    func removeLastMessage()

    /// Adds a message and starts generating the reply at once.
    ///
    /// If another generation is running, the stream is empty; with ``WhileGenerating/fail`` it throws. To stop the
    /// generation within one token, leave the loop, release the stream, or cancel the task that iterates. After
    /// function results, an empty user message means "continue" and is not added.
    ///
    /// The stream throws ``LeapGenerationException`` and ``LeapGenerationPromptExceedContextLengthException``. The
    /// former also covers an unloaded model, a part that the model cannot read, and two functions with one name.
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> MessageResponseStream

    /// Adds a message and starts generating the reply at once, with a callback on the main queue.
    ///
    /// If another generation is running, this returns nil, and the callback receives an empty completion with
    /// ``GenerationFinishReason/stop``. Errors arrive as a completion with ``GenerationFinishReason/error``. To receive
    /// the errors themselves, use the stream, or
    /// ``ModelRunner/generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)``.
    @discardableResult
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?,
        onResponse: @escaping (MessageResponseStream.Element) -> Void
    ) -> (any GenerationHandler)?

    /// Removes the last reply and starts generating another one at once.
    ///
    /// The last reply is the assistant message at the end of the history. If the history ends with another message, the
    /// model answers the history as it is. If the generation fails before the model computes anything, the old reply
    /// stays. Otherwise it works like ``generateResponse(message:generationOptions:)``.
    func regenerateResponse(
        generationOptions: GenerationOptions?
    ) -> MessageResponseStream

    /// Interrupts the reply that is being generated, so that it can go on from the same token.
    ///
    /// The reply so far arrives as a completion with ``GenerationFinishReason/interrupted``. The method returns when
    /// the model has stopped, so that you can save the conversation. A saved conversation keeps the point of the
    /// interruption. The method has no effect if no reply is generated.
    func suspendResponse() async

    /// Continues the reply that ``suspendResponse()`` interrupted, also in a restored conversation.
    ///
    /// The stream has the whole reply: first the part that was generated before, at once. Use the same options. The
    /// text is then the text of a reply that was not interrupted, also with a seed, a constraint or a stop sequence.
    /// If the interruption came before the first token, the reply begins.
    ///
    /// The stream throws ``LeapGenerationException`` if the last reply was not interrupted, if the history has changed
    /// since, and for replies with speech or log probabilities.
    func resumeResponse(generationOptions: GenerationOptions?) -> MessageResponseStream

    /// Ends the reasoning of the reply that is being generated, so that the answer begins.
    ///
    /// The model writes the end mark within one token; ``GenerationOptions/thinkingBudgetMessage`` comes before it. It
    /// has no effect if no reply is generated, or if the answer has begun. Replies that another server generates go
    /// on.
    func endThinking()

    /// Saves the history, functions and computed state to a file; replaces an existing file.
    ///
    /// Read it with ``ModelRunner/restoreConversation(from:)``, in this process or another one. The file appears under
    /// its name only when it is complete. After ``ModelRunner/unload()``, the file has the history but not the state.
    ///
    /// - Returns: the number of tokens whose state is in the file.
    /// - Throws: ``LeapGenerationException`` while a reply is being generated; ``LeapSerializationException`` if the
    ///   file cannot be written, or the history has more than 256 MiB.
    @discardableResult
    func save(to url: URL) async throws -> Int
}

extension Conversation {
    /// Throws an error, for conversations that do not support saving.
    @discardableResult
    public func save(to url: URL) async throws -> Int {
        throw LeapSerializationException("conversations of the type \(type(of: self)) cannot be saved")
    }

    /// Does nothing, for conversations that cannot suspend replies.
    public func suspendResponse() async {}

    /// Fails, for conversations that cannot suspend replies.
    public func resumeResponse(generationOptions: GenerationOptions?) -> MessageResponseStream {
        let (stream, continuation) = MessageResponseStream.makeStream()
        continuation.fail(LeapGenerationException("conversations of the type \(type(of: self)) resume no replies"))
        return stream
    }

    /// Does nothing, for conversations that cannot end reasoning.
    public func endThinking() {}

    /// Removes the last reply and generates another one, for conversations without their own implementation.
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
