import LeapCompute

/// The number of tokens of prompts in one step, so that no step lasts much longer than it may.
///
/// While other generations wait for their next token, a step may last ``sharedTarget`` seconds, or half as long again
/// as one that has the same generations and no prompts, if that is more: then a third of the time is the prompts'.
/// While none waits, a step may last ``aloneTarget``, or ``sharedTarget`` if that is more, so that a prompt that comes
/// now waits that long at most. How many tokens that is, is learnt from the steps before: a step takes a time of its
/// own, for the weights that are read, and a time for each token. What a shared step took longer than one without
/// prompts is the cost of its prompt tokens; a step without generations that was too long by a factor makes the next
/// one smaller by that factor, until they meet. What is generated does not depend on it.
struct StepBudget {
    /// The maximum number of seconds of a step while generations wait for their next token; see
    /// ``EngineOptions/sharedStepSeconds``.
    let sharedTarget: Double
    /// The maximum number of seconds of a step while none does.
    static let aloneTarget = 0.500

    /// The fewest tokens of a step that is shared: fewer would cost a prompt more than they give the others.
    static let minShared = 8
    /// The fewest of a step that is not; the weights are then read no more often than it costs some percent.
    static let minAlone = 128
    /// Rows that kernels compute together where there are few.
    static let rowUnit = 8
    /// The number of tokens that is assumed before anything was measured.
    private static let firstShared = 16

    /// The maximum number of tokens of a step.
    let limit: Int
    private var shared: Double
    private var alone: Double
    /// The seconds of steps without prompts, an average that follows the latest ones, by the units of rows in them; 0
    /// where none was seen.
    ///
    /// A step of many generations takes longer than one of few: what was learnt from the one says nothing of what the
    /// other may take.
    private var decodeSeconds: [Double] = []
    /// Units that are told apart; steps of more rows count as the last.
    private static let maxUnits = 64

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
    /// Kernels compute ``rowUnit`` rows at a time, so nine rows take nearly as long as sixteen: all rows together are a
    /// multiple of it.
    func tokens(besides decodingRows: Int) -> Int {
        let count = tokens(isShared: decodingRows > 0)
        let rows = decodingRows + count
        guard decodingRows > 0, rows > Self.rowUnit else { return count }
        return max(1, count - rows % Self.rowUnit)
    }

    /// Returns the maximum number of seconds of a step that has prompts besides so many rows of generations, at least
    /// 1.
    func sharedSeconds(besides decodingRows: Int) -> Double { max(sharedTarget, 1.5 * decodeSeconds(decodingRows)) }

    /// Returns the seconds of a step of so many rows without prompts, as seen of them, or of fewer; 0 where nothing
    /// was.
    private func decodeSeconds(_ rows: Int) -> Double {
        decodeSeconds.prefix(Self.unit(of: rows) + 1).last { $0 > 0 } ?? 0
    }

    /// The units of rows that kernels compute; a single row is read by others.
    private static func unit(of rows: Int) -> Int { rows <= 1 ? 0 : min((rows + rowUnit - 1) / rowUnit, maxUnits) }

    /// Takes note of a step.
    ///
    /// - Parameters:
    ///   - promptTokens: those of prompts in it.
    ///   - isFilled: whether there would have been more of them.
    ///   - decodingRows: its tokens of generations that decode.
    ///   - seconds: how long it took.
    mutating func note(promptTokens: Int, isFilled: Bool, decodingRows: Int, seconds: Double) {
        guard seconds > 0 else { return }
        guard promptTokens > 0 else {
            let unit = Self.unit(of: decodingRows)
            while decodeSeconds.count <= unit { decodeSeconds.append(0) }
            decodeSeconds[unit] += (seconds - decodeSeconds[unit]) * (decodeSeconds[unit] == 0 ? 1 : 0.1)
            return
        }
        if decodingRows > 0 {
            adjustShared(promptTokens, isFilled, decodingRows: decodingRows, seconds: seconds)
        } else {
            Self.adjust(
                &alone, isFilled, by: max(Self.aloneTarget, sharedTarget) / seconds, Self.minAlone, limit)
            // The first shared step knows from it how fast this machine is.
            if promptTokens >= Self.minAlone {
                let guess = Double(promptTokens) * max(sharedTarget - decodeSeconds(1), 0) / seconds
                shared = min(shared, max(guess, Double(min(Self.minShared, limit))))
            }
        }
    }

    /// Brings the tokens of shared steps nearer to what fits, by what each cost in a step besides its generations.
    private mutating func adjustShared(_ tokens: Int, _ isFilled: Bool, decodingRows: Int, seconds: Double) {
        let (used, alone) = (Double(tokens), decodeSeconds(decodingRows))
        let each = max(seconds - alone, 1e-9) / used
        let fitting = (sharedSeconds(besides: decodingRows) - alone) / each
        // The end of a prompt that took less than allowed tells nothing of larger steps.
        guard fitting < used || isFilled else { return }
        // One step that the system held up must not cost many others; one that was quick must not make the next one too
        // long.
        let next = min(max(fitting, used / 2), max(used * 1.25, used + Double(Self.rowUnit)))
        shared = min(max(next, Double(min(Self.minShared, limit))), Double(limit))
    }

    /// Brings a number of tokens nearer to what fits into the target.
    private static func adjust(_ tokens: inout Double, _ isFilled: Bool, by factor: Double, _ least: Int, _ limit: Int)
    {
        // The end of a prompt that took less than allowed tells nothing of larger steps.
        guard factor < 1 || isFilled else { return }
        // One step that the system held up must not cost many others; one that was quick must not make the next one too
        // long.
        let next = tokens * min(max(factor, 0.5), 1.25)
        tokens = min(max(next, Double(min(least, limit))), Double(limit))
    }
}
