import LeapChat
import LeapEngine

/// The statistics of a turn, also of one that ends before the engine does.
struct TurnFigures: Sendable {
    private var completionTokens = 0
    private var firstToken: ContinuousClock.Instant?
    private var lastToken: ContinuousClock.Instant?

    mutating func generated() {
        completionTokens += 1
        let now = ContinuousClock.now
        if firstToken == nil { firstToken = now }
        lastToken = now
    }

    /// The engine's figures: those of its result, else those of the moment; nil where nothing was computed.
    ///
    /// The completion's tokens are those of the reply, as the engine may be one token further by then.
    ///
    /// - Parameter hasCache: whether a cache was asked for; only then are tokens that were taken over also cached ones.
    func stats(_ result: GenerationResult?, progress: GenerationProgress?, hasCache: Bool) -> GenerationStats? {
        func stats(_ progress: GenerationProgress, _ completionTokens: Int, _ speed: Float) -> GenerationStats {
            let (computed, reused) = (Int64(progress.promptTokens), Int64(progress.cachedPromptTokens))
            var stats = GenerationStats(
                promptTokens: hasCache ? computed : computed + reused, completionTokens: Int64(completionTokens),
                tokenPerSecond: speed, cachedPromptTokens: hasCache ? reused : 0, reusedPromptTokens: reused)
            stats.thinkingTokens = Int64(min(progress.reasoningTokens, completionTokens))
            stats.wasThinkingCut = progress.wasReasoningCut
            return stats
        }
        if let result { return stats(result.progress, result.completionTokens, Float(result.tokensPerSecond)) }
        guard let progress, progress != GenerationProgress() else { return nil }
        var speed: Float = 0
        if let firstToken, let lastToken, completionTokens > 1 {
            let seconds = (lastToken - firstToken) / .seconds(1)
            if seconds > 0 { speed = Float(Double(completionTokens - 1) / seconds) }
        }
        return stats(progress, completionTokens, speed)
    }
}
