import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// Generates the reply to a history as it is, without a conversation that goes on.
    package func reply(
        to history: [ChatMessage], functions: [LeapFunction], options: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        let conversation = LiquidConversation(runner: self, history: history)
        conversation.registerFunctions(functions)
        return conversation.stream(.history, options: options)
    }

    /// Goes on with a text, without a chat template.
    package func completion(
        of text: String, options: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        LiquidConversation(runner: self, history: []).stream(.text(text), options: options)
    }

    /// The model's tokenizer.
    ///
    /// - Throws: ``LeapGenerationException`` if the model is unloaded.
    package func tokenizer() throws -> Tokenizer { try promptSource().builder.tokenizer }
}
