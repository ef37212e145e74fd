import LeapCompute
import LeapModel
import LeapTokenizer

/// The tokens that a model's output can hold.
struct OutputVocabulary {
    /// The number of logits of one position.
    let size: Int
    /// The tokens that may be drawn where no constraint says less; nil for all.
    var sampleable: TokenMask?
    /// The tokens whose logits count as minus infinity.
    var suppressed: [TokenID] = []
}

/// The tokens that may come next in an output: those of the vocabulary, of the constraint, and of the least length that
/// was asked for.
struct NextTokens {
    /// The tokens that there are.
    let vocabulary: OutputVocabulary
    private let minTokens: Int
    private let stopTokens: Set<TokenID>
    private var constraint: (any TokenConstraint)?
    /// The latest answer of the constraint; nil without one.
    private var mask: TokenMask?
    /// True if ``mask`` is that of the next token.
    private var isMaskNext = false

    /// The tokens that may begin a request's output.
    init(_ request: GenerationRequest, _ vocabulary: OutputVocabulary) {
        self.vocabulary = vocabulary
        minTokens = request.minTokens
        stopTokens = request.stopTokens
        let held = request.makeConstraint?()
        constraint = request.watchReasoning?(held) ?? held
        if constraint != nil { mask = TokenMask(count: vocabulary.size, allowed: false) }
    }

    /// Returns the tokens that may come behind an output of so many; nil for all.
    ///
    /// - Throws: ``EngineError`` with code `constraintFailed` if there are none.
    mutating func allowed(behind outputCount: Int) throws(EngineError) -> TokenMask? {
        let allowed = try constrained(behind: outputCount)
        guard outputCount < minTokens, !stopTokens.isEmpty else { return allowed }
        var others = allowed ?? TokenMask(count: vocabulary.size, allowed: true)
        for token in stopTokens { others[token] = false }
        return others.isEmpty ? allowed : others
    }

    private mutating func constrained(behind outputCount: Int) throws(EngineError) -> TokenMask? {
        guard constraint?.isFree != true, var next = mask else { return vocabulary.sampleable }
        guard !isMaskNext else { return next }
        // The only reference: the constraint writes into the same memory each time.
        mask = nil
        next.setAll(false)
        constraint?.computeMask(into: &next)
        if let sampleable = vocabulary.sampleable { next.formIntersection(sampleable) }
        mask = next
        guard !next.isEmpty else {
            throw EngineError(
                .constraintFailed,
                "the constraint allows no token of this model's vocabulary after \(outputCount) tokens")
        }
        isMaskNext = true
        return next
    }

    /// Returns true if the most likely token is excluded only because few tokens are left.
    func isBudgetLimited(_ logits: UnsafeBufferPointer<Float>, _ allowed: TokenMask?) -> Bool {
        guard var unlimited = constraint?.maskWithoutBudget else { return false }
        if let sampleable = vocabulary.sampleable { unlimited.formIntersection(sampleable) }
        let likeliest = LogitScan(logits: logits, allowed: unlimited).maximum()?.token
        return likeliest != LogitScan(logits: logits, allowed: allowed).maximum()?.token
    }

    /// Gives beginnings of tokens that may not come the logits of these, where their own are smaller.
    func raiseStems(_ logits: UnsafeMutableBufferPointer<Float>, _ allowed: TokenMask?) {
        guard let allowed, let constraint else { return }
        for (token, stems) in constraint.stems where Int(token) < logits.count && !allowed[token] {
            guard let stem = stems.first(where: { Int($0) < logits.count && allowed[$0] }) else { continue }
            if logits[Int(token)] > logits[Int(stem)] { logits[Int(stem)] = logits[Int(token)] }
        }
    }

    /// Moves past a token of the output.
    ///
    /// - Throws: what the constraint throws of a token that it does not take.
    mutating func accept(_ token: TokenID) throws {
        isMaskNext = false
        try constraint?.accept(token)
    }

    /// Returns the tokens that are the only way on from here, in order; they are not accepted yet.
    ///
    /// They end before one that may never be drawn: the constraint's text is then spelled by other tokens.
    mutating func forced() -> [TokenID] {
        let tokens = constraint?.forcedTokens() ?? []
        guard let sampleable = vocabulary.sampleable else { return tokens }
        return Array(tokens.prefix { sampleable[$0] })
    }

    /// Returns how many of some tokens, one behind the other, the constraint lets come as far as it can tell.
    func allowedCount(of tokens: [TokenID]) -> Int { constraint?.allowedCount(of: tokens) ?? tokens.count }

    /// The token that comes next whatever the logits are; nil where one is drawn.
    var demanded: TokenID? { constraint?.demandedToken }

    /// Ends the thoughts of the output as soon as that is possible.
    mutating func endReasoning() {
        isMaskNext = false
        constraint?.endReasoning()
    }

    /// The thoughts of the output so far; nil where nobody counts them.
    var reasoning: ReasoningCount? { constraint?.reasoning }

    /// Returns true if the token ends the output and is no part of it.
    func isStop(_ token: TokenID) -> Bool { stopTokens.contains(token) }

    /// True if the constraint says that the output is complete.
    var isComplete: Bool { constraint?.isComplete == true }
}
