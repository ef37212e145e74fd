/// A position in a text that follows a grammar: it computes which tokens are allowed next, and advances.
///
/// Use an instance for one sequence, from one thread at a time. The automaton is shared between matchers and grows with
/// use.
public final class GrammarMatcher {
    /// The grammar.
    public let grammar: CompiledGrammar
    private let shared: SharedEngine
    private var generation: Int
    private var position: Position
    /// Symbols so far: bytes and, from 256, special tokens.
    private var history: [UInt16] = []
    /// Length of `history` before each accepted token.
    private var marks: [Int] = []
    /// The error after which the matcher cannot continue, because the text takes more work than allowed.
    ///
    /// A pattern whose alternatives multiply with the text can cause it. Then no token is allowed, nor the end. The
    /// limit is counted in steps, never in time: the same text reaches it on every machine.
    public private(set) var failure: GrammarError?

    init(grammar: CompiledGrammar, vocabulary: VocabularyIndex) {
        self.grammar = grammar
        shared = grammar.engine(for: vocabulary)
        (position, generation) = (Position(state: GrammarAutomaton.dead), -1)
        withAutomaton(or: ()) { _, _ in }
    }

    private init(copying other: GrammarMatcher) {
        grammar = other.grammar
        shared = other.shared
        generation = other.generation
        position = other.position
        history = other.history
        marks = other.marks
        failure = other.failure
    }

    /// Returns an independent matcher at the same position.
    public func copy() -> GrammarMatcher { GrammarMatcher(copying: self) }

    /// The vocabulary.
    public var vocabulary: VocabularyIndex { shared.vocabulary }

    /// Runs with the engine, after moving over to a new one if the old one was given up.
    ///
    /// - Parameter other: The answer where there is none.
    func withAutomaton<R>(or other: @autoclosure () -> R, _ body: (inout GrammarAutomaton, inout Position) -> R) -> R {
        let (count, before) = (history.count, position)
        if failure == nil {
            let result = shared.withAutomaton { engine, generation in
                if generation != self.generation {
                    self.generation = generation
                    position = Position(state: engine.start)
                    for (index, symbol) in history.enumerated() where position.state >= 0 {
                        engine.advance(&position, Int(symbol))
                        Self.renew(&engine, after: index)
                    }
                }
                return body(&engine, &position)
            }
            if let result { return result }
            generation = -1
            position = before
            history.removeSubrange(min(count, history.count)...)
            failure = GrammarError(
                .tooComplex,
                "following the text needs more than \(WorkBudget.matching) steps after \(history.count) bytes; "
                    + "simplify the grammar's alternatives and repetitions")
        }
        return other()
    }

    /// Long texts have the work of a question again and again.
    private static func renew(_ engine: inout GrammarAutomaton, after index: Int) {
        if index & 63 == 63, !engine.terms.work.isExhausted { engine.terms.work = WorkBudget(WorkBudget.matching) }
    }

    /// True if the text can end here; exactly then the end tokens are allowed.
    public var isAccepting: Bool {
        withAutomaton(or: false) { engine, position in position.state >= 0 && engine.isAccepting(position.state) }
    }

    /// True if the text can only end here.
    public var isFinished: Bool {
        withAutomaton(or: false) { engine, position in
            let state = position.state
            return state < 0
                || engine.isAccepting(state) && engine.bytes(ofState: state).isEmpty
                    && !engine.configurations(state).contains { engine.takesSpecials($0.local) }
        }
    }

    /// The number of accepted tokens.
    public var tokenCount: Int { marks.count }

    /// Computes which tokens are allowed next, one bit each, lowest bit first.
    ///
    /// - Parameters:
    ///   - mask: `vocabulary.maskWordCount` words, which are overwritten.
    ///   - remaining: The maximum number of further tokens, without the end token. Only tokens after which the text can
    ///     still be completed are then allowed. At least one is allowed if `remaining` ≥ ``minimumTokensToFinish``.
    public func computeMask(into mask: UnsafeMutablePointer<UInt64>, remaining: Int? = nil) {
        withAutomaton(or: mask.update(repeating: 0, count: vocabulary.maskWordCount)) { engine, position in
            let vocabulary = shared.vocabulary
            let state = position.state
            guard state >= 0 else {
                mask.update(repeating: 0, count: vocabulary.maskWordCount)
                for token in vocabulary.vocabulary.endTokens { Self.allow(token, vocabulary, mask) }
                return
            }
            let cost = engine.computeMask(state, vocabulary, into: mask)
            if position.ledger != nil { engine.removeRepetitions(position, vocabulary, mask) }
            // Where the text may end after every token, nothing is owed: only the number of tokens counts.
            if let remaining, cost > 0 || remaining <= 0, Int(cost) + engine.detour(position) > remaining - 1 {
                engine.restrict(position, vocabulary, mask, remaining: remaining)
            }
            if engine.isAccepting(state) {
                for token in vocabulary.vocabulary.endTokens { Self.allow(token, vocabulary, mask) }
            }
        }
    }

    private static func allow(_ token: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>) {
        if token >= 0, Int(token) < vocabulary.vocabulary.count { GrammarAutomaton.set(mask, token) }
    }

