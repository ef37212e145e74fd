import Testing

@testable import LeapEngine
@testable import LeapModel

/// Expectations of every engine that proposes tokens, whatever proposes them.
extension SteppedEngine {
    /// Returns both outputs of a request: without proposals, and with them.
    func pair(
        _ change: (inout GenerationRequest) -> Void = { _ in }
    ) -> (plain: SteppedEngine.Running, checked: SteppedEngine.Running) {
        let plain = start(SpeculationTests.request(.off, change))
        runToEnd()
        let checked = start(SpeculationTests.request(.draft, change))
        runToEnd()
        return (plain, checked)
    }

    /// Expects of sequences that are decoded together, with and without proposals, what they are alone.
    ///
    /// - Parameters:
    ///   - promptLength: the tokens of the shortest prompt.
    ///   - maxTokens: the limit of greedy outputs; nil for that of `SpeculationTests.request`.
    func expectSameTogether(
        promptLength: Int, maxTokens: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func request(_ index: Int, _ speculation: Speculation) -> GenerationRequest {
            SpeculationTests.request(speculation) {
                $0.prompt = SpeculationTests.prompt(promptLength + index, period: 11 + index)
                if let maxTokens { $0.maxTokens = maxTokens }
                if index % 2 == 1 { $0.sample(UInt64(index)) }
            }
        }
        let alone = (0..<5).map { index in
            let running = start(request(index, .off))
            runToEnd()
            return running.tokens
        }
        let running = (0..<5).map { start(request($0, [.off, .lookup, .draft, .draft, .draft][$0])) }
        runToEnd()
        #expect(running.map(\.tokens) == alone, sourceLocation: sourceLocation)
        #expect(
            running.dropFirst(2).allSatisfy { ($0.result?.progress.draftedTokens ?? 0) > 0 },
            sourceLocation: sourceLocation)
    }

    /// Expects of a session whose generation was cancelled that it goes on as any.
    ///
    /// - Parameters:
    ///   - steps: the numbers of steps before the one in which it is cancelled.
    ///   - isRight: true if all that is proposed is right.
    func expectSameAfterCancelling(
        _ steps: some Sequence<Int>, isRight: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = start(SpeculationTests.request(.off))
        runToEnd()
        for count in steps {
            let running = start(SpeculationTests.request(.draft))
            for _ in 0..<count { core.step { false } }
            // A step that is stopped between its layers.
            core.step { true }
            running.task.cancel()
            runToEnd()
            let again = start(SpeculationTests.request(.draft), in: running.session)
            runToEnd()
            #expect(again.tokens == expected.tokens, "\(count)", sourceLocation: sourceLocation)
            guard isRight else { continue }
            let progress = try #require(again.result?.progress, sourceLocation: sourceLocation)
            #expect(
                progress.acceptedTokens == progress.draftedTokens && progress.acceptedTokens > 20, "\(count)",
                sourceLocation: sourceLocation)
        }
    }

    /// Expects the same output under a constraint with forced tokens in it, and where output ends anywhere.
    ///
    /// - Parameter small: an engine of the same kind with a context of 170 tokens.
    func expectSameUnderLimits(small: SteppedEngine, sourceLocation: SourceLocation = #_sourceLocation) {
        let (plain, checked) = pair { $0.makeConstraint = { SpeculationTests.Pattern() } }
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 50, sourceLocation: sourceLocation)
        for maxTokens in [1, 2, 3, 7, 12] {
            let (plain, checked) = pair { $0.maxTokens = maxTokens }
            #expect(plain.tokens == checked.tokens && plain.tokens.count == maxTokens, sourceLocation: sourceLocation)
        }
        let (whole, limited) = small.pair { $0.maxTokens = nil }
        #expect(whole.tokens == limited.tokens && whole.tokens.count == 21, sourceLocation: sourceLocation)
    }
}

extension GenerationRequest {
    /// Draws 40 tokens from the five likeliest, with a penalty on repetitions.
    mutating func sample(_ seed: UInt64) {
        sampling = SamplingValues()
        sampling.seed = seed
        sampling[.topK] = 5
        sampling[.repetitionPenalty] = 1.1
        maxTokens = 40
    }
}
