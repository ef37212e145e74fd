import LeapTokenizer

/// A generation as the engine's thread runs it: which tokens go in next, and what becomes of the logits that come out.
final class ActiveGeneration {
    let task: GenerationTask
    let session: Session
    let state: SequenceState
    private let onEvent: @Sendable (GenerationEvent) -> Void
    private let request: GenerationRequest
    private let contextSize: Int
    private let sampleable: TokenMask?
    private var sampler: Sampler
    private var constraint: (any TokenConstraint)?
    private var mask: TokenMask?
    private var result = GenerationResult(reason: .cancelled)

    /// Tokens of the prompt that are computed or restored.
    private var promptDone: Int
    /// Tokens generated but not computed yet: the latest, and those that the constraint forced after it.
    private var pending: [TokenID] = []
    /// Tokens computed after the prompt.
    private var decodedTokens = 0
    private let startTime: ContinuousClock.Instant
    private var firstTokenTime: ContinuousClock.Instant?

    /// Starts from what the state holds of the prompt.
    init(
        _ request: GenerationRequest, task: GenerationTask, session: Session, state: SequenceState, model: Model,
        contextSize: Int, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) {
        self.request = request
        self.task = task
        self.session = session
        self.state = state
        self.contextSize = contextSize
        self.onEvent = onEvent
        sampleable = model.sampleableTokens
        sampler = Sampler(options: request.sampling)
        sampler.accept(prompt: request.prompt)
        constraint = request.constraint
        if constraint != nil { mask = TokenMask(count: model.vocabularySize, allowed: false) }
        promptDone = state.count
        result.cachedPromptTokens = state.count
        startTime = .now
    }

    /// Whether the prompt is not computed to its end yet.
    var isPrefilling: Bool { promptDone < request.prompt.count }

    /// The next tokens to compute, of a prompt at most `budget`.
    func nextSegment(budget: Int) -> BatchSegment {
        guard isPrefilling else { return BatchSegment(sequence: state, tokens: pending[...], wanted: .last) }
        let end = min(promptDone + budget, request.prompt.count)
        return BatchSegment(
            sequence: state, tokens: request.prompt[promptDone..<end],
            wanted: end == request.prompt.count ? .last : .none)
    }

    /// Takes note that a segment was computed.
    ///
    /// - Returns: whether the prompt is done with it.
    func advance(by count: Int) -> Bool {
        session.update(tokenCount: state.count)
        guard isPrefilling else {
            decodedTokens += count
            return false
        }
        promptDone += count
        result.promptTokens += count
        onEvent(.prefill(done: promptDone, total: request.prompt.count))
        return !isPrefilling
    }

    /// Takes note that a pass was given up: the state may hold less than before.
    func rewind() {
        session.update(tokenCount: state.count)
        if isPrefilling { promptDone = state.count }
    }

    /// Draws the next token, and takes those that must follow.
    ///
    /// - Returns: false if the generation ended, which it then has reported.
    func draw(from logits: UnsafeMutableBufferPointer<Float>) -> Bool {
        if firstTokenTime == nil { firstTokenTime = .now }
        do {
            let allowed = try allowedTokens()
            noteHurry(UnsafeBufferPointer(logits), allowed)
            guard let token = sampler.sample(logits: logits, allowed: allowed) else {
                throw EngineError(
                    .constraintFailed,
                    "no token can be drawn: the model's output is not a number; the file may be damaged")
            }
            pending.removeAll(keepingCapacity: true)
            guard try take(token) else { return false }
            for token in constraint?.forcedTokens() ?? [] {
                guard try take(token) else { return false }
            }
            guard state.count + pending.count <= contextSize else { return finish(.contextFull) }
            return true
        } catch {
            return finish(.failed(error))
        }
    }

    private func allowedTokens() throws(EngineError) -> TokenMask? {
        guard mask != nil else { return sampleable }
        mask?.setAll(false)
        constraint?.computeMask(into: &mask!)
        if let sampleable { mask?.formIntersection(sampleable) }
        guard mask?.isEmpty == false else {
            throw EngineError(
                .constraintFailed,
                "the constraint allows no token of this model's vocabulary after \(result.completionTokens) tokens")
        }
        return mask
    }

    /// Takes note where the token that the model wants most is left out only because few are left.
    private func noteHurry(_ logits: UnsafeBufferPointer<Float>, _ allowed: TokenMask?) {
        guard !result.wasHurried, var unhurried = constraint?.unhurriedMask else { return }
        if let sampleable { unhurried.formIntersection(sampleable) }
        let wanted = LogitScan(logits: logits, allowed: unhurried).maximum()?.token
        result.wasHurried = wanted != LogitScan(logits: logits, allowed: allowed).maximum()?.token
    }

    /// Makes a token part of the text; false if that, or the token itself, ended it.
    private func take(_ token: TokenID) throws -> Bool {
        if request.stopTokens.contains(token) {
            result.stopToken = token
            return finish(.stopToken)
        }
        try constraint?.accept(token)
        sampler.accept(token)
        pending.append(token)
        result.completionTokens += 1
        onEvent(.token(token))
        if constraint?.isComplete == true { return finish(.constraintComplete) }
        if let most = request.maxTokens, result.completionTokens >= most { return finish(.maxTokens) }
        return true
    }

    /// Reports the end; always false.
    @discardableResult
    func finish(_ reason: GenerationResult.Reason) -> Bool {
        guard !task.isFinished else { return false }
        result.reason = reason
        let now = ContinuousClock.now
        result.prefillSeconds = ((firstTokenTime ?? now) - startTime).seconds
        result.decodeSeconds = (now - (firstTokenTime ?? now)).seconds
        if decodedTokens > 0, result.decodeSeconds > 0 {
            result.tokensPerSecond = Double(decodedTokens) / result.decodeSeconds
        }
        session.update(tokenCount: state.count)
        task.markFinished()
        onEvent(.finished(result))
        return false
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
