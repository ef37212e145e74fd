import LeapCompute
import LeapModel

extension DecoderLayer {
    /// Computes the layer.
    ///
    /// - Parameters:
    ///   - input: the residual stream, `[rows][width]`, which is changed in place.
    ///   - isLast: whether no layer behind this one keeps anything of a position, so that what comes out is read for
    ///     its logits only. Once the mixer has kept what later tokens need, rows that no logits are wanted for are left
    ///     out.
    /// - Returns: the residual stream behind the layer.
    func run(_ input: Rows, _ pass: ForwardPass, isLast: Bool) throws(EngineError) -> Rows {
        var stream = input
        if let entry { pass.enter(stream, entry) }
        if let alternating { try alternating.predict(stream, pass) }
        if let mixer {
            let read = isNormedAfter ? stream : try normed(stream, mixerNorm, pass)
            // The stream is not read before the mixer's result comes to it.
            if let laurel { try laurel.add(read, to: stream, pass) }
            var features = try mixer.absorb(read, pass)
            if isLast { (stream, features) = pass.keepWanted(stream, features) }
            guard stream.count > 0 else {
                pass.release([.normed] + MixerFeatures.all)
                return stream
            }
            try pass.add(try mixer.mix(features, pass), to: stream, norm: mixerPostNorm, scale: residualScale)
            pass.release([.normed, .branch])
            if let laurel { pass.kernels.scale(stream, by: laurel.scale) }
            if isNormedAfter, let mixerNorm { pass.kernels.norm(stream, mixerNorm, into: stream) }
        }
        if let feedForward {
            let branch = try feedForward.run(
                isNormedAfter ? stream : try normed(stream, feedForwardNorm, pass), stream: stream, pass)
            try pass.add(branch, to: stream, norm: feedForwardPostNorm, scale: residualScale)
            pass.release([.normed, .branch])
            if isNormedAfter, let feedForwardNorm { pass.kernels.norm(stream, feedForwardNorm, into: stream) }
        }
        if let alternating { try alternating.correct(stream, pass) }
        if let tokenInput {
            try tokenInput.add(
                of: stream, to: alternating == nil ? [stream] : Array(pass.streams.dropFirst()), pass)
        }
        if outputScale != 1 { pass.kernels.scale(stream, by: outputScale) }
        return stream
    }

    private func normed(_ stream: Rows, _ norm: Norm?, _ pass: ForwardPass) throws(EngineError) -> Rows {
        if let norm { try pass.norm(stream, norm) } else { stream }
    }
}

extension DecoderLayer.Mixer {
    /// The first half: takes in all rows of a batch and keeps in the cache what later positions need of them.
    ///
    /// - Returns: what ``mix(_:_:)`` needs of each row.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> MixerFeatures {
        switch self {
        case .attention(let block): return try block.absorb(input, pass)
        case .shortConvolution(let block): return try block.absorb(input, pass)
        case .deltaNet(let block): return MixerFeatures(rows: try block.absorb(input, pass))
        case .mamba(let block): return MixerFeatures(rows: try block.absorb(input, pass))
        case .gridConvolution(let block): return try block.absorb(input, pass)
        case .attentionAndMamba(let attention, let mamba):
            // In this order: attention's queries share the memory of the other's channels.
            let read = try mamba.absorb(input, pass)
            var features = try attention.absorb(input, pass)
            features.read = read
            return features
        }
    }

    /// The second half, of as many of the rows as something is wanted of: what they get from their sequences.
    func mix(_ features: MixerFeatures, _ pass: ForwardPass) throws(EngineError) -> Rows {
        switch self {
        case .attention(let block): return try block.mix(features, pass)
        case .shortConvolution(let block): return try block.mix(features, pass)
        case .deltaNet(let block): return try block.mix(features.rows, pass)
        case .mamba(let block): return try block.mix(features.rows, pass)
        case .gridConvolution(let block): return try block.mix(features, pass)
        case .attentionAndMamba(let attention, let mamba):
            let branch = try attention.mix(features, pass)
            if let read = features.read { pass.kernels.add(try mamba.mix(read, pass, into: .side), to: branch) }
            return branch
        }
    }
}

extension DecoderLayer.FeedForward {
    /// Computes the network.
    ///
    /// - Parameters:
    ///   - input: the stream behind the layer's norm.
    ///   - stream: the stream itself.
    func run(_ input: Rows, stream: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        switch self {
        case .dense(let network): try network.run(input, pass)
        case .plain(let network): try network.run(input, pass)
        case .mixture(let network): try network.run(input, pass)
        case .sideBySide(let networks): try networks.run(input, stream: stream, pass)
        }
    }
}
