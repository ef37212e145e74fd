package import LeapGGUF
package import LeapTokenizer

/// A model that proposes a block of tokens in one pass, from what another model's layers compute: its weights and
/// numbers.
///
/// It writes no text alone. ``DFlash`` describes what it computes. It is immutable and may be shared by any number of
/// engines and threads.
package final class BlockDrafter: TrainedDrafter {
    package static let architecture = DFlash.name
    /// The file it came from.
    package let file: GGUFFile
    /// The vocabulary, which is the other model's.
    package let tokenizer: Tokenizer
    /// Rows of its own tables of tokens; nil where it has none.
    package let vocabularySize: Int?
    /// The longest sequence that it was trained on, in tokens.
    package let contextLength: Int
    /// The number of positions of a block.
    package let blockLength: Int
    /// True if the first position of a block, that of the latest token, proposes a token too.
    package let proposesAtAnchor: Bool
    /// The token that stands for one which is to be proposed.
    package let maskToken: TokenID
    /// The layers of the other model whose outputs are read, in ascending order.
    package let sourceLayers: [Int]
    /// Makes one vector of the layers' concatenated outputs at a position.
    package let fusion: Matrix
    /// The norm after ``fusion``.
    package let fusionNorm: Norm
    /// The layers: attention to both sides within a block and to all fused vectors before it.
    package let stack: LayerStack
    /// The vectors of tokens; nil where they are the other model's.
    package let embedding: Matrix?
    /// Makes logits; nil where the other model's head does.
    package let head: Matrix?
    /// The additions to logits by the token before; nil where each position of a block stands alone.
    package let transitions: TokenTransitions?

    init(
        file: GGUFFile, tokenizer: Tokenizer, vocabularySize: Int?, contextLength: Int, blockLength: Int,
        proposesAtAnchor: Bool, maskToken: TokenID, sourceLayers: [Int], fusion: Matrix, fusionNorm: Norm,
        stack: LayerStack, embedding: Matrix?, head: Matrix?, transitions: TokenTransitions?
    ) {
        self.file = file
        self.tokenizer = tokenizer
        self.vocabularySize = vocabularySize
        self.contextLength = contextLength
        self.blockLength = blockLength
        self.proposesAtAnchor = proposesAtAnchor
        self.maskToken = maskToken
        self.sourceLayers = sourceLayers
        self.fusion = fusion
        self.fusionNorm = fusionNorm
        self.stack = stack
        self.embedding = embedding
        self.head = head
        self.transitions = transitions
    }

    package static func load(file: GGUFFile) throws -> BlockDrafter { try DFlash.describe(file) }

    /// The maximum number of tokens that it proposes at a time.
    package var maxProposal: Int { blockLength - (proposesAtAnchor ? 0 : 1) }

    /// A block that proposes so many tokens: the latest token of the text, and masks.
    package func block(after token: TokenID, proposing count: Int) -> [TokenID] {
        [token] + [TokenID](repeating: maskToken, count: proposesAtAnchor ? count - 1 : count)
    }
}

/// The addition to the next token's logits by the token before: a table over pairs of tokens as the product of two of a
/// low rank.
package struct TokenTransitions: Sendable {
    /// A row for each token that may stand before.
    package var previous: Matrix
    /// The matrix that makes a logit for each token of such a row.
    package var next: Matrix
}
