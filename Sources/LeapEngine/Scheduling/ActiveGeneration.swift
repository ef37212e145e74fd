import LeapCompute
import LeapModel
import LeapTokenizer

/// A generation as the engine's thread runs it: which tokens go in next, and what becomes of the logits that come out.
final class ActiveGeneration {
    let task: GenerationTask
    let session: Session
    let state: SequenceState
    private let onEvent: @Sendable (GenerationEvent) -> Void
    let request: GenerationRequest
    private let contextSize: Int
    private let counters: EngineCounters
    /// What the counters have of this generation.
    private var counted = GenerationProgress()
    /// Logits of one position.
    let vocabularySize: Int
    /// The tokens that may be drawn where no constraint says less; nil for all.
    let sampleable: TokenMask?
    private(set) var sampler: Sampler
    private var constraint: (any TokenConstraint)?
    private var mask: TokenMask?
    /// Whether ``mask`` is that of the next token.
    private var isMaskNext = false
    private var result = GenerationResult(reason: .cancelled)

    /// Tokens behind the prompt: drawn, or forced by the constraint.
    ///
    /// The state holds those that are computed; the others go into the next pass.
    private(set) var generated: [TokenID] = []
    /// Proposes tokens; nil where nothing is proposed.
    private var lookup: PromptLookup?
    /// The prompt's pictures and sounds; nil where it has none.
    let media: PromptMedia?
    /// True if each picture has to be computed in one piece.
    private let needsWholePictures: Bool
    /// Whether a picture or sound of the prompt is being read, without which nothing can be computed.
    var waitsForMedia = false
    /// The output's speech; nil where it may have none.
    let speech: GeneratedSpeech?
    private let vectors: GenerationVectors?
    private var proposalLength = ProposalLength()
    /// What the draft model holds of the sequence; nil where it proposes nothing.
    let draft: DraftSequence?
    /// What it proposes for the next pass.
    private var drafted: [TokenID] = []
    /// What the next pass checks besides the tokens of the output.
    private var proposed: ArraySlice<TokenID> = []
    /// What the state holds behind the output, until its logits tell what of it is right.
    private var checked: ArraySlice<TokenID> = []
    private let startTime: ContinuousClock.Instant
    private var firstTokenTime: ContinuousClock.Instant?

    /// Starts from what the state holds of the prompt.
    init(
        _ request: GenerationRequest, task: GenerationTask, session: Session, state: SequenceState, model: Model,
        draft: DraftSequence? = nil, speech: GeneratedSpeech? = nil, contextSize: Int, counters: EngineCounters,
        startTime: ContinuousClock.Instant,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) {
        self.request = request
        self.task = task
        self.session = session
        self.state = state
        self.draft = draft
        self.contextSize = contextSize
        self.counters = counters
        self.onEvent = onEvent
        vocabularySize = model.vocabularySize
        sampleable = model.sampleableTokens
        sampler = Sampler(request.sampling, bias: request.logitBias)
        sampler.accept(prompt: request.prompt)
        constraint = request.makeConstraint?()
        if constraint != nil { mask = TokenMask(count: model.vocabularySize, allowed: false) }
        media =
            request.media.isEmpty
            ? nil
            : PromptMedia(
                request.media, prompt: request.prompt, length: model.embeddingLength,
                additionCount: model.layers.stack.additionCount)
        needsWholePictures = !request.media.isEmpty && model.layers.stack.needsWholePictures
        self.speech = speech
        vectors = GenerationVectors(prompt: media, output: speech, promptCount: request.prompt.count)
        if request.speculation == .lookup { lookup = PromptLookup(request.prompt) }
        result.cachedPromptTokens = state.count
        self.startTime = startTime
        counters.begin()
        task.markBegun()
        noteProgress()
    }

    /// Whether no token was drawn yet.
    var isPrefilling: Bool { generated.isEmpty }

    /// Whether a frame of speech comes next, rather than a token.
    var isSpeaking: Bool { speech?.isSpeaking ?? false }

    /// Whether the logits are to be read for likelihoods.
    var wantsLikelihoods: Bool { request.likelihoodAlternatives != nil }

    /// Tokens of the prompt that are not computed.
    var remainingPromptTokens: Int { request.prompt.count - state.count }

