import LeapGrammar
import LeapModel
import LeapTokenizer

/// One reply under a constraint, token by token.
final class ConstraintRun {
    private enum Phase {
        case reasoning(ReasoningScan)
        /// Line ends between reasoning and text.
        case gap
        case text
        /// The header of a message on a channel.
        case header(ChannelHeads.Cursor)
        /// A message of any text.
        case message
    }

    private let plan: ReplyTokenConstraint.Plan
    private let matcher: ReplyMatcher
    private let jump: JumpForward
    private var phase: Phase
    /// The token that may begin reasoning, while that is possible.
    private var opening: (token: TokenID, scan: ReasoningScan)?
    /// The headers of messages, where the reply is made of them.
    private var heads: ChannelHeads?
    /// The text behind a header that is whole, as far as it has come, while other headers go on with the same tokens.
    private var begunText: ReplyMatcher?
    private var used = 0
    /// Forced tokens that have not come yet.
    private var queue: [TokenID] = []
    /// True if `queue` holds the tokens that are forced at this position.
    private var isQueueCurrent = false
    /// The last bytes of the text, from a token's start.
    private var context: [UInt8] = []
    private lazy var lineEnds: [TokenID] = Self.lineEnds(plan.tokenizer)
    /// See ``TokenConstraint/maskWithoutBudget``.
    private(set) var maskWithoutBudget: TokenMask?

    init(_ plan: ReplyTokenConstraint.Plan) {
        self.plan = plan
        matcher = ReplyMatcher(plan)
        jump = JumpForward(tokenizer: plan.tokenizer)
        switch plan.beginning {
        case .text: phase = .text
        case .reasoning(let scan): phase = .reasoning(scan)
        case .either(let token, let scan):
            phase = .text
            opening = (token, scan)
        case .header(let heads, let tail):
            self.heads = heads
            phase = .header(heads.first)
            for token in tail where !acceptHeader(token) {
                // The prompt begins the reply in a way of its own: what follows is the text.
                self.heads = nil
                phase = .text
                break
            }
        }
    }

    private var remaining: Int { plan.budget - used }

    /// True if nothing can follow.
    var isComplete: Bool {
        guard case .text = phase else { return false }
        return matcher.isFinished
    }

    // MARK: Reasoning

    /// True inside of reasoning in front of the text, or in a message of its own.
    var isReasoning: Bool { if case .reasoning = phase { true } else { false } }

    /// The tokens of the shortest text that has to come behind reasoning; 0 where none has to.
    var owedTokens: Int {
        guard plan.isDemanded, case .reasoning(let scan) = phase else { return 0 }
        return max(0, TokenCount.sum(reserve(scan), -scan.closing.count))
    }

    /// Returns whether tokens may come next, one behind the other.
    func takes(_ tokens: [TokenID]) -> Bool {
        guard case .text = phase else { return true }
        let copy = matcher.copy()
        return tokens.allSatisfy { copy.accept($0) }
    }

    /// Returns how many of some tokens may come, as far as the grammar of the text tells.
    func allowedCount(of tokens: [TokenID]) -> Int {
        guard case .text = phase, opening == nil else { return tokens.count }
        let copy = matcher.copy()
        return tokens.prefix { copy.accept($0) }.count
    }

    /// Lets no further message be reasoning, where there are others.
    func refuseReasoning() { heads = heads?.withoutReasoning }

    // MARK: Masks

    func computeMask(into mask: inout TokenMask) {
        maskWithoutBudget = nil
        switch phase {
        case .header(let cursor): computeHeaderMask(cursor, &mask)
        case .message:
            mask.setAll(true)
            excludeMarks(from: &mask)
        case .reasoning(let scan): computeReasoningMask(scan, &mask)
        case .gap:
            computeTextMask(&mask)
            if !plan.isDemanded || remaining > matcher.minimumTokensToFinish {
                for token in lineEnds { mask[token] = true }
            }
        case .text:
            refill()
            if let forced = queue.first {
                mask[forced] = true
            } else {
                computeTextMask(&mask)
                if let opening, remaining > reserve(opening.scan) + 1 { mask[opening.token] = true }
            }
        }
    }

    private func computeReasoningMask(_ scan: ReasoningScan, _ mask: inout TokenMask) {
        var free = TokenMask(count: mask.count, allowed: true)
        if plan.isDemanded { for token in plan.endTokens { free[token] = false } }
        for token in scan.forbidden + plan.forbiddenInReasoning { free[token] = false }
        excludeMarks(from: &free)
        if plan.isDemanded, remaining <= reserve(scan), let closing = scan.nextClosing {
            mask[closing] = true
            maskWithoutBudget = free
        } else {
            mask = free
        }
    }

