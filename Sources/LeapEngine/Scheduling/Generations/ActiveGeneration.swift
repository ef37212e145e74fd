import LeapCompute
import LeapModel
import LeapTokenizer

/// A generation as the engine's thread runs it: which tokens go in next, and what becomes of the logits that come out.
final class ActiveGeneration {
    let request: GenerationRequest
    let session: Session
    let state: SequenceState
    /// The prompt's pictures and sounds; nil where it has none.
    let media: PromptMedia?
    /// True while a picture or sound of the prompt is being read, without which nothing can be computed.
    var waitsForMedia = false
    /// The output's speech; nil where it may have none.
    let speech: GeneratedSpeech?
    /// Tokens behind the prompt: drawn, or forced by the constraint.
    ///
    /// The state holds those that are computed; the others go into the next pass.
    private(set) var generated: [TokenID] = []
    private(set) var sampler: Sampler
    private let contextSize: Int
    private let vectors: GenerationVectors?
    private let report: GenerationReport
    private var next: NextTokens
    /// The output before an interruption, until the rules of the output have taken it.
    private var replay: ArraySlice<TokenID>
    private var proposals: CheckedProposals

    /// Starts from what the state holds of the prompt.
    init(
        _ waiting: WaitingGeneration, state: SequenceState, vocabulary: OutputVocabulary, media: PromptMedia? = nil,
        draft: DraftSequence? = nil, speech: GeneratedSpeech? = nil, contextSize: Int, counters: EngineCounters
    ) {
        request = waiting.request
        session = waiting.session
        self.state = state
        self.media = media
        self.speech = speech
        self.contextSize = contextSize
        sampler = Sampler(request.sampling, bias: request.logitBias)
        replay = request.prompt.suffix(request.resumption?.tokenCount ?? 0)
        sampler.accept(prompt: Array(request.prompt.dropLast(replay.count)))
        for token in replay { sampler.accept(token) }
        sampler.skip(draws: request.resumption?.drawCount ?? 0)
        next = NextTokens(request, vocabulary)
        proposals = CheckedProposals(request, draft: draft)
        vectors = GenerationVectors(prompt: media, output: speech, promptCount: request.prompt.count)
        report = GenerationReport(waiting, counters: counters, cachedPromptTokens: state.count)
        noteProgress()
    }

    /// The generation as its caller holds it.
    var task: GenerationTask { report.task }

    /// The draft model's sequence; nil where it proposes nothing.
    var draft: DraftSequence? { proposals.draft }

    /// The tokens that the output can hold.
    var vocabulary: OutputVocabulary { next.vocabulary }

    /// True if no token was drawn yet.
    var isPrefilling: Bool { generated.isEmpty }

    /// True if a frame of speech comes next, rather than a token.
    var isSpeaking: Bool { speech?.isSpeaking ?? false }

    /// True if the logits are to be read for likelihoods.
    var wantsLikelihoods: Bool { request.likelihoodAlternatives != nil }

    /// The number of tokens of the prompt that are not computed.
    var remainingPromptTokens: Int { request.prompt.count - state.count }

    /// The number of the output's tokens, those before an interruption included.
    private var outputCount: Int { (request.resumption?.tokenCount ?? 0) + generated.count }

    /// The number of tokens that the output can still take behind the next one.
    var proposalRoom: Int {
        let room = contextSize - request.prompt.count - generated.count
        guard let maxTokens = request.maxTokens else { return room }
        return min(room, maxTokens - outputCount - 1)
    }

    // MARK: Passes

