import LeapCompute

/// How many tokens of prompts go into one step, so that no step lasts much longer than it may.
///
/// While other generations wait for their next token, a step may last ``sharedTarget`` seconds, or twice as long as one without prompts, if
/// that is more: then half of the time is the prompts'. While none waits, a step may last ``aloneTarget``, or ``sharedTarget`` if that is
/// more, so that a prompt that comes now waits that long at most. How many tokens that is, is learnt from the steps before: a step takes a
/// time of its own, for the weights that are read, and a time for each token, so a step that was too long by a factor makes the next one
/// smaller by that factor, until they meet. What is generated does not depend on it.
struct StepBudget {
    /// How many seconds a step may last while generations wait for their next token; see ``EngineOptions/sharedStepSeconds``.
    let sharedTarget: Double
    /// How long a step may last while none does.
    static let aloneTarget = 0.500

    /// The fewest tokens of a step that is shared: fewer would cost a prompt more than they give the others.
    static let minShared = 8
    /// The fewest of a step that is not; the weights are then read no more often than it costs some percent.
    static let minAlone = 128
    /// Rows that kernels compute together where there are few.
    static let rowUnit = 8
    /// What is assumed before anything was measured.
    private static let firstShared = 32

    /// The maximum number of tokens of a step.
    let limit: Int
    private var shared: Double
    private var alone: Double
    /// How long steps without prompts take, an average that follows the latest ones.
    private var decodeSeconds = 0.0

    /// Nothing measured yet.
    init(limit: Int, sharedTarget: Double = EngineOptions().sharedStepSeconds) {
        self.limit = limit
        self.sharedTarget = sharedTarget
        shared = Double(min(Self.firstShared, limit))
        alone = Double(limit)
    }

    /// Tokens of prompts for a step of their own.
    ///
    /// - Parameter isShared: whether generations wait for their next token meanwhile.
    func tokens(isShared: Bool) -> Int { max(1, min(limit, Int(isShared ? shared : alone))) }

    /// Tokens of prompts for a step that has rows of generations too.
    ///
    /// Kernels compute ``rowUnit`` rows at a time, so nine rows take nearly as long as sixteen: all rows together are a multiple of it.
    func tokens(besides decodingRows: Int) -> Int {
        let count = tokens(isShared: decodingRows > 0)
        let rows = decodingRows + count
        guard decodingRows > 0, rows > Self.rowUnit else { return count }
        return max(1, count - rows % Self.rowUnit)
    }

    /// Takes note of a step.
    ///
    /// - Parameters:
    ///   - promptTokens: those of prompts in it.
    ///   - isFilled: whether there would have been more of them.
    ///   - isShared: whether it had tokens of generations that decode.
    ///   - seconds: how long it took.
    mutating func note(promptTokens: Int, isFilled: Bool, isShared: Bool, seconds: Double) {
        guard seconds > 0 else { return }
        guard promptTokens > 0 else {
            decodeSeconds += (seconds - decodeSeconds) * (decodeSeconds == 0 ? 1 : 0.1)
            return
        }
        if isShared {
            let target = max(sharedTarget, 2 * decodeSeconds)
            Self.adjust(&shared, isFilled, by: target / seconds, Self.minShared, limit)
        } else {
            Self.adjust(
                &alone, isFilled, by: max(Self.aloneTarget, sharedTarget) / seconds, Self.minAlone, limit)
            // The first shared step knows from it how fast this machine is.
            if promptTokens >= Self.minAlone {
                let guess = Double(promptTokens) * sharedTarget / seconds
                shared = min(shared, max(guess, Double(min(Self.minShared, limit))))
            }
        }
    }

    /// Brings a number of tokens nearer to what fits into the target.
    private static func adjust(_ tokens: inout Double, _ isFilled: Bool, by factor: Double, _ least: Int, _ limit: Int)
    {
        // The end of a prompt that took less than allowed tells nothing of larger steps.
        guard factor < 1 || isFilled else { return }
        // One step that the system held up must not cost many others; one that was quick must not make the next one too long.
        let next = tokens * min(max(factor, 0.5), 1.25)
        tokens = min(max(next, Double(min(least, limit))), Double(limit))
    }
}
