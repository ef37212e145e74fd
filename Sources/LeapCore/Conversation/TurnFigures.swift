import LeapEngine

/// Counts what a turn costs, for turns that end before the engine says so.
struct TurnFigures: Sendable {
    private var promptTokens = 0
    private var promptDone = 0
    private var completionTokens = 0
    private var firstToken: ContinuousClock.Instant?
    private var lastToken: ContinuousClock.Instant?
    private var hasStarted = false

    mutating func start(prompt: Int) {
        promptTokens = prompt
        hasStarted = true
    }

    mutating func prefilled(done: Int, total: Int) {
        promptDone = done
    }

    mutating func generated() {
        completionTokens += 1
        let now = ContinuousClock.now
        if firstToken == nil { firstToken = now }
        lastToken = now
    }

    /// The engine's figures, or what was counted here; nil where nothing was computed.
    func stats(_ result: GenerationResult?) -> GenerationStats? {
        if let result {
            return GenerationStats(
                promptTokens: Int64(result.promptTokens), completionTokens: Int64(result.completionTokens),
                tokenPerSecond: Float(result.tokensPerSecond), cachedPromptTokens: Int64(result.cachedPromptTokens))
        }
        guard hasStarted else { return nil }
        var speed: Float = 0
        if let firstToken, let lastToken, completionTokens > 1 {
            let seconds = (lastToken - firstToken) / .seconds(1)
            if seconds > 0 { speed = Float(Double(completionTokens - 1) / seconds) }
        }
        return GenerationStats(
            promptTokens: Int64(promptDone), completionTokens: Int64(completionTokens), tokenPerSecond: speed)
    }
}