    /// Returns the next tokens to compute, at most `budget` of those that are certain, or a whole picture where its
    /// positions see each other; behind them at most `proposals` that are proposed.
    func nextSegment(budget: Int, proposals limit: Int = 0) -> BatchSegment {
        let computed = state.count
        guard isPrefilling else {
            let pending =
                request.prompt.dropFirst(computed) + generated.dropFirst(max(computed - request.prompt.count, 0))
            guard pending.count <= budget else {
                proposals.forget()
                return BatchSegment(
                    sequence: state, tokens: pending.prefix(pieceEnd(from: computed, budget: budget) - computed),
                    wanted: .none, vectors: vectors)
            }
            guard !isSpeaking else {
                proposals.chooseNone()
                return BatchSegment(
                    sequence: state, tokens: pending, wanted: .suffix(1), output: .hidden, vectors: vectors)
            }
            let proposed = proposals.choose(limit: limit, room: proposalRoom)
            var segment = BatchSegment(
                sequence: state, tokens: pending + proposed, wanted: .suffix(1 + proposed.count), vectors: vectors)
            segment.proposalCount = proposed.count
            return segment
        }
        let end = min(pieceEnd(from: computed, budget: budget), request.prompt.count)
        var segment = BatchSegment(
            sequence: state, tokens: request.prompt[computed..<end],
            wanted: end == request.prompt.count ? .last : .none, output: isSpeaking ? .hidden : .logits,
            vectors: vectors)
        segment.isPrompt = true
        return segment
    }

    private func pieceEnd(from start: Int, budget: Int) -> Int {
        media?.pieceEnd(from: start, to: start + budget) ?? start + budget
    }

    /// Takes the draft model's proposal for the next pass.
    func take(proposal tokens: [TokenID]) { proposals.take(drafted: tokens) }

    /// Takes note that a segment was computed.
    ///
    /// - Returns: true if the prompt is done with it.
    func advance() -> Bool {
        proposals.advance()
        noteProgress()
        guard isPrefilling else { return false }
        report.send(.prefill(done: state.count, total: request.prompt.count))
        return state.count == request.prompt.count
    }

    /// Takes note that a segment was not computed.
    func abandon() {
        proposals.abandon()
        noteProgress()
    }

    /// Brings the figures up to date with the state, which may hold less than before where a pass was given up.
    private func noteProgress() {
        session.update(tokenCount: state.count)
        report.note(computedPromptTokens: min(state.count, request.prompt.count))
    }

    // MARK: Output

    /// Draws the next token, and those behind it as long as the state holds what comes.
    ///
    /// - Parameters:
    ///   - logits: those of the position before the next token, and of each that was proposed.
    ///   - normalizers: for each position the logarithm of the sum of the exponentials, where likelihoods are wanted.
    func draw(from logits: Rows, normalizers: [Float] = []) {
        report.noteDrawing()
        let certain = state.count - proposals.checkedCount
        var row = 0
        while draw(
            from: logits.slice(row..<row + 1).values, normalizer: normalizers.isEmpty ? nil : normalizers[row]),
            !task.isCancelled, !isSpeaking
        {
            let following = request.prompt.count + generated.count - certain
            guard following <= proposals.checkedCount, following == proposals.acceptedCount(of: checkedOutput)
            else { break }
            row = following
        }
        dropWrong()
        // A frame is written from the vector of the position before it, which is computed with the next pass.
        if isSpeaking, state.count == request.prompt.count + generated.count {
            state.truncate(to: state.count - 1)
            noteProgress()
        }
    }

    /// The tokens of the output from the place of the first checked one on.
    private var checkedOutput: ArraySlice<TokenID> {
        generated.dropFirst(state.count - proposals.checkedCount - request.prompt.count)
    }

    /// Takes what was proposed and did not come out of the state.
    private func dropWrong() {
        guard proposals.checkedCount > 0 else { return }
        let (checked, accepted) = proposals.settle(by: checkedOutput)
        report.noteProposals(checked: checked, accepted: accepted)
        state.truncate(to: state.count - checked + accepted)
        noteProgress()
    }