    /// The next tokens to compute, at most `budget` of those that are certain, or a whole picture where its positions see each other; behind
    /// them at most `proposals` that are proposed.
    func nextSegment(budget: Int, proposals: Int = 0) -> BatchSegment {
        let computed = state.count
        guard isPrefilling else {
            let pending =
                request.prompt.dropFirst(computed) + generated.dropFirst(max(computed - request.prompt.count, 0))
            guard pending.count <= budget else {
                (proposed, drafted) = ([], [])
                let count = pieceEnd(from: computed, budget: budget) - computed
                return BatchSegment(sequence: state, tokens: pending.prefix(count), wanted: .none, vectors: vectors)
            }
            proposed = isSpeaking ? [] : propose(proposals)
            if proposed.isEmpty { proposalLength.skip() }
            return BatchSegment(
                sequence: state, tokens: pending + proposed, wanted: .suffix(1 + proposed.count),
                output: isSpeaking ? .hidden : .logits, vectors: vectors)
        }
        let end = min(pieceEnd(from: computed, budget: budget), request.prompt.count)
        return BatchSegment(
            sequence: state, tokens: request.prompt[computed..<end],
            wanted: end == request.prompt.count ? .last : .none, output: isSpeaking ? .hidden : .logits,
            vectors: vectors)
    }

    private func pieceEnd(from start: Int, budget: Int) -> Int {
        guard needsWholePictures, let media else { return start + budget }
        return media.endKeepingPicturesWhole(from: start, to: start + budget)
    }

    /// The number of tokens that the output can still take behind the next one.
    var proposalRoom: Int {
        let room = contextSize - request.prompt.count - generated.count
        guard let maxTokens = request.maxTokens else { return room }
        return min(room, maxTokens - generated.count - 1)
    }

    /// Tokens that may come next, not more than the output can still take.
    private func propose(_ limit: Int) -> ArraySlice<TokenID> {
        if draft != nil {
            defer { drafted = [] }
            return drafted.prefix(max(0, min(limit, proposalRoom)))
        }
        return lookup?.proposal(min(limit, proposalLength.count, proposalRoom)) ?? []
    }

    /// Takes what the draft model proposes for the next pass.
    func take(proposal tokens: [TokenID]) { drafted = tokens }

    /// Takes note that a segment was computed.
    ///
    /// - Returns: whether the prompt is done with it.
    func advance() -> Bool {
        (checked, proposed) = (proposed, [])
        noteProgress()
        guard isPrefilling else { return false }
        onEvent(.prefill(done: state.count, total: request.prompt.count))
        return state.count == request.prompt.count
    }

    /// Takes note that a segment was not computed.
    func abandon() {
        proposed = []
        noteProgress()
    }

    /// Brings the figures up to date with the state, which may hold less than before where a pass was given up.
    func noteProgress() {
        session.update(tokenCount: state.count)
        let done = min(state.count, request.prompt.count)
        result.cachedPromptTokens = min(result.cachedPromptTokens, done)
        result.promptTokens = done - result.cachedPromptTokens
        publish()
    }

    private func publish() {
        task.update(result.progress)
        counters.add(result.progress, since: counted)
        counted = result.progress
    }

