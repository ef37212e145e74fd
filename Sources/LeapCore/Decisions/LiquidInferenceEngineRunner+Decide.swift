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
        let reader = try questionReader(options)
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
                ScoringRequest(
                    tokens: prompt.tokens,
                    purpose: prompt.purpose
                        ?? .labels(
                            prompt.labels, branch: min(branch, prompt.tokens.count - 1),
                            isNormalized: prompt.isNormalized))
            })
        var answers: [DecisionAnswer] = []
        var next = 0
        for (question, own) in zip(questions, prompts) {
            let temperature = self.temperature(of: question, options, method)
            var outcomes: [DecisionPrompt.Outcome] = []
            for prompt in own {
                guard next < results.count, let outcome = prompt.outcome(results[next], temperature) else {
                    throw LeapGenerationException("the model \(modelId) gave no scores")
                }
                outcomes.append(outcome)
                next += 1
            }
            let masses = outcomes.compactMap(\.labelMass)
            answers.append(
                DecisionAnswer(
                    question, probabilities: Self.mean(outcomes.map(\.probabilities)),
                    reading: reader.capabilities.reading, cuts: own.first?.cuts ?? [],
                    labelMass: masses.isEmpty ? nil : masses.reduce(0, +) / Double(masses.count)))
        }
        return Decisions(
            answers: answers, modelId: modelId, inputTokenCount: all.reduce(0) { $0 + $1.tokens.count },
            cachedTokenCount: results.reduce(0) { sum, result in
                if case .labels(_, _, let count) = result { sum + count } else { sum }
            })
    }

    /// The reader of questions that suits the model and the options.
    private func questionReader(_ options: DecisionOptions) throws -> any QuestionReader {
        let builder = try promptSource().builder
        let model = backend.textModel
        if let method = model?.decision, !options.usesReadout {
            if let reader = MaskReader(method, tokenizer: builder.tokenizer, limit: contextSize) { return reader }
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

    /// The temperature of a question: that of the options, else of the file, else 1.
    private func temperature(of question: Question, _ options: DecisionOptions, _ method: DecisionMethod?) -> Double {
        let (count, isLev) = (question.optionCount, method?.type == .lev)
        return options.temperature
            ?? options.temperatures?.temperature(of: question.kind, count: count, isLev: isLev)
            ?? method.flatMap {
                DecisionTemperatures($0.temperatures).temperature(of: question.kind, count: count, isLev: isLev)
            } ?? 1
    }

    private static func mean(_ all: [[Double]]) -> [Double] {
        guard let first = all.first, all.count > 1 else { return all.first ?? [] }
        return first.indices.map { index in all.reduce(0) { $0 + $1[index] } / Double(all.count) }
    }
}