    /// Draws one token, and takes those that must follow.
    ///
    /// - Returns: false if the generation ended, which it then has reported.
    private func draw(from logits: UnsafeMutableBufferPointer<Float>, normalizer: Float?) -> Bool {
        do {
            try replayOutput()
            if task.takeEndOfReasoning() { next.endReasoning() }
            let allowed = try next.allowed(behind: outputCount)
            if !report.wasBudgetLimited, next.isBudgetLimited(UnsafeBufferPointer(logits), allowed) {
                report.noteBudgetLimit()
            }
            // The sampler changes the logits.
            let raw = normalizer == nil ? [] : Array(logits)
            next.raiseStems(logits, allowed)
            // What is allowed is never nothing, so it is the numbers that are missing.
            guard let token = next.demanded ?? sampler.sample(logits: logits, allowed: allowed) else {
                throw EngineError.outputIsNaN
            }
            if let normalizer {
                raw.withUnsafeBufferPointer {
                    task.append(
                        TokenLikelihood(
                            token, logits: $0, normalizer: normalizer, alternatives: request.likelihoodAlternatives ?? 0
                        ))
                }
            }
            guard try take(token) else { return false }
            // A forced token's likelihood takes the logits before it: it is then drawn like any other, from a mask with
            // one token.
            guard !wantsLikelihoods else { return checkContext() }
            for token in next.forced() {
                guard try take(token) else { return false }
            }
            return checkContext()
        } catch {
            return finish(.failed(error))
        }
    }

    /// Moves the rules of the output past what came before an interruption.
    private func replayOutput() throws {
        for token in replay { try next.accept(token) }
        replay = []
    }

    /// Makes a token part of the output; false if that, or the token itself, ended it.
    private func take(_ token: TokenID) throws -> Bool {
        if next.isStop(token) {
            report.note(stopToken: token)
            return finish(.stopToken)
        }
        try next.accept(token)
        sampler.accept(token)
        speech?.note(token: token)
        proposals.note(token)
        generated.append(token)
        if let reasoning = next.reasoning { report.note(reasoning) }
        report.noteOutput()
        report.send(.token(token))
        if next.isComplete { return finish(.constraintComplete) }
        if let maxTokens = request.maxTokens, outputCount >= maxTokens { return finish(.maxTokens) }
        return true
    }

    /// Makes a frame of speech part of the output.
    ///
    /// - Parameters:
    ///   - frame: nil where none could be drawn, which ends the generation.
    ///   - spectra: those of its sound; none for the end of speech.
    func take(_ frame: SpeechFrame?, spectra: [Float], decoder: SpeechDecoder) {
        guard let speech else { return }
        guard let frame else {
            finish(
                .failed(
                    EngineError(
                        .invalidTensor,
                        "no speech code can be sampled, as the decoder's output is not a number: the file may be damaged; download it again"
                    )
                ))
            return
        }
        report.noteDrawing()
        speech.note(frame: frame, at: generated.count)
        let place = frame.place(decoder: decoder.identity)
        generated.append(place)
        report.noteOutput()
        report.send(
            .speech(
                SpeechPiece(
                    frame: frame, place: place, samples: frame.isEnd ? speech.endAudio() : speech.samples(spectra))))
        if let maxTokens = request.maxTokens, outputCount >= maxTokens {
            finish(.maxTokens)
        } else {
            _ = checkContext()
        }
    }

    /// Ends the generation where no position is left for the latest token; false if so.
    private func checkContext() -> Bool {
        request.prompt.count + generated.count <= contextSize ? true : finish(.contextFull)
    }

    /// True if the next token is not drawn.
    var demandsToken: Bool { next.demanded != nil }

    /// Returns how many of some tokens, one behind the other, the output's rules let come as far as that is known.
    func allowedCount(of tokens: [TokenID]) -> Int { next.allowedCount(of: tokens) }

    /// Returns the tokens that the next one may be; nil for all, also where it is known that there is none, which
    /// drawing reports.
    func nextMask() -> TokenMask? { (try? next.allowed(behind: outputCount)) ?? vocabulary.sampleable }

    /// Reports the end; always false.
    @discardableResult
    func finish(_ reason: GenerationResult.Reason) -> Bool {
        guard !task.isFinished else { return false }
        dropWrong()
        if let rest = speech?.endAudio(), !rest.isEmpty {
            report.send(.speech(SpeechPiece(frame: nil, place: 0, samples: rest)))
        }
        report.note(drawCount: sampler.drawCount)
        report.close(
            reason, decoded: state.count - request.prompt.count,
            likelihoods: wantsLikelihoods ? task.likelihoods : [])
        noteProgress()
        report.finish()
        return false
    }
}