    /// Takes out the marks of messages, which no message has in it; those that end the reply are for others to judge.
    private func excludeMarks(from mask: inout TokenMask) {
        for token in heads?.marks ?? [] where !plan.endTokens.contains(token) { mask[token] = false }
    }

    /// The tokens that closing reasoning and the shortest text take.
    private func reserve(_ scan: ReasoningScan) -> Int {
        guard let heads else { return TokenCount.sum(scan.closing.count, matcher.minimumTokensToFinish) }
        let texts = heads.heads.compactMap { head -> Int? in
            guard case .grammar(let index) = head.content else { return nil }
            return TokenCount.sum(head.tokens.count, matcher.minimumTokensToFinish(choosing: index))
        }
        return TokenCount.sum(scan.closing.count + heads.between.count, texts.min() ?? matcher.minimumTokensToFinish)
    }

    private func computeHeaderMask(_ cursor: ChannelHeads.Cursor, _ mask: inout TokenMask) {
        var whole = TokenMask(count: mask.count, allowed: false)
        let least = cursor.live.map { tokens($0) }.min() ?? 0
        for head in cursor.live {
            // Where a text is owed, only what leaves room for it; if nothing does, the shortest way.
            let fits = !plan.isDemanded || tokens(head) <= max(remaining, least)
            let next = next(head, count: mask.count)
            whole.formUnion(next)
            if fits { mask.formUnion(next) }
        }
        if plan.isDemanded, whole != mask { maskWithoutBudget = whole }
    }

    /// The tokens that go on with a header, or begin the text that follows a grammar behind it.
    private func next(_ head: ChannelHeads.Head, count: Int) -> TokenMask {
        var next = TokenMask(count: count, allowed: false)
        if let token = head.tokens.first {
            next[token] = true
        } else if case .grammar(let index) = head.content {
            fill(&next, remaining: plan.isDemanded ? remaining : nil, following: begunText ?? chosen(index))
        }
        return next
    }

    /// A cursor at the beginning of the text of one grammar.
    private func chosen(_ index: Int?) -> ReplyMatcher {
        let chosen = matcher.copy()
        chosen.choose(index)
        return chosen
    }

    /// The tokens that the rest of a header and the shortest text behind it take.
    private func tokens(_ head: ChannelHeads.Head) -> Int {
        let behind: Int
        switch head.content {
        case .grammar(let index):
            let begun = head.tokens.isEmpty ? begunText : nil
            behind = begun?.minimumTokensToFinish ?? matcher.minimumTokensToFinish(choosing: index)
        case .reasoning: behind = heads.map { reserve($0.scan) } ?? 0
        case .text: behind = 0
        }
        return TokenCount.sum(head.tokens.count, behind)
    }

    private func computeTextMask(_ mask: inout TokenMask) {
        // Where nothing is owed the limit cuts the reply off, and changes nothing in it before.
        guard plan.isDemanded else { return fill(&mask, remaining: nil, following: matcher) }
        fill(&mask, remaining: remaining, following: matcher)
        // Nothing is cut off while there are more tokens left than any value's end takes.
        guard remaining < Self.alertLength else { return }
        var whole = TokenMask(count: mask.count, allowed: false)
        fill(&whole, remaining: nil, following: matcher)
        if whole != mask { maskWithoutBudget = whole }
    }

    private static let alertLength = 1 << 14

    private func fill(_ mask: inout TokenMask, remaining: Int?, following matcher: ReplyMatcher) {
        let needed = plan.vocabulary.maskWordCount
        let isFilled = mask.withUnsafeMutableWords { words in
            guard words.count >= needed, let base = words.baseAddress else { return false }
            matcher.computeMask(into: base, remaining: remaining)
            return true
        }
        if isFilled { return }
        // A backend with fewer logits than the tokenizer has tokens.
        let words = matcher.mask(remaining: remaining)
        mask.withUnsafeMutableWords { for index in $0.indices { $0[index] = words[index] } }
    }

    // MARK: Tokens

