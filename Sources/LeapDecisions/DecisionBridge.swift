#if LEAP_ANY_DECISION_MODEL || LEAP_DECISIONS_STUB
    #if LEAP_DECISIONS_STUB
        import AnyDecisionModelStub
    #else
        import AnyDecisionModel
    #endif
    import LeapChat
    import LeapCore
    import LeapModel

    /// Asks a runner the questions of a session.
    enum DecisionBridge {
        /// The maximum numbers of options and levels; nil where they are not known.
        static func limits(
            of runner: any ModelRunner, _ options: LeapChat.DecisionOptions
        ) -> (options: Int, levels: Int)? {
            // Those of a trained reading are not those of a readout, which requests report.
            guard let found = runner.decisionCapabilities, !(options.usesReadout && found.reading == .trained) else {
                return nil
            }
            return (found.maximumChoiceOptions, found.maximumScoreLevels)
        }

        static func prewarm(
            _ runner: any ModelRunner, _ options: LeapChat.DecisionOptions, _ state: AskedState
        ) async throws {
            let type = options.usesReadout ? nil : runner.decisionCapabilities?.type
            if let type, DecisionModelType(rawValue: type)?.readsLabels == false { return }
            var options = options
            options.rotations = 1
            // The state is the beginning that a question like this shares with others.
            _ = try await ask(runner, options, [.score(instructions: "?", levels: ["0", "1"])], state)
        }

        static func decide(
            _ runner: any ModelRunner, _ options: LeapChat.DecisionOptions, _ questions: [AskedQuestion],
            _ state: AskedState
        ) async throws -> DecisionSession.Response {
            let decisions = try await ask(runner, options, questions, state)
            let answers = zip(questions, decisions).map { $0.answer($1) }
            return DecisionSession.Response(
                modelID: decisions.modelId, answers: answers,
                usage: DecisionSession.Usage(inputTokenCount: decisions.inputTokenCount),
                diagnostics: diagnostics(of: decisions))
        }

        private static func ask(
            _ runner: any ModelRunner, _ options: LeapChat.DecisionOptions, _ questions: [AskedQuestion],
            _ state: AskedState
        ) async throws -> Decisions {
            do {
                // Names of ours are the places of the questions, which errors name.
                return try await runner.decide(
                    questions.enumerated().map { $1.named("\($0)") }, about: try state.leapState(), options: options)
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw DecisionFailure.error(error, count: questions.count)
            }
        }

        /// The figures of each answer; none where a share of the labels is not known.
        private static func diagnostics(of decisions: Decisions) -> [DecisionSession.Diagnostics] {
            let found = zip(decisions, decisions.promptTokens).compactMap { answer, tokens in
                answer.labelMass.map {
                    DecisionSession.Diagnostics(
                        allowedAnswerMass: $0, cachedTokenCount: tokens.cachedCount,
                        evaluatedTokenCount: tokens.inputCount - tokens.cachedCount)
                }
            }
            return found.count == decisions.count ? found : []
        }
    }
#endif
