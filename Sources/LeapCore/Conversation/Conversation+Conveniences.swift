public import LeapChat
import LeapJSON

extension Conversation {
    /// Adds a message without generating a reply; see ``appendToHistory(message:)``.
    public func appendToHistory(_ message: ChatMessage) { appendToHistory(message: message) }

    /// Adds a message and generates the reply; see ``generateResponse(message:generationOptions:)``.
    public func generateResponse(message: ChatMessage) -> MessageResponseStream {
        generateResponse(message: message, generationOptions: nil)
    }

    /// Adds a user message and generates the reply; see ``generateResponse(message:generationOptions:)``.
    public func generateResponse(
        userTextMessage: String, generationOptions: GenerationOptions? = nil
    ) -> MessageResponseStream {
        generateResponse(
            message: ChatMessage(role: .user, textContent: userTextMessage), generationOptions: generationOptions)
    }

    /// Removes the last reply and generates another one; see ``regenerateResponse(generationOptions:)``.
    public func regenerateResponse() -> MessageResponseStream {
        regenerateResponse(generationOptions: nil)
    }

    /// Adds a message and generates the reply, with a callback; see
    /// ``generateResponse(message:generationOptions:onResponse:)``.
    @discardableResult
    public func generateResponse(
        message: ChatMessage, onResponse: @escaping (MessageResponseStream.Element) -> Void
    ) -> (any GenerationHandler)? {
        generateResponse(message: message, generationOptions: nil, onResponse: onResponse)
    }

    /// The history as a JSON array in the format of OpenAI's chat completions.
    ///
    /// Read it back with ``ChatMessage/messages(fromJSON:)``.
    public func exportToJSON() -> String {
        JSONWriter.string(.array(history.map(\.json)))
    }

    /// The history in the format of OpenAI's chat completions, for `JSONSerialization`.
    ///
    /// It never throws; it is marked `throws` for compatibility with version 0.7 of the LEAP SDK.
    @_disfavoredOverload
    public func exportToJSON() throws -> [[String: Any]] {
        history.map { $0.toJSONObject() }
    }
}
