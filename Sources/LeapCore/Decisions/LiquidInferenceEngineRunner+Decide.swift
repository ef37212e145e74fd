public import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// The questions that the model answers, and how; see ``ModelRunner/decisionCapabilities``.
    public var decisionCapabilities: DecisionCapabilities? {
        (try? questionReader(DecisionOptions()))?.capabilities
    }

    /// Answers typed questions about a state; see ``ModelRunner/decide(_:about:options:)``.
    public func decide(
        _ questions: [Question], about state: DecisionState, options: DecisionOptions
    ) async throws -> Decisions {
        let readings = try await readings(questions, about: state, options: options)
        var answers: [DecisionAnswer] = []
        for (index, question) in questions.enumerated() {
            guard let outcomes = readings.outcomes(index, at: readings.temperatures[index]) else {
                throw LeapGenerationException("the model \(modelId) gave no scores")
            }
            let masses = outcomes.compactMap(\.labelMass)
            answers.append(
                DecisionAnswer(
                    question, probabilities: DecisionReadings.mean(outcomes.map(\.probabilities)),
                    reading: readings.capabilities.reading, cuts: readings.prompts[index].first?.cuts ?? [],
                    labelMass: masses.isEmpty ? nil : masses.reduce(0, +) / Double(masses.count)))
        }
        return Decisions(
            answers: answers, modelId: modelId,
            promptTokens: zip(readings.prompts, readings.results).map { prompts, results in
                Decisions.PromptTokens(
                    inputCount: prompts.reduce(0) { $0 + $1.tokens.count },
                    cachedCount: results.reduce(0) { sum, result in
                        if case .labels(_, _, let count) = result { sum + count } else { sum }
                    })
            })
    }

    /// Computes the prompts of questions.
    func readings(
        _ questions: [Question], about state: DecisionState, options: DecisionOptions
    ) async throws -> DecisionReadings {
        let reader = try questionReader(options)
        let state = try await fetched(state)
        let method = options.usesReadout ? nil : backend.textModel?.decision
        let limit = contextSize
        let prompts = try await WorkQueue.prompts.run {
            try QuestionCheck.validate(
                questions, about: state, options: options, capabilities: reader.capabilities)
            // A state that is too long is found by the first question: the others are not written.
            return try questions.map { (question) -> [DecisionPrompt] in
                let asked = AskedQuestion(question: question, questions: questions, state: state, options: options)
                let own = try reader.prompts(for: asked)
                if let long = own.first(where: { $0.tokens.count > limit }) {
                    throw LeapGenerationPromptExceedContextLengthException(
                        message:
                            "the prompt of the question \(question.name) has \(long.tokens.count) tokens with the state, but the context holds \(limit): shorten the state, or load the model with a larger contextSize",
                        neededTokens: long.tokens.count, availableTokens: limit)
                }
                return own
            }
        }
        let all = prompts.flatMap { $0 }
        try Task.checkCancellation()
        let branch = reader.sharesState ? try branch(of: all, reader, state: state, options: options) : 0
        let results = try await read(
            all.map { prompt in
                var request = ScoringRequest(
                    tokens: prompt.tokens,
                    purpose: prompt.purpose
                        ?? .labels(
                            prompt.labels, branch: min(branch, prompt.tokens.count - 1),
                            isNormalized: prompt.isNormalized))
                request.media = prompt.media
                return request
            })
        guard results.count == all.count else {
            throw LeapGenerationException("the model \(modelId) gave no scores")
        }
        let calibrated = try calibration.temperatures(reader.capabilities.reading)
        var next = 0
        return DecisionReadings(
            questions: questions, capabilities: reader.capabilities, prompts: prompts,
            results: prompts.map { own in
                defer { next += own.count }
                return Array(results[next..<next + own.count])
            },
            temperatures: questions.map { question in
                // Temperatures of files and calibrations are those of text.
                let isText = method?.type.readsMedia != true || state.mediaParts.isEmpty
                return temperature(of: question, options, isText ? calibrated : nil, method, usesFile: isText)
            })
    }

    /// The state with the bytes of pictures in place of their addresses.
    private func fetched(_ state: DecisionState) async throws -> DecisionState {
        guard media.contains(.image), state.mediaParts.contains(where: \.isAddress) else { return state }
        var state = state
        if case .messages(let messages) = state.content {
            state.content = .messages(try await addressedImages.fetched(messages))
        }
        let rest = try await addressedImages.fetched([ChatMessage(role: .user, content: state.media)])
        state.media = rest.first?.content ?? state.media
        return state
    }

    /// The reader of questions that suits the model and the options.
    private func questionReader(_ options: DecisionOptions) throws -> any QuestionReader {
        let builder = try promptSource().builder
        let model = backend.textModel
        if let method = model?.decision, !options.usesReadout {
            if let reader = MaskReader(
                method, tokenizer: builder.tokenizer, limit: contextSize, mediaReaders: builder.media)
            {
                return reader
            }
            let template: DecisionTemplate
            do {
                template = try DecisionTemplate(
                    source: method.template, tokenizer: builder.tokenizer,
                    controlTokens: builder.renderer.controlTokens)
            } catch {
                throw LeapDecisionException(
                    field: DecisionMethod.templateKey, "the template cannot be used: \(error)", cause: error)
            }
            return LabelReader(method, template: template, tokenizer: builder.tokenizer)
        }
        guard model?.generatesText == true else {
            throw LeapDecisionException(
                field: "model",
                "the model \(modelId) answers no questions: use a decision model, or a model that writes text")
        }
        return Readout(builder)
    }

    /// The number of tokens with which all prompts begin, and which others about the same state would begin with.
    private func branch(
        of prompts: [DecisionPrompt], _ reader: any QuestionReader, state: DecisionState, options: DecisionOptions
    ) throws -> Int {
        guard let first = prompts.first else { return 0 }
        var all = prompts.dropFirst().map(\.tokens)
        // Another question shows where the state ends; without a state there is little to share.
        if all.isEmpty || all.count < (options.rotations ?? 4) {
            let other = Question("?", .yesNo(Question.YesNoCriteria()), name: "?")
            let asked = AskedQuestion(question: other, questions: [other], state: state, options: options)
            if let probe = try? reader.prompts(for: asked).first { all.append(probe.tokens) }
        }
        var shared = first.tokens.count - 1
        for tokens in all {
            var count = 0
            let end = min(shared, tokens.count)
            while count < end, tokens[count] == first.tokens[count] { count += 1 }
            shared = count
        }
        return max(0, min(shared, (all.map(\.count).min() ?? shared + 1) - 1))
    }

    /// The temperature of a question: that of the options, else of the calibration beside the file, else of the file,
    /// else 1.
    private func temperature(
        of question: Question, _ options: DecisionOptions, _ calibrated: DecisionTemperatures?,
        _ method: DecisionMethod?, usesFile: Bool
    ) -> Double {
        let (count, isLev) = (question.optionCount, method?.type == .lev)
        return options.temperature
            ?? options.temperatures?.temperature(of: question.kind, count: count, isLev: isLev)
            ?? calibrated?.temperature(of: question.kind, count: count, isLev: isLev)
            ?? (usesFile ? method : nil).flatMap {
                DecisionTemperatures($0.temperatures).temperature(of: question.kind, count: count, isLev: isLev)
            } ?? 1
    }
}
