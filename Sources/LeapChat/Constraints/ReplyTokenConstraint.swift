import LeapGrammar
import LeapModel
import LeapTokenizer

/// A grammar as the engine sees it: reasoning first, if there is any, then text that follows the grammar and, where it
/// is demanded, is complete when the tokens run out.
///
/// Where the grammar leaves one way on only, its tokens are the tokenizer's own. That holds whether they are computed
/// as one batch (``forcedTokens()``) or one by one, so both give the same text.
struct ReplyTokenConstraint: TokenConstraint {
    /// The data that the constraint is made from.
    struct Plan: Sendable {
        var grammar: CompiledGrammar
        var vocabulary: VocabularyIndex
        var tokenizer: Tokenizer
        var endTokens: Set<TokenID>
        /// The tokens there are, the end token not counted.
        ///
        /// They bound what is demanded; a free reply is the same with any number of them, up to where it is cut off.
        var budget: Int
        /// The state in which the reply begins.
        var beginning = Beginning.text
        /// True if the text has to come; else the reply may end in reasoning too, and the limit cuts it off wherever it
        /// is.
        var isDemanded = true
        /// Tokens that reasoning may not have.
        var forbiddenInReasoning: [TokenID] = []
        /// True if forced tokens are computed in one batch.
        var jumpsForward = true
        /// A grammar that the text may follow instead.
        var alternative: CompiledGrammar?
    }

    /// A state in which a reply can begin.
    enum Beginning: Sendable {
        /// With the text that the grammar describes.
        case text
        /// Inside of reasoning.
        case reasoning(ReasoningScan)
        /// With that text, or with this token and reasoning.
        case either(TokenID, ReasoningScan)
        /// With the header of a message, of which the prompt has these tokens.
        case header(ChannelHeads, [TokenID])
    }

    private let jumpsForward: Bool
    private let run: ConstraintRun
    let stems: [(token: TokenID, stems: [TokenID])]

    init(_ plan: Plan) {
        jumpsForward = plan.jumpsForward
        stems = plan.vocabulary.stems
        if case .header = plan.beginning { tellsReasoning = true } else { tellsReasoning = plan.isDemanded }
        run = ConstraintRun(plan)
    }

    /// True if the constraint tells where reasoning is: behind a header, or in front of a text that is demanded.
    ///
    /// In other replies reasoning is a part of the text.
    let tellsReasoning: Bool

    /// True if the reply is inside of reasoning that the constraint tells.
    var isReasoning: Bool { run.isReasoning }

    /// The tokens that have to stay free for what comes behind reasoning.
    var owedTokens: Int { run.owedTokens }

    /// Returns whether the text goes on with tokens.
    func takes(_ tokens: [TokenID]) -> Bool { run.takes(tokens) }

    func allowedCount(of tokens: [TokenID]) -> Int { run.allowedCount(of: tokens) }

    /// Lets no further message be reasoning.
    func refuseReasoning() { run.refuseReasoning() }

    mutating func computeMask(into mask: inout TokenMask) { run.computeMask(into: &mask) }

    mutating func accept(_ token: TokenID) throws { try run.accept(token) }

    mutating func forcedTokens() -> [TokenID] { jumpsForward ? run.forcedTokens() : [] }

    var isComplete: Bool { run.isComplete }

    var maskWithoutBudget: TokenMask? { run.maskWithoutBudget }
}