    /// Returns the mask as an array; see ``computeMask(into:remaining:)``.
    public func mask(remaining: Int? = nil) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: vocabulary.maskWordCount)
        words.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { computeMask(into: base, remaining: remaining) }
        }
        return words
    }

    /// Accepts a token.
    ///
    /// End tokens are accepted if the text can end, and change nothing.
    ///
    /// - Returns: False, with nothing changed, if the token is not allowed.
    @discardableResult
    public func accept(_ token: Int32) -> Bool {
        let vocabulary = shared.vocabulary.vocabulary
        if vocabulary.endTokens.contains(token), !grammar.program.specialTokens.contains(token) {
            return isAccepting
        }
        let symbols: [UInt16]
        if let index = grammar.program.specialTokens.firstIndex(of: token) {
            symbols = [UInt16(GrammarAutomaton.firstSpecial + index)]
        } else if vocabulary.specialTokens.contains(token) {
            symbols = [UInt16(GrammarAutomaton.otherSpecial)]
        } else {
            symbols = vocabulary.bytes(of: token).map { UInt16($0) }
            if symbols.isEmpty { return false }
        }
        let mark = history.count
        guard advance(symbols) else { return false }
        marks.append(mark)
        return true
    }

    /// Accepts bytes of text, independent of tokens.
    ///
    /// - Returns: False, with nothing changed, if they are not allowed.
    @discardableResult
    public func accept(bytes: some Sequence<UInt8>) -> Bool { advance(bytes.map { UInt16($0) }) }

    private func advance(_ symbols: [UInt16]) -> Bool {
        withAutomaton(or: false) { engine, position in
            var next = position
            for (index, symbol) in symbols.enumerated() {
                if next.state < 0 { return false }
                engine.advance(&next, Int(symbol))
                Self.renew(&engine, after: index)
            }
            guard engine.isAlive(next) else { return false }
            position = next
            history += symbols
            return true
        }
    }

    /// Returns true if a token is allowed next.
    public func allows(_ token: Int32) -> Bool {
        let other = copy()
        return other.accept(token)
    }

    /// Removes the last tokens (all, if there are fewer).
    public func rollback(tokens count: Int) {
        guard count > 0, !marks.isEmpty else { return }
        let keep = max(marks.count - count, 0)
        history.removeSubrange(marks[keep]...)
        marks.removeSubrange(keep...)
        failure = nil
        generation = -1
        withAutomaton(or: ()) { _, _ in }
    }

    /// Returns to the start of the text.
    public func reset() {
        history = []
        marks = []
        failure = nil
        generation = -1
        withAutomaton(or: ()) { _, _ in }
    }

    /// Returns the bytes that must come next: the longest certain prefix of all continuations, at most `limit` bytes.
    ///
    /// It is empty if there is a choice, or if the text can end.
    public func forcedBytes(limit: Int = 4096) -> [UInt8] {
        withAutomaton(or: []) { engine, position in
            var result: [UInt8] = []
            // (Without the ledger more could follow; what must come then must come all the more with it.)
            var next = position.state
            while next >= 0, result.count < limit, !engine.isAccepting(next),
                let byte = engine.bytes(ofState: next).single,
                !engine.configurations(next).contains(where: { engine.takesSpecials($0.local) })
            {
                result.append(byte)
                next = engine.step(next, Int(byte))
            }
            return result
        }
    }

    /// The number of bytes of a short completion from here; an upper bound of the shortest.
    public var minimumBytesToFinish: Int {
        withAutomaton(or: .max) { engine, position in
            guard position.state >= 0 else { return 0 }
            return engine.bytesToFinish(position, shared.vocabulary)
        }
    }

    /// The number of tokens of a short completion from here, without the end token.
    ///
    /// With a budget of at least this many tokens, masks computed with `remaining` lead to a complete text.
    public var minimumTokensToFinish: Int {
        withAutomaton(or: .max) { engine, position in
            position.state >= 0 ? engine.tokensToFinish(position, shared.vocabulary) : 0
        }
    }

    /// Tokens of a short way to end the text from here, looked for token by token where the shortest way in bytes has
    /// more than `limit` of them.
    ///
    /// The way that is found is kept, so that masks with so few tokens lead along it.
    package func minimumTokensToFinish(within limit: Int) -> Int {
        withAutomaton(or: .max) { engine, position in
            guard position.state >= 0 else { return 0 }
            let least = engine.tokensToFinish(position, shared.vocabulary)
            if least <= limit || engine.repeatsOnWayOut(position) { return least }
            return engine.searchedTokensToFinish(position.state, shared.vocabulary, limit: limit)
        }
    }

    /// Throws if even a short answer exceeds the budget.
    ///
    /// - Throws: ``GrammarError`` `.budgetTooSmall`, or ``failure``.
    public func requireBudget(_ tokens: Int) throws(GrammarError) {
        let needed = minimumTokensToFinish(within: tokens)
        if let missing = missingEnd { throw missing }
        if needed > tokens {
            throw GrammarError(
                .budgetTooSmall,
                "a valid answer needs at least \(needed) tokens, but only \(tokens) are left; raise maxTokens")
        }
    }

    /// The error that says why no way to end the text is known; nil where one is.
    package var missingEnd: GrammarError? {
        guard minimumTokensToFinish == .max else { return nil }
        if let failure { return failure }
        let bytes = minimumBytesToFinish
        guard bytes <= GrammarAutomaton.longestExit else {
            return GrammarError(
                .budgetTooSmall,
                "the shortest answer has \(bytes) bytes, but the search covers at most \(GrammarAutomaton.longestExit); "
                    + "lower the minimum lengths of the grammar")
        }
        return GrammarError(
            .vocabulary,
            "no tokens of the model's vocabulary spell an answer; the shortest has \(bytes) bytes")
    }
}
