/// One layer: a mixer of positions and a feed-forward network, each added to the stream behind a norm.
struct DecoderLayer: Sendable {
    /// What looks at other positions.
    enum Mixer: Sendable {
        case attention(AttentionBlock)
        case shortConvolution(ShortConvolutionBlock)
    }

    /// What works on one position.
    enum FeedForward: Sendable {
        case dense(DenseFeedForward)
        case plain(PlainFeedForward)
        case mixture(MixtureFeedForward)
    }

    /// The norm in front of the mixer.
    var mixerNorm: Norm
    var mixer: Mixer
    /// A norm of the mixer's result, before it is added.
    var mixerPostNorm: Norm?
    /// The norm in front of the feed-forward network.
    var feedForwardNorm: Norm
    var feedForward: FeedForward
    /// A norm of the network's result, before it is added.
    var feedForwardPostNorm: Norm?
    /// Multiplies both results before they are added.
    var residualScale: Float = 1
    /// Whether the norms are of the stream behind each block, in place, rather than of what a block reads.
    var isNormedAfter = false
}

extension DecoderLayer {
    /// Computes the layer.
    ///
    /// - Parameters:
    ///   - input: the residual stream, `[rows][embedding]`, which is changed in place.
    ///   - isLast: whether what comes out is read for its logits only. Once the mixer has kept what later tokens need, rows that no
    ///     logits are wanted for are left out.
    /// - Returns: the residual stream behind the layer.
    func run(_ input: Rows, _ pass: ForwardPass, isLast: Bool) throws(EngineError) -> Rows {
        var stream = input
        var features = try mixer.absorb(isNormedAfter ? stream : try pass.norm(stream, mixerNorm), pass)
        if isLast { (stream, features) = pass.keepWanted(stream, features) }
        guard stream.count > 0 else { return stream }
        try pass.add(try mixer.mix(features, pass), to: stream, norm: mixerPostNorm, scale: residualScale)
        if isNormedAfter { pass.kernels.norm(stream, mixerNorm, into: stream) }
        let branch = try feedForward.run(isNormedAfter ? stream : try pass.norm(stream, feedForwardNorm), pass)
        try pass.add(branch, to: stream, norm: feedForwardPostNorm, scale: residualScale)
        if isNormedAfter { pass.kernels.norm(stream, feedForwardNorm, into: stream) }
        return stream
    }
}

extension DecoderLayer.Mixer {
    /// The first half: takes in all rows of a batch and keeps in the cache what later positions need of them.
    ///
    /// - Returns: what ``mix(_:_:)`` needs of each row.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        switch self {
        case .attention(let block): try block.absorb(input, pass)
        case .shortConvolution(let block): try block.absorb(input, pass)
        }
    }

    /// The second half, of as many of the rows as something is wanted of: what they get from their sequences.
    func mix(_ features: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        switch self {
        case .attention(let block): try block.mix(features, pass)
        case .shortConvolution(let block): try block.mix(features, pass)
        }
    }
}

extension DecoderLayer.FeedForward {
    /// Computes the network.
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        switch self {
        case .dense(let network): try network.run(input, pass)
        case .plain(let network): try network.run(input, pass)
        case .mixture(let network): try network.run(input, pass)
        }
    }
}
