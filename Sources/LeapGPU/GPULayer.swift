import LeapCPU
import LeapCompute
import LeapGGUF
import LeapModel

/// A layer as a device computes it.
struct GPULayer {
    /// What looks at other positions.
    enum Mixer {
        case attention(GPUAttention)
        case convolution(GPUConvolution)
    }

    let mixerNorm: GPUNorm
    let mixer: Mixer
    let feedForwardNorm: GPUNorm
    let gate: GPUMatrix
    let up: GPUMatrix
    let down: GPUMatrix
}

/// Attention, as ``AttentionBlock`` describes it.
struct GPUAttention {
    let query: GPUMatrix
    let key: GPUMatrix
    let value: GPUMatrix
    let output: GPUMatrix
    /// The gains of the queries and then those of the keys.
    let headNorm: GPUNorm?
    let heads: Int
    let keyHeads: Int
    let headLength: Int
    let scale: Float
    let window: Int
    let sinks: GPUBinding?
    let rope: Int?
    /// Where a page has the layer's keys and values, in bytes.
    let place: CacheLayout.Attention

    /// Floats of a row of queries, keys and values.
    var rowLength: Int { (heads + 2 * keyHeads) * headLength }
}

/// A short convolution, as ``ShortConvolutionBlock`` describes it.
struct GPUConvolution {
    let input: GPUMatrix
    let output: GPUMatrix
    let filters: GPUBinding
    let taps: Int
    let channels: Int
    /// Which of the model's convolutions it is.
    let cacheIndex: Int
}

// MARK: What can be computed

extension GPULayer {
    /// Why a layer cannot be computed by a device; nil if it can.
    static func obstacle(_ layer: DecoderLayer, of stack: LayerStack, keyValueType: KeyValueType) -> String? {
        if !stack.isCausal { return "its positions see those behind them" }
        if layer.mixerPostNorm != nil || layer.feedForwardPostNorm != nil || layer.isNormedAfter {
            return "it has norms behind its blocks"
        }
        if layer.residualScale != 1 || layer.outputScale != 1 { return "its results are scaled" }
        if layer.tokenInput != nil { return "its tokens have vectors of their own" }
        if layer.alternating != nil || layer.laurel != nil { return "it has streams or residuals of its own" }
        guard isSimple(layer.mixerNorm), isSimple(layer.feedForwardNorm) else { return "its norms have no kernel" }
        guard case .dense(let network)? = layer.feedForward, case .silu = network.activation, network.cutoff == nil
        else {
            return "its feed-forward network has no kernel"
        }
        if let reason = obstacle([network.gate, network.up, network.down]) { return reason }
        switch layer.mixer {
        case .attention(let block): return obstacle(block, keyValueType)
        case .shortConvolution(let block):
            if block.taps > GPUKernel.tapsMax || block.taps < 2 { return "its filters have \(block.taps) taps" }
            return obstacle([block.input, block.output])
        default: return "what mixes its positions has no kernel"
        }
    }

    private static func isSimple(_ norm: Norm?) -> Bool {
        if case .rms(let norm)? = norm { norm.weight != nil } else { false }
    }

    private static func obstacle(_ block: AttentionBlock, _ keyValueType: KeyValueType) -> String? {
        guard let key = block.key, let value = block.value else { return "it has no keys or values of its own" }
        if keyValueType == .q8_0 { return "keys and values of type q8_0 cannot be written" }
        if block.valueNorm != nil || block.headGate != nil || block.hasGatesBehindQueries || block.temperature != nil {
            return "its attention has gates, or norms of its values"
        }
        if block.secondRope != nil { return "it has two rotations" }
        guard block.headDimension <= GPUKernel.headLengthMax else {
            return "its heads have \(block.headDimension) elements"
        }
        switch (block.queryNorm, block.keyNorm) {
        case (nil, nil): break
        case (let query?, let key?) where query.epsilon == key.epsilon && query.weight != nil && key.weight != nil:
            guard query.weight?.count == block.headDimension, key.weight?.count == block.headDimension else {
                return "its norms are not of heads"
            }
        default: return "the norms of its queries and keys differ"
        }
        return obstacle([block.query, key, value, block.output])
    }

