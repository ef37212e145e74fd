// What an app's own conversation, such as one for its tests, need not write itself: the members that the LEAP SDK
// documents are enough.

public import LeapChat

extension Conversation {
    /// Calls the method of the other spelling, for conversations that implement only that one.
    public func registerFunction(_ function: LeapFunction) {
        OtherSpelling.of("registerFunction", self, otherwise: ()) { registerFunction(function: function) }
    }

    /// Calls the method of the other spelling, for conversations that implement only that one.
    public func registerFunction(function: LeapFunction) {
        OtherSpelling.of("registerFunction", self, otherwise: ()) { registerFunction(function) }
    }

    /// Calls the method of the other spelling, for conversations that implement only that one.
    public func registerFunctions(_ functions: [LeapFunction]) {
        OtherSpelling.of("registerFunctions", self, otherwise: ()) { registerFunctions(functions: functions) }
    }

    /// Calls the method of the other spelling, for conversations that implement only that one.
    public func registerFunctions(functions: [LeapFunction]) {
        OtherSpelling.of("registerFunctions", self, otherwise: ()) { registerFunctions(functions) }
    }

    /// Reads the stream and calls back, for conversations without their own implementation.
    @discardableResult
    public func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?,
        onResponse: @escaping (MessageResponseStream.Element) -> Void
    ) -> (any GenerationHandler)? {
        let sink = CallbackSink(onResponse: onResponse, onError: nil)
        guard !isGenerating else {
            sink.takeBusy()
            return nil
        }
        return StreamReader(generateResponse(message: message, generationOptions: generationOptions), to: sink)
    }
}

extension ModelRunner {
    /// Answers the last message through the conversation's stream, for runners without their own implementation.
    ///
    /// If the last message is the user's, it is removed from the history and passed to
    /// ``Conversation/generateResponse(message:generationOptions:)``. Otherwise that method receives an empty message,
    /// which means "continue".
    @discardableResult
    public func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void,
        onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        let sink = CallbackSink(onResponse: onResponseCallback, onError: onErrorCallback)
        guard !conversation.isGenerating else {
            sink.takeBusy()
            return FinishedGeneration()
        }
        var message = ChatMessage(role: .user, textContent: "")
        if let last = conversation.history.last, last.role == .user {
            conversation.removeLastMessage()
            message = last
        }
        return StreamReader(
            conversation.generateResponse(message: message, generationOptions: generationOptions), to: sink)
    }
}

/// Reads a stream into callbacks; stopping it ends the stream, which stops its generation.
private final class StreamReader: GenerationHandler {
    private let task: Task<Void, Never>

    init(_ responses: MessageResponseStream, to sink: CallbackSink) {
        task = Task {
            do {
                for try await response in responses.throwing { sink.take(.response(response)) }
                sink.take(.end)
            } catch {
                sink.take(.failure(GenerationFailure.exception(for: error)))
            }
        }
    }

    func stop() { task.cancel() }
}
