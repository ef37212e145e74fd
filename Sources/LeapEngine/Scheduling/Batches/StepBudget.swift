import LeapCompute

/// The number of tokens of prompts in one step, so that no step lasts much longer than it may.
///
/// While other generations wait for their next token, a step with one prompt may last ``sharedTarget`` seconds, or
/// ``SchedulingPolicy/sharedStepFactor`` times as long as one that has the same generations and no prompts, if that is
/// more. With more prompts it may last longer, as ``SchedulingPolicy/patience(waiting:)`` says.
/// While none waits, a step may last ``aloneTarget``, or ``sharedTarget`` if that is more, so that a prompt that comes
/// now waits that long at most. How many tokens that is, is learnt from the steps before: a step takes a time of its
/// own, for the weights that are read, and a time for each token. What a shared step took longer than one without
/// prompts is the cost of its prompt tokens; a step without generations that was too long by a factor makes the next
/// one smaller by that factor, until they meet. What is generated does not depend on it.
struct StepBudget {
    /// The policy that says how much longer a step with several prompts may last.
    let policy: SchedulingPolicy
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
    /// The tokens of a shared step, and the seconds that they may take besides its generations; nil before any were
    /// learnt.
    private var shared: Double
    private var learntSeconds: Double?
    private var alone: Double
    /// The seconds of steps without prompts, an average that follows the latest ones, by the units of rows in them; 0
    /// where none was seen.
    ///
    /// A step of many generations takes longer than one of few: what was learnt from the one says nothing of what the
    /// other may take.
    private var decodeSeconds: [Double] = []
    /// Units that are told apart; steps of more rows count as the last.
    private static let maxUnits = 64
    /// The units for which a step was left without prompts, so that its time is known.
    private var measuredUnits: Set<Int> = []

    /// Nothing measured yet.
    ///
    /// - Parameter sharedTarget: the maximum number of seconds of a shared step; nil for the policy's.
    init(limit: Int, policy: SchedulingPolicy = .balanced, sharedTarget: Double? = nil) {
        self.limit = limit
        self.policy = policy
        self.sharedTarget = sharedTarget ?? policy.sharedStepSeconds
        shared = Double(min(Self.firstShared, limit))
        alone = Double(limit)
    }

    /// Tokens of prompts for a step of their own.
    ///
    /// - Parameter isShared: whether generations wait for their next token meanwhile.
    func tokens(isShared: Bool) -> Int { whole(isShared ? sharedTokens(besides: 1, waiting: 1) : alone) }

    /// Returns a number of tokens as a whole one, within the limit.
    private func whole(_ tokens: Double) -> Int { max(1, Int(min(Double(limit), tokens))) }

    /// Tokens of prompts for a step that has rows of generations too.
    ///
    /// Kernels compute ``rowUnit`` rows at a time, so nine rows take nearly as long as sixteen: all rows together are a
    /// multiple of it.
    ///
    /// - Parameter waiting: the number of prompts that wait for their first token.
    func tokens(besides decodingRows: Int, waiting: Int = 1) -> Int {
        let count = whole(decodingRows > 0 ? sharedTokens(besides: decodingRows, waiting: waiting) : alone)
        let rows = decodingRows + count
        guard decodingRows > 0, rows > Self.rowUnit else { return count }
        return max(1, count - rows % Self.rowUnit)
    }

    /// Returns the maximum number of seconds of a step that has prompts besides so many rows of generations, at least
    /// 1.
    ///
    /// - Parameter waiting: the number of prompts that wait for their first token.
    func sharedSeconds(besides decodingRows: Int, waiting: Int = 1) -> Double {
        max(sharedTarget, policy.sharedStepFactor * decodeSeconds(decodingRows)) * policy.patience(waiting: waiting)
    }

    /// Returns the seconds of them that are the prompts'.
    private func promptSeconds(besides decodingRows: Int, waiting: Int) -> Double {
        sharedSeconds(besides: decodingRows, waiting: waiting) - decodeSeconds(decodingRows)
    }

    /// Returns the tokens of prompts that fit into a shared step, as far as was learnt from others.
    private func sharedTokens(besides decodingRows: Int, waiting: Int) -> Double {
        guard let learntSeconds else { return shared }
        let fitting = shared * (promptSeconds(besides: decodingRows, waiting: waiting) / learntSeconds)
        return max(fitting, Double(min(Self.minShared, limit)))
    }

    /// Returns true once for each number of units of rows whose time is not known: a step of so many rows is then left
    /// without prompts.
    ///
    /// Where several prompts wait, there may be no step without prompts for long, and what they may take depends on it.
    mutating func takesTime(of decodingRows: Int, waiting: Int) -> Bool {
        let unit = Self.unit(of: decodingRows)
        guard policy != .throughput, waiting > 1, unit >= decodeSeconds.count || decodeSeconds[unit] == 0 else {
            return false
        }
        return measuredUnits.insert(unit).inserted
    }

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
    ///   - waiting: the number of prompts that waited for their first token.
    ///   - seconds: how long it took.
    mutating func note(
        promptTokens: Int, isFilled: Bool, decodingRows: Int, waiting: Int = 1, seconds: Double
    ) {
        guard seconds > 0 else { return }
        guard promptTokens > 0 else {
            let unit = Self.unit(of: decodingRows)
            while decodeSeconds.count <= unit { decodeSeconds.append(0) }
            decodeSeconds[unit] += (seconds - decodeSeconds[unit]) * (decodeSeconds[unit] == 0 ? 1 : 0.1)
            return
        }
        if decodingRows > 0 {
            adjustShared(promptTokens, isFilled, decodingRows: decodingRows, waiting: waiting, seconds: seconds)
        } else {
            Self.adjust(
                &alone, isFilled, by: max(Self.aloneTarget, sharedTarget) / seconds, Self.minAlone, limit)
            // The first shared step knows from it how fast this machine is.
            if promptTokens >= Self.minAlone {
                let guess = max(
                    Double(promptTokens) * max(sharedTarget - decodeSeconds(1), 0) / seconds,
                    Double(min(Self.minShared, limit)))
                if guess < sharedTokens(besides: 1, waiting: 1) {
                    (shared, learntSeconds) = (guess, promptSeconds(besides: 1, waiting: 1))
                }
            }
        }
    }

    /// Brings the tokens of shared steps nearer to what fits, by what each cost in a step besides its generations.
    private mutating func adjustShared(
        _ tokens: Int, _ isFilled: Bool, decodingRows: Int, waiting: Int, seconds: Double
    ) {
        let (used, allowed) = (Double(tokens), promptSeconds(besides: decodingRows, waiting: waiting))
        let each = max(seconds - decodeSeconds(decodingRows), 1e-9) / used
        let fitting = allowed / each
        // The end of a prompt that took less than allowed tells nothing of larger steps.
        guard fitting < used || isFilled else { return }
        // One step that the system held up must not cost many others; one that was quick must not make the next one too
        // long.
        let next = min(max(fitting, used / 2), max(used * 1.25, used + Double(Self.rowUnit)))
        (shared, learntSeconds) = (min(max(next, Double(min(Self.minShared, limit))), Double(limit)), allowed)
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
