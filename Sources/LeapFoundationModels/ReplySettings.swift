#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    import FoundationModels
    import LeapChat

    /// A request in this SDK's options.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    struct ReplySettings {
        let functions: [LeapFunction]
        let options = LeapChat.GenerationOptions()

        /// Reads a request.
        ///
        /// - Throws: `LanguageModelError` for what the model cannot do.
        init(_ request: LanguageModelExecutorGenerationRequest, model: LeapLanguageModel) throws {
            if request.contextOptions.reasoningLevel != nil, !model.reasons {
                throw LanguageModelError.unsupportedCapability(
                    .init(
                        capability: .reasoning,
                        debugDescription:
                            "a reasoning level is set, but the model is not declared as a reasoning model: "
                            + "create it with LeapLanguageModel(url:options:reasons: true)"))
            }
            functions = try request.enabledToolDefinitions.map(SchemaText.function)
            if let level = request.contextOptions.reasoningLevel { think(level) }
            if let schema = request.schema {
                options.schema = ReplySchema(try SchemaText.json(schema))
                options.injectSchemaIntoPrompt = request.contextOptions.includeSchemaInPrompt ?? true
            }
            let asked = request.generationOptions
            if let temperature = asked.temperature { options.temperature = Float(temperature) }
            if let count = asked.maximumResponseTokens { options.maxTokens = Int32(clamping: count) }
            switch asked.samplingMode?.kind {
            case .greedy: options.temperature = 0
            case .randomTopK(let count, let seed):
                options.topK = Int32(clamping: count)
                options.rngSeed = seed.map { Int64(bitPattern: $0) }
            case .randomProbabilityThreshold(let threshold, let seed):
                options.topP = Float(threshold)
                options.rngSeed = seed.map { Int64(bitPattern: $0) }
            case nil: break
            @unknown default: break
            }
            switch asked.toolCallingMode?.kind {
            case .required:
                guard !functions.isEmpty else {
                    throw LanguageModelError.unsupportedCapability(
                        .init(
                            capability: .toolCalling, debugDescription: "a call is required, but no tool is enabled"))
                }
                options.further.toolChoice = .required
            case .disallowed: options.further.toolChoice = GenerationExtras.ToolChoice.none
            case .allowed, nil: options.further.toolChoice = .free(functions)
            @unknown default: options.further.toolChoice = .free(functions)
            }
        }

        /// Has the model think, and limits its thoughts to the level's share of the reply.
        ///
        /// A level of the app's own is a word of `ThinkingEffort`, or one that only the chat template knows.
        private func think(_ level: ContextOptions.ReasoningLevel) {
            let word =
                switch level {
                case .light: ThinkingEffort.low.rawValue
                case .moderate: ThinkingEffort.medium.rawValue
                case .deep: ThinkingEffort.high.rawValue
                case .custom(let word): word
                @unknown default: ThinkingEffort.medium.rawValue
                }
            options.enableThinking = ThinkingEffort(rawValue: word)?.thinks ?? true
            options.further.tellEffort(word)
        }
    }

    extension GenerationExtras.ToolChoice {
        /// The model decides, where there is something to call.
        static func free(_ functions: [LeapFunction]) -> Self { functions.isEmpty ? .none : .auto }
    }
#endif
