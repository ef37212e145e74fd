/// One layer: a mixer of positions and a feed-forward network, or one of them, each added to the stream after a norm.
package struct DecoderLayer: Sendable {
    /// The block of a layer that looks at other positions.
    package enum Mixer: Sendable {
        case attention(AttentionBlock)
        case shortConvolution(ShortConvolutionBlock)
        case deltaNet(DeltaNetBlock)
        case mamba(MambaBlock)
        /// Both read the same, and what they make of it is added up.
        case attentionAndMamba(AttentionBlock, MambaBlock)
        case gridConvolution(GridConvolutionBlock)
    }

    /// The block of a layer that works on each position by itself.
    package enum FeedForward: Sendable {
        case dense(DenseFeedForward)
        case plain(PlainFeedForward)
        case mixture(MixtureFeedForward)
        case sideBySide(SideBySideFeedForward)
    }

    /// The step in front of the layer; nil where it goes on with what the layer before it has made.
    package var entry: StreamEntry?
    /// The update of streams side by side; nil where there is one stream.
    package var alternating: AlternatingUpdate?
    /// The norm in front of the mixer; nil where it reads the stream as it is.
    package var mixerNorm: Norm?
    package var mixer: Mixer?
    /// A residual parallel to the mixer, with the same input; only after a ``mixerNorm``.
    package var laurel: LaurelBlock?
    /// A norm of the mixer's result, before it is added.
    package var mixerPostNorm: Norm?
    /// The norm in front of the feed-forward network.
    package var feedForwardNorm: Norm?
    package var feedForward: FeedForward?
    /// A norm of the network's result, before it is added.
    package var feedForwardPostNorm: Norm?
    /// The factor of both results before they are added.
    package var residualScale: Float = 1
    /// The token's own addition to the stream after both, or to all streams but the first where there are several.
    package var tokenInput: TokenInput?
    /// The factor of the stream after the layer.
    package var outputScale: Float = 1
    /// True if the norms apply to the stream after each block, in place, rather than of what a block reads.
    package var isNormedAfter = false
}

extension DecoderLayer.Mixer {
    /// The attention whose keys and values are kept for each position; nil where none are.
    package var attention: AttentionBlock? {
        switch self {
        case .attention(let block), .attentionAndMamba(let block, _): block
        case .shortConvolution, .deltaNet, .mamba, .gridConvolution: nil
        }
    }

    /// The shape of the state that it keeps of a sequence as a whole; nil where it keeps something of each position.
    package var recurrence: RecurrenceShape? {
        switch self {
        case .attention, .shortConvolution, .gridConvolution: nil
        case .deltaNet(let block): block.recurrence
        case .mamba(let block), .attentionAndMamba(_, let block): block.recurrence
        }
    }
}

extension DecoderLayer.FeedForward {
    /// The mixture of experts that it is, or that is a part of it.
    package var mixture: MixtureFeedForward? {
        switch self {
        case .dense, .plain: nil
        case .mixture(let network): network
        case .sideBySide(let networks): networks.mixture
        }
    }
}
