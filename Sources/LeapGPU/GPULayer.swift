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

    /// What works on one position.
    enum FeedForward {
        case dense(GPUDense)
        case mixture(GPUMixture)
    }

    let mixerNorm: GPUNorm
    let mixer: Mixer
    /// A norm of the mixer's result, before it is added to the stream.
    let mixerPostNorm: GPUNorm?
    let feedForwardNorm: GPUNorm
    let feedForward: FeedForward
    /// A norm of the network's result, before it is added to the stream.
    let feedForwardPostNorm: GPUNorm?
}

/// A gated feed-forward network, as ``DenseFeedForward`` describes it.
struct GPUDense {
    let gate: GPUMatrix
    let up: GPUMatrix
    let down: GPUMatrix
    let activation: GPUKernel.ProductMode
}

/// Attention, as ``AttentionBlock`` describes it.
struct GPUAttention {
    let query: GPUMatrix
    let key: GPUMatrix
    let value: GPUMatrix
    let output: GPUMatrix
    /// Of queries, keys and values; nil where none of them has one.
    let bias: GPUBinding?
    let outputBias: GPUBinding?
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
    /// Whether it takes the kernel for biases.
    var hasBiases: Bool {
        if case .attention(let block) = mixer, block.bias != nil || block.outputBias != nil { return true }
        if case .mixture(let network) = feedForward { return network.hasBiases }
        return false
    }

    /// Why a layer cannot be computed by a device; nil if it can.
    static func obstacle(_ layer: DecoderLayer, of stack: LayerStack, keyValueType: KeyValueType) -> String? {
        if !stack.isCausal { return "its positions see those behind them" }
        if layer.isNormedAfter { return "its norms are of the stream behind its blocks" }
        guard layer.mixerPostNorm == nil || isSimple(layer.mixerPostNorm),
            layer.feedForwardPostNorm == nil || isSimple(layer.feedForwardPostNorm)
        else { return "its norms behind blocks have no kernel" }
        if layer.residualScale != 1 || layer.outputScale != 1 { return "its results are scaled" }
        if layer.tokenInput != nil { return "its tokens have vectors of their own" }
        if layer.alternating != nil || layer.laurel != nil { return "it has streams or residuals of its own" }
        guard isSimple(layer.mixerNorm), isSimple(layer.feedForwardNorm) else { return "its norms have no kernel" }
        if let reason = obstacle(layer.feedForward) { return reason }
        switch layer.mixer {
        case .attention(let block): return obstacle(block, keyValueType)
        case .shortConvolution(let block):
            if block.taps > GPUKernel.tapsMax || block.taps < 2 { return "its filters have \(block.taps) taps" }
            return obstacle([block.input, block.output])
        default: return "what mixes its positions has no kernel"
        }
    }

    private static func obstacle(_ feedForward: DecoderLayer.FeedForward?) -> String? {
        switch feedForward {
        case .dense(let network)? where mode(network.activation) != nil && network.cutoff == nil:
            obstacle([network.gate, network.up, network.down])
        case .mixture(let network)?: GPUMixture.obstacle(network)
        default: "its feed-forward network has no kernel"
        }
    }

    /// What becomes of the products of a network's gate; nil where there is no kernel for it.
    static func mode(_ activation: GateActivation) -> GPUKernel.ProductMode? {
        switch activation {
        case .silu: .gate
        case .gelu: .geluGate
        case .clampedSilu, .exactGELU: nil
        }
    }

    private static func isSimple(_ norm: Norm?) -> Bool {
        if case .rms(let norm)? = norm { norm.weight != nil } else { false }
    }

    private static func obstacle(_ block: AttentionBlock, _ keyValueType: KeyValueType) -> String? {
        guard let key = block.key, let value = block.value else { return "it has no keys or values of its own" }
        if keyValueType == .q8_0, block.headDimension % 2 != 0 {
            return "its heads have \(block.headDimension) elements, an odd number"
        }
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
        return obstacle([block.query, key, value, block.output], allowsBias: true)
    }

    /// Why products with some of the matrices cannot be computed.
    static func obstacle(_ matrices: [Matrix], allowsBias: Bool = false) -> String? {
        for matrix in matrices {
            if GPUKernel.vectorProduct(matrix.type) == nil {
                return "weights of type \(matrix.type.name) have no kernel"
            }
            if matrix.columns % GPUKernel.unit != 0 || matrix.rowByteCount % 2 != 0 {
                return "rows of \(matrix.columns) weights have no kernel"
            }
            if (matrix.bias != nil && !allowsBias) || matrix.scale != 1 || matrix.bounds != nil {
                return "its products have a bias, a scale or bounds"
            }
        }
        return nil
    }

    /// The matrices of a layer that has no obstacle, those of experts not among them.
    static func matrices(_ layer: DecoderLayer) -> [Matrix] {
        var matrices: [Matrix] = []
        switch layer.mixer {
        case .attention(let block):
            matrices = [block.query, block.key, block.value, block.output].compactMap { $0 }
        case .shortConvolution(let block): matrices = [block.input, block.output]
        default: break
        }
        switch layer.feedForward {
        case .dense(let network)?: matrices += [network.gate, network.up, network.down]
        case .mixture(let network)?: matrices.append(network.router.matrix)
        default: break
        }
        return matrices
    }

    /// The experts of a layer that has no obstacle, each stack as one matrix.
    static func stacks(_ layer: DecoderLayer) -> [Matrix] {
        if case .mixture(let network)? = layer.feedForward { GPUMixture.stacks(network) } else { [] }
    }
}

// MARK: Binding

extension GPULayer {
    /// Binds a layer that has no obstacle.
    init(_ layer: DecoderLayer, _ layout: CacheLayout, _ weights: GPUWeights) throws(GPUError) {
        mixerNorm = try Self.norm(layer.mixerNorm, weights)
        feedForwardNorm = try Self.norm(layer.feedForwardNorm, weights)
        mixerPostNorm = layer.mixerPostNorm == nil ? nil : try Self.norm(layer.mixerPostNorm, weights)
        feedForwardPostNorm = layer.feedForwardPostNorm == nil ? nil : try Self.norm(layer.feedForwardPostNorm, weights)
        switch layer.feedForward {
        case .dense(let network)?: feedForward = .dense(try GPUDense(network, weights))
        case .mixture(let network)?: feedForward = .mixture(try GPUMixture(network, weights))
        default: throw .invalid("a layer without a network that has kernels")
        }
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

extension GPUDense {
    init(_ network: DenseFeedForward, _ weights: GPUWeights) throws(GPUError) {
        guard let mode = GPULayer.mode(network.activation) else { throw .invalid("a network without kernels") }
        gate = try weights.matrix(network.gate)
        up = try weights.matrix(network.up)
        down = try weights.matrix(network.down)
        activation = mode
    }
}

extension GPUAttention {
    init(_ block: AttentionBlock, _ layout: CacheLayout, _ weights: GPUWeights) throws(GPUError) {
        guard let keys = block.key, let values = block.value else { throw .invalid("attention without keys") }
        query = try weights.matrix(block.query)
        key = try weights.matrix(keys)
        value = try weights.matrix(values)
        output = try weights.matrix(block.output)
        let projections = [block.query, keys, values]
        if projections.contains(where: { $0.bias != nil }) {
            bias = try weights.vector(
                projections.flatMap { $0.bias?.elements ?? [Float](repeating: 0, count: $0.rows) })
        } else {
            bias = nil
        }
        if let numbers = block.output.bias {
            outputBias = try weights.vector(numbers.elements)
        } else {
            outputBias = nil
        }
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