    func accept(_ token: TokenID) throws {
        used += 1
        isQueueCurrent = false
        if let opening {
            self.opening = nil
            if token == opening.token, !matcher.allows(token) {
                phase = .reasoning(opening.scan)
                return
            }
        }
        switch phase {
        case .header(let cursor):
            if acceptHeader(token) { return }
            // The header was whole, and the text behind it begins.
            guard case .grammar(let index)? = cursor.whole else {
                throw EngineError(.constraintFailed, "token \(token) is part of no header")
            }
            begin(.grammar(index))
            try acceptText(token)
        case .message:
            if let heads, token == heads.end { phase = .header(heads.next) }
        case .reasoning(var scan):
            let isOver = scan.accept(token)
            phase = isOver ? heads.map { .header($0.next) } ?? .gap : .reasoning(scan)
        case .gap:
            if lineEnds.contains(token), !matcher.allows(token) { return }
            phase = .text
            try acceptText(token)
        case .text:
            try acceptText(token)
        }
    }

    /// Takes a token of a header, or of the text behind one that is whole while another may still go on.
    ///
    /// - Returns: false where no header goes on with it.
    private func acceptHeader(_ token: TokenID) -> Bool {
        guard case .header(var cursor) = phase else { return false }
        let text = text(behind: cursor, token)
        guard cursor.accept(token, isText: text != nil) else { return false }
        begunText = text
        phase = .header(cursor)
        if text != nil { addContext(token) } else { context = [] }
        if let content = cursor.decided { begin(content) }
        return true
    }

    /// Returns the text behind a header that is whole, with one more token; nil where that does not follow.
    private func text(behind cursor: ChannelHeads.Cursor, _ token: TokenID) -> ReplyMatcher? {
        guard case .grammar(let index)? = cursor.whole else { return nil }
        let text = begunText ?? chosen(index)
        return text.accept(token) ? text : nil
    }

    /// Begins what stands behind a header.
    private func begin(_ content: ChannelHeads.Content) {
        switch content {
        case .reasoning: phase = heads.map { .reasoning($0.scan) } ?? .text
        case .text: phase = .message
        case .grammar(let index):
            if let begunText { matcher.follow(begunText) } else { matcher.choose(index) }
            begunText = nil
            phase = .text
        }
    }

    private func acceptText(_ token: TokenID) throws {
        guard matcher.accept(token) else {
            throw EngineError(
                .constraintFailed, matcher.failure?.reason ?? "token \(token) does not follow the grammar")
        }
        if queue.first == token {
            queue.removeFirst()
        } else {
            queue = []
        }
        addContext(token)
    }

    /// Adds a token's bytes to the text that the tokenizer's next tokens depend on.
    private func addContext(_ token: TokenID) {
        let length = context.count
        plan.tokenizer.appendBytes(of: token, to: &context)
        // The tokenizer splits at a token without text.
        if context.count == length { context = [] }
        if context.count > 4 * JumpForward.contextLength {
            // Any place is good that does not cut a character.
            var start = context.count - JumpForward.contextLength
            while start < context.count, context[start] & 0xC0 == 0x80 { start += 1 }
            context.removeFirst(start)
        }
    }

    /// The tokens that must come now.
    func forcedTokens() -> [TokenID] {
        guard case .text = phase else { return [] }
        refill()
        return queue
    }

    private func refill() {
        guard !isQueueCurrent else { return }
        isQueueCurrent = true
        guard queue.isEmpty, opening == nil else { return }
        let tokens = jump.tokens(of: matcher.forcedText(), after: context)
        if fits(tokens) { queue = Array(tokens.prefix(max(remaining, 0))) }
    }

    /// Returns whether the text can still be completed after the tokens, where it has to be.
    ///
    /// The tokenizer may take more of them for a text than the shortest way does; when few are left, that one goes.
    private func fits(_ tokens: [TokenID]) -> Bool {
        guard !tokens.isEmpty else { return false }
        let end = matcher.copy()
        for token in tokens where !end.accept(token) { return false }
        guard plan.isDemanded else { return true }
        let left = remaining - tokens.count
        return left >= 0 && (end.minimumBytesToFinish <= left || end.minimumTokensToFinish <= left)
    }

    private static func lineEnds(_ tokenizer: Tokenizer) -> [TokenID] {
        ["\n", "\n\n"].compactMap { text in
            let tokens = tokenizer.encode(text, addSpecial: false)
            return tokens.last.flatMap { tokenizer.bytes(of: $0) == Array(text.utf8) ? $0 : nil }
        }
    }
}

/// Adds counts of tokens of which one may be "too many to say".
enum TokenCount {
    static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