    /// Draws the next token, and those behind it as long as the state holds what comes.
    ///
    /// - Parameters:
    ///   - logits: those of the position before the next token, and of each that was proposed.
    ///   - normalizers: for each position the logarithm of the sum of the exponentials, where likelihoods are wanted.
    func draw(from logits: Rows, normalizers: [Float] = []) {
        if firstTokenTime == nil { firstTokenTime = .now }
        let certain = state.count - checked.count
        var row = 0
        while draw(
            from: logits.slice(row..<row + 1).values, normalizer: normalizers.isEmpty ? nil : normalizers[row]),
            !task.isCancelled, !isSpeaking
        {
            let next = request.prompt.count + generated.count - certain
            guard next <= checked.count, next == acceptedCount else { break }
            row = next
        }
        dropWrong()
        // A frame is written from the vector of the position before it, which is computed with the next pass.
        if isSpeaking, state.count == request.prompt.count + generated.count {
            state.truncate(to: state.count - 1)
            noteProgress()
        }
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
                        "no code of speech can be drawn: the decoder's output is not a number: the file may be damaged; download it again"
                    )
                ))
            return
        }
        speech.note(frame: frame, at: generated.count)
        let place = frame.place(decoder: decoder.identity)
        generated.append(place)
        result.completionTokens += 1
        publish()
        onEvent(
            .speech(
                SpeechPiece(
                    frame: frame, place: place, samples: frame.isEnd ? speech.endAudio() : speech.samples(spectra))))
        if let maxTokens = request.maxTokens, result.completionTokens >= maxTokens {
            finish(.maxTokens)
        } else {
            _ = checkContext()
        }
    }

    /// How many of the checked tokens are part of the output.
    private var acceptedCount: Int {
        let output = generated.dropFirst(state.count - checked.count - request.prompt.count)
        return zip(checked, output).prefix { $0 == $1 }.count
    }

    /// Takes what was proposed and did not come out of the state.
    private func dropWrong() {
        guard !checked.isEmpty else { return }
        let accepted = acceptedCount
        if let draft {
            draft.length.note(proposed: checked.count, accepted: accepted)
        } else {
            proposalLength.note(proposed: checked.count, accepted: accepted)
        }
        result.progress.draftedTokens += checked.count
        result.progress.acceptedTokens += accepted
        state.truncate(to: state.count - checked.count + accepted)
        checked = []
        noteProgress()
    }

    /// Draws one token, and takes those that must follow.
    ///
    /// - Returns: false if the generation ended, which it then has reported.
    private func draw(from logits: UnsafeMutableBufferPointer<Float>, normalizer: Float?) -> Bool {
        do {
            let allowed = try allowedTokens()
            noteBudget(UnsafeBufferPointer(logits), allowed)
            // The sampler changes the logits.
            let raw = normalizer == nil ? [] : Array(logits)
            // What is allowed is never nothing, so it is the numbers that are missing.
            guard let token = sampler.sample(logits: logits, allowed: allowed) else {
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
            // A forced token's likelihood takes the logits before it: it is then drawn like any other, from a mask with one token.
            guard !wantsLikelihoods else { return checkContext() }
            for token in constraint?.forcedTokens() ?? [] {
                guard try take(token) else { return false }
            }
            return checkContext()
        } catch {
            return finish(.failed(error))
        }
    }

    /// Whether a position is left for the latest token; otherwise that has ended it.
    private func checkContext() -> Bool {
        request.prompt.count + generated.count <= contextSize ? true : finish(.contextFull)
    }

    func allowedTokens() throws(EngineError) -> TokenMask? {
        let allowed = try constrainedTokens()
        guard result.completionTokens < request.minTokens, !request.stopTokens.isEmpty else { return allowed }
        var others = allowed ?? TokenMask(count: vocabularySize, allowed: true)
        for token in request.stopTokens { others[token] = false }
        return others.isEmpty ? allowed : others
    }

    private func constrainedTokens() throws(EngineError) -> TokenMask? {
        guard mask != nil else { return sampleable }
        guard !isMaskNext else { return mask }
        mask?.setAll(false)
        constraint?.computeMask(into: &mask!)
        if let sampleable { mask?.formIntersection(sampleable) }
        guard mask?.isEmpty == false else {
            throw EngineError(
                .constraintFailed,
                "the constraint allows no token of this model's vocabulary after \(result.completionTokens) tokens")
        }
        isMaskNext = true
        return mask
    }

    /// Takes note where the most likely token is excluded only because few tokens are left.
    private func noteBudget(_ logits: UnsafeBufferPointer<Float>, _ allowed: TokenMask?) {
        guard !result.wasBudgetLimited, var unlimited = constraint?.maskWithoutBudget else { return }
        if let sampleable { unlimited.formIntersection(sampleable) }
        let likeliest = LogitScan(logits: logits, allowed: unlimited).maximum()?.token
        result.wasBudgetLimited = likeliest != LogitScan(logits: logits, allowed: allowed).maximum()?.token
    }

    /// Makes a token part of the output; false if that, or the token itself, ended it.
    private func take(_ token: TokenID) throws -> Bool {
        if request.stopTokens.contains(token) {
            result.stopToken = token
            return finish(.stopToken)
        }
        isMaskNext = false
        try constraint?.accept(token)
        sampler.accept(token)
        speech?.note(token: token)
        lookup?.append(token)
        draft?.length.noteToken()
        generated.append(token)
        result.completionTokens += 1
        publish()
        onEvent(.token(token))
        if constraint?.isComplete == true { return finish(.constraintComplete) }
        if let maxTokens = request.maxTokens, result.completionTokens >= maxTokens { return finish(.maxTokens) }
        return true
    }

    /// Reports the end; always false.
    @discardableResult
    func finish(_ reason: GenerationResult.Reason) -> Bool {
        guard !task.isFinished else { return false }
        dropWrong()
        if let rest = speech?.endAudio(), !rest.isEmpty {
            onEvent(.speech(SpeechPiece(frame: nil, place: 0, samples: rest)))
        }
        result.reason = reason
        if wantsLikelihoods { result.likelihoods = task.likelihoods }
        let now = ContinuousClock.now
        result.prefillSeconds = ((firstTokenTime ?? now) - startTime).seconds
        result.decodeSeconds = (now - (firstTokenTime ?? now)).seconds
        let decoded = state.count - request.prompt.count
        if decoded > 0, result.decodeSeconds > 0 { result.tokensPerSecond = Double(decoded) / result.decodeSeconds }
        noteProgress()
        task.markFinished()
        counters.end()
        onEvent(.finished(result))
        return false
    }
}
