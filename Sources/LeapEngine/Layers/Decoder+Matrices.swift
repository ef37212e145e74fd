extension Decoder {
    /// The matrices that inputs are multiplied with, the output head among them.
    var matrices: [WeightMatrix] { layers.flatMap(\.matrices) + [output] }
}

extension DecoderLayer {
    fileprivate var matrices: [WeightMatrix] { mixer.matrices + feedForward.matrices }

    /// The matrices that all tokens are multiplied with, in the order of a pass: all but those of experts.
    var sharedMatrices: [WeightMatrix] {
        guard case .mixture(let network) = feedForward else { return matrices }
        return mixer.matrices + [network.router]
    }
}

extension DecoderLayer.Mixer {
    fileprivate var matrices: [WeightMatrix] {
        switch self {
        case .attention(let block): [block.query, block.key, block.value, block.output]
        case .shortConvolution(let block): [block.input, block.output]
        }
    }
}

extension DecoderLayer.FeedForward {
    fileprivate var matrices: [WeightMatrix] {
        switch self {
        case .dense(let network): [network.gate, network.up, network.down]
        case .plain(let network): [network.up, network.down]
        case .mixture(let network): [network.router] + network.gates + network.ups + network.downs
        }
    }
}
