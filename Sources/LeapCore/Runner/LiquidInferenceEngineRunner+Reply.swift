package import LeapChat
package import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// Generates the reply to a history as it is, without a conversation that goes on.
    ///
    /// - Parameters:
    ///   - pieceLogprobs: told of the tokens of each element, where the options ask for log probabilities.
    ///   - timing: told when the phases of the reply begin and end.
    ///   - control: ends the thoughts of the reply.
    ///   - onAccepted: called once, with the tokens of the prompt, when the request was checked and runs or waits for
    ///     its turn; not where it fails before.
    package func reply(
        to history: [ChatMessage], functions: [LeapFunction], options: GenerationOptions?,
        pieceLogprobs: PieceLogprobs? = nil, timing: ReplyTiming? = nil, control: ReplyControl? = nil,
        onAccepted: (@Sendable (_ promptTokens: Int) -> Void)? = nil
    ) -> DirectReply {
        let conversation = conversation(history: history)
        conversation.registerFunctions(functions)
        return conversation.directReply(
            .history, options: options, pieceLogprobs: pieceLogprobs, timing: timing, control: control,
            onAccepted: onAccepted)
    }

    /// Goes on with a text, without a chat template.
    ///
    /// - Parameters:
    ///   - pieceLogprobs: told of the tokens of each element, where the options ask for log probabilities.
    ///   - timing: told when the phases of the reply begin and end.
    ///   - onAccepted: called once, with the tokens of the prompt, when the request was checked and runs or waits for
    ///     its turn; not where it fails before.
    package func completion(
        of prompt: RawPrompt, options: GenerationOptions?, pieceLogprobs: PieceLogprobs? = nil,
        timing: ReplyTiming? = nil, onAccepted: (@Sendable (_ promptTokens: Int) -> Void)? = nil
    ) -> DirectReply {
        conversation(history: []).directReply(
            .raw(prompt), options: options, pieceLogprobs: pieceLogprobs, timing: timing, onAccepted: onAccepted)
    }

    /// Returns the number of tokens that the prompt of a reply would have.
    ///
    /// - Throws: ``LeapGenerationException`` where a model cannot go on from these messages, and for extras that cannot
    ///   be read.
    package func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], options: GenerationOptions
    ) throws -> Int {
        var settings = options.snapshot
        try settings.readExtras()
        let isWithoutTools = settings.further.toolChoice == GenerationExtras.ToolChoice.none
        let request = try PromptRequest(
            chat: messages, functions: isWithoutTools ? [] : functions, parser: settings.functionCallParser,
            enableThinking: settings.enableThinking, arguments: settings.further.templateArguments,
            parts: readableParts)
        return try promptSource().builder.build(request).tokens.count
    }

    /// Returns notes on the parts of functions' schemas that the calls of a reply need not follow.
    ///
    /// The grammars that are compiled for this are kept for the reply.
    ///
    /// - Throws: ``LeapGeneratableSchematizationException`` where calls have to be held to a part and cannot, its cause
    ///   a ``FunctionRefusal``, and what a generation with these options throws for its constraint.
    package func notes(on functions: [LeapFunction], options: GenerationOptions) async throws -> [FunctionNote] {
        try await WorkQueue.prompts.run { [self] in
            let source = try promptSource()
            var settings = options.snapshot
            settings.functionCallParser = source.builder.renderer.parser(for: settings.functionCallParser)
            try settings.readExtras()
            guard settings.further.toolChoice != GenerationExtras.ToolChoice.none else { return [] }
            return try ConstraintFactory.make(
                settings: settings, functions: functions, library: source.grammars,
                hasChannels: source.grammars.channels != nil
            ).notes
        }
    }

    /// The model's tokenizer.
    ///
    /// - Throws: ``LeapGenerationException`` if the model is unloaded.
    package func tokenizer() throws -> Tokenizer { try promptSource().builder.tokenizer }
}
