public import LeapChat

extension Conversation {
    /// Adds a message and generates the reply as a value of a type.
    ///
    /// ```swift
    /// let joke = try await conversation.generate(Joke.self, userTextMessage: "Tell me a joke about foxes.")
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type; `@Generatable` makes one.
    ///   - message: the message to add.
    ///   - generationOptions: options; the response format is set to the type.
    /// - Throws: ``LeapGeneratableSchematizationException`` if the type's schema cannot be enforced.
    ///   ``LeapGenerationTokenBudgetException`` if no value fits into `maxTokens` or the context.
    ///   ``LeapGeneratableDeserializationException`` if the reply validates against the schema but does not decode.
    ///   ``LeapGenerationException`` and `CancellationError`.
    public func generate<T: GeneratableType & Decodable>(
        _ type: T.Type, message: ChatMessage, generationOptions: GenerationOptions? = nil
    ) async throws -> T {
        for try await value in generateValues(type, message: message, generationOptions: generationOptions) {
            if case .complete(let value) = value { return value }
        }
        throw LeapGenerationException("the generation ended before the value was complete")
    }

    /// Adds a user message and generates the reply as a value of a type; see
    /// ``generate(_:message:generationOptions:)``.
    public func generate<T: GeneratableType & Decodable>(
        _ type: T.Type, userTextMessage: String, generationOptions: GenerationOptions? = nil
    ) async throws -> T {
        try await generate(
            type, message: ChatMessage(role: .user, textContent: userTextMessage), generationOptions: generationOptions)
    }

    /// Adds a message and generates the reply as a value of a type, in growing pieces; the last one is the whole value.
    ///
    /// ```swift
    /// for try await value in conversation.generateValues(Joke.self, userTextMessage: "Tell me a joke about foxes.") {
    ///     switch value {
    ///     case .partial(let soFar): print(soFar["text"] ?? "")
    ///     case .complete(let joke): print(joke.text, joke.rating)
    ///     }
    /// }
    /// ```
    public func generateValues<T: GeneratableType & Decodable>(
        _ type: T.Type, message: ChatMessage, generationOptions: GenerationOptions? = nil
    ) -> GeneratedValues<T> {
        // A value is what the caller waits for: functions that are registered are not called instead.
        let options = (generationOptions ?? GenerationOptions()).with(responseFormat: type).with(
            functionCallParser: nil)
        return GeneratedValues(responses: generateResponse(message: message, generationOptions: options).throwing)
    }

    /// Adds a user message and generates the reply as a value of a type, in growing pieces.
    ///
    /// See ``generateValues(_:message:generationOptions:)``.
    public func generateValues<T: GeneratableType & Decodable>(
        _ type: T.Type, userTextMessage: String, generationOptions: GenerationOptions? = nil
    ) -> GeneratedValues<T> {
        generateValues(
            type, message: ChatMessage(role: .user, textContent: userTextMessage), generationOptions: generationOptions)
    }
}
