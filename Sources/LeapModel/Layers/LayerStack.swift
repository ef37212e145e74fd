/// Layers one after the other, and the norm after them: they turn vectors into vectors of the same length.
package struct LayerStack: Sendable {
    /// Length of the vectors between the layers.
    package var width: Int
    /// The layers, in order.
    package var layers: [DecoderLayer] = []
    /// The norm after the last layer; nil where that ends with one.
    package var outputNorm: Norm?
    /// The rotations that attention layers refer to by index.
    package var ropes: [RopeSpecification] = []
    /// The streams that layers go on with; nil where there is one.
    package var alternating: AlternatingStreams?
    /// The number of the first layers that are followed by an addition to the vectors that came in place of tokens
    /// (DeepStack, arXiv:2406.04334).
    package var additionCount = 0
    /// True if a position sees only itself and those before it; without that a model reads texts but cannot write them.
    package var isCausal = true

    /// The last layer that keeps something of a position for those behind it; what comes after it is wanted for its
    /// result only.
    package var lastKeepingLayer: Int {
        layers.lastIndex { layer in
            guard let mixer = layer.mixer else { return false }
            if case .attention(let block) = mixer { return block.key != nil }
            return true
        } ?? layers.count - 1
    }

    /// True if a picture has to be computed in one piece, as its positions see each other in some layers.
    package var needsWholeImages: Bool {
        layers.contains { layer in
            if case .attention(let block)? = layer.mixer { block.seesWholeImages } else { false }
        }
    }

    package init(
        width: Int, layers: [DecoderLayer] = [], outputNorm: Norm? = nil, ropes: [RopeSpecification] = [],
        isCausal: Bool = true
    ) {
        self.width = width
        self.layers = layers
        self.outputNorm = outputNorm
        self.ropes = ropes
        self.isCausal = isCausal
    }
}
