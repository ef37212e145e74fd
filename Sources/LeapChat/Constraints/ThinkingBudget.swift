import LeapBase
import LeapModel
import LeapTokenizer

/// A reply's thoughts, counted, and ended where a budget is used up: the state machine beside the sampler.
///
/// It forces a message and the end mark, token by token, without a draw, and then lets no second end mark come. Below
/// the budget it changes nothing. What else holds the reply sees the forced tokens as if they had been drawn.
struct ThinkingBudget: TokenConstraint {
    /// The values that the budget is made from.
    struct Plan: Sendable {
        var tokenizer: Tokenizer
        var marks: ThoughtMarks
        /// The tokens of thoughts that there may be; nil for no limit.
        var limit: Int?
        /// The tokens in front of the end mark.
        var message: [TokenID] = []
        /// True if the message is left out where there are no thoughts in front of it.
        var messageNeedsThoughts = false
        /// The tokens beyond the limit that may complete a sentence.
        var grace = 0
        /// True if each block of thoughts has the whole limit.
        var isPerBlock = false
        /// True if the prompt has begun thoughts.
        var isOpen = false
        /// True if the reply goes on behind text: its thoughts are over, and what looks like others is text.
        var continuesText = false
        /// The part of the reply's header that the prompt ends with; nil where it has none.
        var openTurn: String?
        /// The tokens that begin calls.
        var callStarts: [TokenID] = []
        /// The tokens that the reply may have.
        var room: Int
    }

    /// A character has at most this many further bytes, and so many tokens.
    private static let longestWait = 3

    private let plan: Plan
    private var held: (any TokenConstraint)?
    private var scan: ThoughtScan
    /// Looks for another end mark behind one that was forced.
    private var second: ReasoningScan
    /// Forced tokens that have not come yet.
    private var queue: [TokenID] = []
    /// All tokens of the reply, those of its thoughts, and those that count against the limit.
    private var used = 0
    private var count = 0
    private var spent = 0
    private var wasInside: Bool
    /// Tokens beyond the limit: for a character, and for a sentence.
    private var waited = 0
    private var graced = 0
    /// The last bytes of the thoughts.
    private var tail: [UInt8] = []
    private var isEndAsked = false
    private var wasCut = false

    init(_ plan: Plan, around held: (any TokenConstraint)?) {
        self.plan = plan
        self.held = held
        scan = ThoughtScan(
            plan.marks, callStarts: plan.callStarts, isOpen: plan.isOpen, openTurn: plan.openTurn)
        if plan.continuesText { scan.leave() }
        second = plan.marks.end
        wasInside = false
        wasInside = isInside
        decide()
    }

    /// The grammar that holds the reply; nil without one.
    private var grammar: ReplyTokenConstraint? { held as? ReplyTokenConstraint }

    /// True inside of thoughts.
    private var isInside: Bool {
        if let grammar, grammar.tellsReasoning, !grammar.isReasoning { return false }
        return scan.isInside
    }

    /// True if no thoughts may follow those that were ended.
    private var isOver: Bool { wasCut && (!plan.isPerBlock || isEndAsked) }

    // MARK: The state machine

    /// Ends the thoughts, unless that has to wait.
    private mutating func decide() {
        guard isInside, queue.isEmpty else { return }
        guard isEndAsked || plan.limit.map({ spent >= $0 }) == true else { return }
        let isBegun = scan.end.isBegun
        if !isBegun {
            if UTF8Bytes.incompleteTail(tail) > 0, waited < Self.longestWait {
                waited += 1
                return
            }
            if !isEndAsked, graced < plan.grace, count > 0, !endsSentence {
                graced += 1
                return
            }
        }
        let isSilent = isBegun || plan.messageNeedsThoughts && count == 0
        force(isBegun ? scan.end.remaining : plan.marks.end.closing, message: isSilent ? [] : plan.message)
    }

    /// Forces tokens, with a message before them where there is room for it.
    private mutating func force(_ closing: [TokenID], message: [TokenID]) {
        let owed = grammar?.owedTokens ?? 0
        let whole = message + closing
        let fits = TokenCount.sum(whole.count, owed) <= plan.room - used
        let tokens = Array((fits ? whole : closing).prefix(max(0, plan.room - used)))
        // The reply ends here.
        guard !tokens.isEmpty else { return }
        if let grammar, !grammar.tellsReasoning, !grammar.takes(tokens) {
            // Text of a call that looks like thoughts.
            scan.leave()
            wasInside = false
            return
        }
        queue = tokens
        wasCut = true
        if isOver { grammar?.refuseReasoning() }
    }

    /// True if the thoughts end with a sentence or a line.
    private var endsSentence: Bool {
        let text = tail.reversed().drop { $0 == 0x20 || $0 == 0x09 }
        guard let last = text.first else { return false }
        if [0x0A, 0x0D, 0x2E, 0x21, 0x3F].contains(last) { return true }
        // 。, ！ and ？
        let three = Array(text.prefix(3).reversed())
        return [[0xE3, 0x80, 0x82], [0xEF, 0xBC, 0x81], [0xEF, 0xBC, 0x9F]].contains(three)
    }

    mutating func accept(_ token: TokenID) throws {
        used += 1
        try held?.accept(token)
        if queue.first == token { queue.removeFirst() } else { queue = [] }
        if wasCut, second.accept(token) { second = plan.marks.end }
        scan.accept(token)
        let isInside = isInside
        if isInside, wasInside {
            count += 1
            spent += 1
            tail = Array((tail + plan.marks.bytes(of: token)).suffix(8))
        } else if isInside {
            (waited, graced, tail) = (0, 0, [])
            if plan.isPerBlock { spent = 0 }
        }
        wasInside = isInside
        decide()
    }

    mutating func endReasoning() {
        isEndAsked = true
        decide()
    }

    var reasoning: ReasoningCount? { ReasoningCount(tokens: count, wasCut: wasCut) }

    // MARK: Tokens that may come

    var isFree: Bool { held == nil && queue.isEmpty && !wasCut }

    var demandedToken: TokenID? { queue.first }

    mutating func forcedTokens() -> [TokenID] { queue.isEmpty ? held?.forcedTokens() ?? [] : queue }

    func allowedCount(of tokens: [TokenID]) -> Int {
        guard queue.isEmpty else { return zip(tokens, queue).prefix { $0 == $1 }.count }
        var count = held?.allowedCount(of: tokens) ?? tokens.count
        // Where the limit is reached, tokens are forced.
        if isInside, let limit = plan.limit { count = min(count, max(0, limit - spent)) }
        return count
    }

    var isComplete: Bool { queue.isEmpty && held?.isComplete == true }

    var maskWithoutBudget: TokenMask? { queue.isEmpty ? held?.maskWithoutBudget : nil }

    var stems: [(token: TokenID, stems: [TokenID])] { held?.stems ?? [] }

    mutating func computeMask(into mask: inout TokenMask) {
        if let token = queue.first {
            mask[token] = true
            return
        }
        if held == nil { mask.setAll(true) } else { held?.computeMask(into: &mask) }
        guard wasCut, !isInside, grammar?.tellsReasoning != true else { return }
        let before = mask
        for token in barred { mask[token] = false }
        if mask.isEmpty { mask = before }
    }

    /// The tokens that may not come behind thoughts that were ended.
    private var barred: [TokenID] {
        if plan.marks.channels != nil { return isOver && scan.isAtName ? plan.marks.names : [] }
        return second.completing + (isOver ? plan.marks.startToken.map { [$0] } ?? [] : [])
    }
}
