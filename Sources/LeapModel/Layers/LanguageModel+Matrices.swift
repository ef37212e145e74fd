extension LanguageModel {
    /// The matrices that inputs are multiplied with, the output head among them.
    package var matrices: [Matrix] {
        stack.inOrder(embedding.matrices, stack.layers.flatMap(\.matrices)) + (head.map { [$0.matrix] } ?? [])
    }

    /// The matrices that all tokens are multiplied with, in the order of a pass: all but those of experts.
    package var sharedMatrices: [Matrix] {
        stack.inOrder(embedding.matrices, stack.layers.flatMap(\.sharedMatrices)) + (head.map { [$0.matrix] } ?? [])
    }
}

extension TokenEmbedding {
    fileprivate var matrices: [Matrix] { perLayer.map { [$0.projection] } ?? [] }
}

extension LayerStack {
    /// The matrices of the embedding and of the layers, with those of streams side by side in front of the layers and
    /// behind them.
    fileprivate func inOrder(_ embedding: [Matrix], _ layers: [Matrix]) -> [Matrix] {
        embedding + (alternating?.projections ?? []) + layers + (alternating?.returns ?? [])
    }
}

extension DecoderLayer {
    fileprivate var matrices: [Matrix] { around(feedForward?.matrices ?? []) }
    fileprivate var sharedMatrices: [Matrix] { around(feedForward?.sharedMatrices ?? []) }

    private func around(_ network: [Matrix]) -> [Matrix] {
        (alternating.map { [$0.router, $0.prediction] } ?? []) + (laurel.map { [$0.down, $0.up] } ?? [])
            + (mixer?.matrices ?? []) + network + (alternating.map { [$0.correction] } ?? [])
            + (tokenInput?.matrices ?? [])
    }
}

extension TokenInput {
    fileprivate var matrices: [Matrix] { [gate, projection] }
}

extension DecoderLayer.Mixer {
    fileprivate var matrices: [Matrix] {
        switch self {
        case .attention(let block): block.matrices
        case .shortConvolution(let block): [block.input, block.output]
        case .gridConvolution(let block): [block.input, block.output]
        case .deltaNet(let block): block.matrices
        case .mamba(let block): block.matrices
        case .attentionAndMamba(let attention, let mamba): mamba.inputs + attention.matrices + [mamba.output]
        }
    }
}

extension AttentionBlock {
    fileprivate var matrices: [Matrix] { [query, key, value, headGate, output].compactMap(\.self) }
}

extension MambaBlock {
    fileprivate var inputs: [Matrix] { [gate, input, timeStep] }
    fileprivate var matrices: [Matrix] { inputs + [output] }
}

extension DecoderLayer.FeedForward {
    fileprivate var matrices: [Matrix] {
        switch self {
        case .dense(let network): network.matrices
        case .plain(let network): network.matrices
        case .mixture(let network): network.matrices
        case .sideBySide(let networks): networks.dense.matrices + networks.mixture.matrices
        }
    }

    fileprivate var sharedMatrices: [Matrix] {
        switch self {
        case .dense, .plain: matrices
        case .mixture(let network): network.sharedMatrices
        case .sideBySide(let networks): networks.dense.matrices + networks.mixture.sharedMatrices
        }
    }
}

extension MixtureFeedForward {
    fileprivate var matrices: [Matrix] {
        [router.matrix] + gates + ups + downs + (shared?.matrices ?? [])
    }

    fileprivate var sharedMatrices: [Matrix] { [router.matrix] + (shared?.matrices ?? []) }
}

extension PlainFeedForward {
    fileprivate var matrices: [Matrix] { [up, down] }
}

extension DenseFeedForward {
    fileprivate var matrices: [Matrix] { [gate, up, down] }
}

extension MixtureFeedForward.SharedExpert {
    fileprivate var matrices: [Matrix] { network.matrices + (gate.map { [$0] } ?? []) }
}

extension MixtureFeedForward.SharedExpert.Network {
    fileprivate var matrices: [Matrix] {
        switch self {
        case .dense(let network): network.matrices
        case .plain(let network): network.matrices
        }
    }
}
