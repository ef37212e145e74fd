import LeapCompute
import LeapModel
import LeapTokenizer

/// A generation that waits for proposals, and what it has of them.
struct DraftProposal {
    let generation: ActiveGeneration
    let draft: DraftSequence
    /// The number of tokens to propose.
    let count: Int
    /// The vector that the next step takes, of drafters that read such; nil where it is in the model's sequence.
    var hidden: [Float]?
    private var sampler: Sampler
    private(set) var tokens: [TokenID] = []

    /// - Parameters:
    ///   - count: the number of tokens to propose.
    ///   - hidden: the vector that the first step takes.
    init(_ generation: ActiveGeneration, _ draft: DraftSequence, count: Int, hidden: [Float]? = nil) {
        self.generation = generation
        self.draft = draft
        self.count = count
        self.hidden = hidden
        sampler = generation.sampler
    }

    /// The token behind which the next step goes on: the one that was drawn last, or the text's latest.
    var latest: TokenID { tokens.last ?? generation.token(generation.tokenCount - 1) }

    /// The next step behind the model's own sequence.
    var step: DraftStep {
        DraftStep(sequence: generation.state, token: latest, offset: tokens.count, hidden: hidden)
    }

    /// Draws the next token; nil where none can be drawn, or the one that was drawn may not come there.
    mutating func draw(from logits: UnsafeMutableBufferPointer<Float>) -> TokenID? {
        // The constraint's answer for the first token is needed for the target model's own draw anyway; those behind it
        // would need one for each way on.
        let allowed = tokens.isEmpty ? generation.nextMask() : generation.vocabulary.sampleable
        let values = UnsafeMutableBufferPointer(rebasing: logits.prefix(generation.vocabulary.size))
        guard let token = sampler.sample(logits: values, allowed: allowed) else { return nil }
        // The first is of the mask.
        guard tokens.isEmpty || generation.allowedCount(of: tokens + [token]) > tokens.count else { return nil }
        sampler.accept(token)
        tokens.append(token)
        return token
    }
}
