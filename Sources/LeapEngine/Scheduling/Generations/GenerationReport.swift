import LeapBase
import LeapModel
import LeapTokenizer

/// The figures of one generation as its caller, its events and the engine's counters tell them.
final class GenerationReport {
    /// The generation as its caller holds it.
    let task: GenerationTask
    private let onEvent: @Sendable (GenerationEvent) -> Void
    private let counters: EngineCounters
    private let startTime: ContinuousClock.Instant
    private var firstTokenTime: ContinuousClock.Instant?
    private var result = GenerationResult(reason: .cancelled)
    /// The part of the figures that the counters have.
    private var counted = GenerationProgress()

    /// Counts a generation that begins.
    ///
    /// - Parameter cachedPromptTokens: the tokens of its prompt whose state was there already.
    init(_ waiting: WaitingGeneration, counters: EngineCounters, cachedPromptTokens: Int) {
        task = waiting.task
        onEvent = waiting.onEvent
        startTime = waiting.startTime
        self.counters = counters
        result.cachedPromptTokens = cachedPromptTokens
        counters.begin()
        task.markBegun()
    }

    /// True if the constraint excluded the most likely token at some point because too few tokens were left.
    var wasBudgetLimited: Bool { result.wasBudgetLimited }

    /// Reports an event that is not the end.
    func send(_ event: GenerationEvent) { onEvent(event) }

    /// Brings the figures up to date with the tokens of the prompt that the state holds, which may be fewer than
    /// before.
    func note(computedPromptTokens done: Int) {
        result.cachedPromptTokens = min(result.cachedPromptTokens, done)
        result.promptTokens = done - result.cachedPromptTokens
        publish()
    }

    /// Takes the time of the first token, the first time that it is called.
    func noteDrawing() {
        if firstTokenTime == nil { firstTokenTime = .now }
    }

    /// Counts a token or a frame of the output.
    func noteOutput() {
        result.completionTokens += 1
        publish()
    }

    /// Notes the thoughts of the output; they are published with its next token.
    func note(_ reasoning: ReasoningCount) {
        result.progress.reasoningTokens = reasoning.tokens
        result.progress.wasReasoningCut = reasoning.wasCut
    }

    /// Counts proposals; they are published with what the state then holds.
    func noteProposals(checked: Int, accepted: Int) {
        result.progress.note(checked: checked, accepted: accepted)
    }

    /// Notes that few tokens left had a say in a token.
    func noteBudgetLimit() { result.wasBudgetLimited = true }

    /// Notes the token that ends the output.
    func note(stopToken: TokenID) { result.stopToken = stopToken }

    /// Notes the random numbers that were taken.
    func note(drawCount: Int) { result.drawCount = drawCount }

    /// Sets why the generation ends, and how long it took.
    ///
    /// - Parameters:
    ///   - decoded: the tokens that were computed behind the prompt.
    ///   - likelihoods: those of the output's tokens, where they were asked for.
    func close(_ reason: GenerationResult.Reason, decoded: Int, likelihoods: [TokenLikelihood]) {
        result.reason = reason
        result.likelihoods = likelihoods
        let now = ContinuousClock.now
        result.prefillSeconds = ((firstTokenTime ?? now) - startTime).seconds
        result.decodeSeconds = (now - (firstTokenTime ?? now)).seconds
        if decoded > 0, result.decodeSeconds > 0 { result.tokensPerSecond = Double(decoded) / result.decodeSeconds }
    }

    /// Reports the end; nothing may follow.
    func finish() {
        task.markFinished()
        counters.end()
        onEvent(.finished(result))
    }

    private func publish() {
        task.update(result.progress)
        counters.add(result.progress, since: counted)
        counted = result.progress
    }
}