    /// Why products with some of the matrices cannot be computed.
    static func obstacle(_ matrices: [Matrix]) -> String? {
        for matrix in matrices {
            if GPUKernel.vectorProduct(matrix.type) == nil {
                return "weights of type \(matrix.type.name) have no kernel"
            }
            if matrix.columns % GPUKernel.unit != 0 || matrix.rowByteCount % 2 != 0 {
                return "rows of \(matrix.columns) weights have no kernel"
            }
            if matrix.bias != nil || matrix.scale != 1 || matrix.bounds != nil {
                return "its products have a bias, a scale or bounds"
            }
        }
        return nil
    }

    /// The matrices of a layer that has no obstacle.
    static func matrices(_ layer: DecoderLayer) -> [Matrix] {
        var matrices: [Matrix] = []
        switch layer.mixer {
        case .attention(let block):
            matrices = [block.query, block.key, block.value, block.output].compactMap { $0 }
        case .shortConvolution(let block): matrices = [block.input, block.output]
        default: break
        }
        if case .dense(let network)? = layer.feedForward { matrices += [network.gate, network.up, network.down] }
        return matrices
    }
}

// MARK: Binding

extension GPULayer {
    /// Binds a layer that has no obstacle.
    init(_ layer: DecoderLayer, _ layout: CacheLayout, _ weights: GPUWeights) throws(GPUError) {
        guard case .dense(let network)? = layer.feedForward else { throw .invalid("a layer without a dense network") }
        mixerNorm = try Self.norm(layer.mixerNorm, weights)
        feedForwardNorm = try Self.norm(layer.feedForwardNorm, weights)
        gate = try weights.matrix(network.gate)
        up = try weights.matrix(network.up)
        down = try weights.matrix(network.down)
        switch layer.mixer {
        case .attention(let block): mixer = .attention(try GPUAttention(block, layout, weights))
        case .shortConvolution(let block):
            mixer = .convolution(
                GPUConvolution(
                    input: try weights.matrix(block.input), output: try weights.matrix(block.output),
                    filters: try weights.vector(block.filters.elements), taps: block.taps, channels: block.channels,
                    cacheIndex: block.cacheIndex))
        default: throw .invalid("a layer without a mixer that has kernels")
        }
    }

    /// Binds a norm over rows.
    static func norm(_ norm: Norm?, _ weights: GPUWeights) throws(GPUError) -> GPUNorm {
        guard case .rms(let norm)? = norm, let weight = norm.weight else { throw .invalid("a norm without a kernel") }
        return GPUNorm(gains: try weights.vector(weight.elements), epsilon: norm.epsilon)
    }
}

extension GPUAttention {
    init(_ block: AttentionBlock, _ layout: CacheLayout, _ weights: GPUWeights) throws(GPUError) {
        guard let keys = block.key, let values = block.value else { throw .invalid("attention without keys") }
        query = try weights.matrix(block.query)
        key = try weights.matrix(keys)
        value = try weights.matrix(values)
        output = try weights.matrix(block.output)
        if let queryGains = block.queryNorm?.weight, let keyNorm = block.keyNorm, let keyGains = keyNorm.weight {
            headNorm = GPUNorm(
                gains: try weights.vector(queryGains.elements + keyGains.elements), epsilon: keyNorm.epsilon)
        } else {
            headNorm = nil
        }
        heads = block.heads
        keyHeads = block.keyValueHeads
        headLength = block.headDimension
        scale = block.scale
        window = block.window
        if let numbers = block.sinks { sinks = try weights.vector(numbers.elements) } else { sinks = nil }
        rope = block.rope
        place = layout.attention[block.cacheIndex]
    }
}
