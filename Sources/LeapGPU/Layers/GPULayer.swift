import LeapCompute
import LeapGGUF
import LeapModel

/// A layer as a device computes it.
struct GPULayer {
    /// The part that looks at other positions.
    enum Mixer {
        case attention(GPUAttention)
        case convolution(GPUConvolution)
        case gridConvolution(GPUGridConvolution)
        case recurrence(GPURecurrence)
        /// Both read the same, and what they make of it is added up.
        case attentionAndRecurrence(GPUAttention, GPURecurrence)
    }

    /// The part that works on one position.
    enum FeedForward {
        case dense(GPUDense)
        case plain(GPUPlain)
        case mixture(GPUMixture)
        case sideBySide(GPUSideBySide)
    }

    /// A mixer behind its norm.
    struct Mixing {
        let norm: GPUNorm
        let mixer: Mixer
        /// A residual of what the mixer reads; nil without.
        let laurel: GPULaurel?
    }

    /// A network behind its norm.
    struct Feeding {
        let norm: GPUNorm
        let network: FeedForward
    }

    /// The update of streams side by side; nil where there is one stream.
    let update: GPUStreamUpdate?
    /// nil in a layer that is a network alone.
    let mixing: Mixing?
    /// A norm of the mixer's result, before it is added to the stream.
    let mixerPostNorm: GPUNorm?
    /// nil in a layer that is a mixer alone.
    let feeding: Feeding?
    /// A norm of the network's result, before it is added to the stream.
    let feedForwardPostNorm: GPUNorm?
    /// Multiplies what both make before it is added to the stream.
    let residualScale: Float
    /// The addition from the tokens' own vectors; nil without.
    let tokenInput: GPUTokenInput?
    /// The factor of the stream behind the layer.
    let outputScale: Float
}

extension GPULayer {
    /// The layer's attention; nil without one.
    var attention: GPUAttention? {
        switch mixing?.mixer {
        case .attention(let block), .attentionAndRecurrence(let block, _): block
        case .convolution, .gridConvolution, .recurrence, nil: nil
        }
    }

    /// The part that keeps a state of fixed size; nil without one.
    var recurrence: GPURecurrence? {
        switch mixing?.mixer {
        case .recurrence(let block), .attentionAndRecurrence(_, let block): block
        case .attention, .convolution, .gridConvolution, nil: nil
        }
    }

    /// The layer's mixture of experts; nil without one.
    var mixture: GPUMixture? {
        switch feeding?.network {
        case .mixture(let network)?: network
        case .sideBySide(let networks)?: networks.mixture
        case .dense?, .plain?, nil: nil
        }
    }

    /// The layer's gated network; nil without one.
    var dense: GPUDense? {
        switch feeding?.network {
        case .dense(let network)?: network
        case .sideBySide(let networks)?: networks.dense
        case .plain?, .mixture?, nil: nil
        }
    }

    /// The factor of the sum behind the layer's last block; that behind an addition from tokens' vectors goes with
    /// this.
    var finalFactor: Float { tokenInput == nil ? outputScale : 1 }

    /// True if it keeps something of a position for those behind it.
    var keepsPositions: Bool {
        guard let mixing else { return false }
        if case .attention(let block) = mixing.mixer { return block.keys != nil }
        return true
    }
}

/// A gated feed-forward network, as ``DenseFeedForward`` describes it.
struct GPUDense {
    let gate: GPUMatrix
    let up: GPUMatrix
    let down: GPUMatrix
    let activation: GPUKernel.ProductMode
    /// The number of standard deviations above the mean of its row that a gate must have to count; nil where all count.
    let cutoff: Float?
}

/// A network without a gate, as ``PlainFeedForward`` describes it.
struct GPUPlain {
    let up: GPUMatrix
    let down: GPUMatrix
    /// nil where the activation is a part of the product, which has no bias then.
    let activation: Activation?
    let downBias: GPUBinding?

    /// An activation in a kernel of its own, which adds the first product's bias too.
    struct Activation {
        let isExact: Bool
        let bias: GPUBinding?
    }
}

/// The positions that one of an attention layer sees, and the temperature of its queries.
struct Sight: Hashable {
    /// The number of positions back, its own included; 0 is all.
    let window: Int
    /// The growth of queries with their positions; nil where they do not grow.
    let temperature: QueryTemperature?
    /// True if the positions of a picture see all of it.
    var seesWholeImages = false
}

/// Attention, as ``AttentionBlock`` describes it.
struct GPUAttention {
    /// The projections of keys and values, which are one matrix where values are the keys as they were projected.
    struct Keys {
        let key: GPUMatrix
        let value: GPUMatrix
        /// True if values are normed, without gains.
        let normsValues: Bool
    }

    let query: GPUMatrix
    /// nil where a layer before this one keeps the keys and values that this one reads.
    let keys: Keys?
    let output: GPUMatrix
    /// Of queries, keys and values; nil where none of them has one.
    let bias: GPUBinding?
    let outputBias: GPUBinding?
    /// The projection to a gate for each head, or for each of its elements; nil without.
    let headGate: GPUMatrix?
    /// True if each head of the queries is followed by as many gates.
    let hasGatesBehindQueries: Bool
    /// The gains of the queries and then those of the keys; where values alone are normed, nil.
    let headNorm: GPUNorm?
    /// The epsilon of the norm of values.
    let valueEpsilon: Float
    let heads: Int
    let keyHeads: Int
    let headLength: Int
    let scale: Float
    let sight: Sight
    let sinks: GPUBinding?
    let rope: HeadRotation?
    /// The places of the layer's keys and values in a page, in bytes.
    let place: CacheLayout.Attention

    /// True if several heads that have the same key head can be computed together.
    var hasGroups: Bool {
        heads / keyHeads % GPUKernel.headsTogether == 0
            && headLength * GPUKernel.headsTogether <= GPUKernel.headLengthMax
    }
    /// Gates of a row that have a matrix of their own.
    var gateCount: Int { headGate?.rows ?? 0 }
    /// True if these are of each element of the heads.
    var gatesElements: Bool { headGate != nil && gateCount != heads }
    /// Heads of queries and of their gates.
    var queryVectors: Int { (hasGatesBehindQueries ? 2 : 1) * heads }
    /// Heads of a row of queries, their gates, keys and values.
    var vectors: Int { queryVectors + (keys == nil ? 0 : 2 * keyHeads) }
    /// Floats of such a row.
    var rowLength: Int { vectors * headLength }
}

/// A short convolution, as ``ShortConvolutionBlock`` describes it.
struct GPUConvolution {
    let input: GPUMatrix
    let output: GPUMatrix
    let filters: GPUBinding
    let taps: Int
    let channels: Int
    /// Its index among the model's convolutions.
    let cacheIndex: Int
}

// MARK: What can be computed

extension GPULayer {
    /// True if it takes the kernel for biases.
    var hasBiases: Bool {
        if let block = attention, block.bias != nil || block.outputBias != nil { return true }
        if case .plain(let network)? = feeding?.network, network.downBias != nil { return true }
        return mixture?.hasBiases ?? false
    }

    /// The norms in front of and behind its blocks.
    var norms: [GPUNorm] { [mixing?.norm, mixerPostNorm, feeding?.norm, feedForwardPostNorm].compactMap { $0 } }

    /// The activations of plain networks that have a kernel of their own.
    var activation: GPUPlain.Activation? {
        if case .plain(let network)? = feeding?.network { network.activation } else { nil }
    }

    /// The reason why a device cannot compute a layer; nil if it can.
    ///
    /// - Parameter isTower: whether the stack encodes pictures, each of them in one segment whose positions see each
    ///   other.
    static func obstacle(
        _ layer: DecoderLayer, of stack: LayerStack, keyValueType: KeyValueType, isTower: Bool = false
    ) -> String? {
        if !stack.isCausal, !isTower || !canSeeAll(layer) { return "its positions attend to later ones" }
        if layer.isNormedAfter { return "its norms apply to the stream after its blocks" }
        guard layer.mixerPostNorm == nil || isSimple(layer.mixerPostNorm),
            layer.feedForwardPostNorm == nil || isSimple(layer.feedForwardPostNorm)
        else { return "its norms after blocks have no kernel" }
        // The sum behind the last norm is scaled with it.
        let lastNorm = layer.feedForward == nil ? layer.mixerPostNorm : layer.feedForwardPostNorm
        if layer.outputScale != 1, layer.alternating != nil || (layer.tokenInput == nil && lastNorm == nil) {
            return "the stream that follows it is scaled"
        }
        if layer.residualScale != 1, layer.mixerPostNorm != nil || layer.feedForwardPostNorm != nil {
            return "its results are normed and scaled"
        }
        if let input = layer.tokenInput, let reason = GPUTokenInput.obstacle(input) { return reason }
        if let update = layer.alternating, let reason = GPUStreamUpdate.obstacle(update, of: stack) { return reason }
        if let laurel = layer.laurel {
            guard layer.mixer != nil, layer.mixerPostNorm != nil else { return "the sum of its residual is scaled" }
            if let reason = GPULaurel.obstacle(laurel) { return reason }
        }
        if layer.mixer == nil, layer.feedForward == nil { return "it has nothing to compute" }
        guard layer.mixer == nil || isSimple(layer.mixerNorm, orLayerNorm: true),
            layer.feedForward == nil || isSimple(layer.feedForwardNorm, orLayerNorm: true)
        else { return "its norms have no kernel" }
        return layer.feedForward.flatMap(obstacle) ?? layer.mixer.flatMap { obstacle($0, stack.ropes, keyValueType) }
    }

    /// True if nothing in a layer tells positions behind one from those before it.
    private static func canSeeAll(_ layer: DecoderLayer) -> Bool {
        switch layer.mixer {
        case .attention(let block)?: block.window == 0 && block.reach == nil
        case .gridConvolution?, nil: true
        case .shortConvolution?, .deltaNet?, .mamba?, .attentionAndMamba?: false
        }
    }

    private static func obstacle(
        _ mixer: DecoderLayer.Mixer, _ ropes: [RopeSpecification], _ keyValueType: KeyValueType
    ) -> String? {
        switch mixer {
        case .attention(let block): return obstacle(block, ropes, keyValueType)
        case .shortConvolution(let block):
            if block.taps > GPUKernel.tapsMax || block.taps < 2 { return "its filters have \(block.taps) taps" }
            return obstacle([block.input, block.output])
        case .deltaNet(let block): return GPURecurrence.obstacle(block)
        case .mamba(let block): return GPURecurrence.obstacle(block)
        case .attentionAndMamba(let attention, let mamba):
            return obstacle(attention, ropes, keyValueType) ?? GPURecurrence.obstacle(mamba)
        case .gridConvolution(let block): return GPUGridConvolution.obstacle(block)
        }
    }

    private static func obstacle(_ feedForward: DecoderLayer.FeedForward) -> String? {
        switch feedForward {
        case .dense(let network): obstacle(network)
        case .plain(let network): obstacle(network)
        case .mixture(let network): GPUMixture.obstacle(network)
        case .sideBySide(let networks): GPUSideBySide.obstacle(networks)
        }
    }

    static func obstacle(_ network: DenseFeedForward) -> String? {
        guard let mode = mode(network.activation) else { return "its feed-forward network has no kernel" }
        let isBounded = network.gate.bounds != nil
        guard isBounded == (network.up.bounds != nil) else { return "one of its gate and up matrices has no bounds" }
        return obstacle([network.gate, network.up], allowsBounds: mode == .geluGate)
            ?? obstacle([network.down], allowsBounds: true)
    }

    static func obstacle(_ network: PlainFeedForward) -> String? {
        switch network.activation {
        case .relu: "its feed-forward network has no kernel"
        case .squaredReLU: obstacle([network.up, network.down])
        case .gelu, .exactGELU:
            obstacle([network.up], allowsBias: true)
                ?? obstacle([network.down], allowsBias: true, allowsOtherLengths: true)
        }
    }

    /// The mode of the products behind a network's gate; nil where there is no kernel for it.
    static func mode(_ activation: GateActivation) -> GPUKernel.ProductMode? {
        switch activation {
        case .silu: .gate
        case .gelu: .geluGate
        case .clampedSilu, .exactGELU: nil
        }
    }

    /// True for the norm behind a stack that can be computed, and for none.
    static func hasKernel(_ norm: Norm?) -> Bool { norm == nil || isSimple(norm, orLayerNorm: true) }

    static func isSimple(_ norm: Norm?, orLayerNorm: Bool = false) -> Bool {
        switch norm {
        case .rms(let norm)?: norm.weight != nil
        case .layer?: orLayerNorm
        case nil: false
        }
    }

    private static func obstacle(
        _ block: AttentionBlock, _ ropes: [RopeSpecification], _ keyValueType: KeyValueType
    ) -> String? {
        if keyValueType == .q8_0, block.headDimension % 2 != 0 {
            return "its heads have \(block.headDimension) elements, an odd number"
        }
        if block.key == nil, block.hasGatesBehindQueries || block.headGate != nil {
            return "it reads the keys of another layer and has gates"
        }
        if let norm = block.valueNorm {
            guard norm.weight == nil, block.queryNorm.map({ $0.epsilon == norm.epsilon }) ?? true else {
                return "the norms of its queries and values differ"
            }
        }
        if let gate = block.headGate, let reason = obstacle([gate]) { return reason }
        if let reason = HeadRotation.obstacle(block, ropes) { return reason }
        guard block.headDimension <= GPUKernel.headLengthMax else {
            return "its heads have \(block.headDimension) elements"
        }
        switch (block.queryNorm, block.keyNorm) {
        case (nil, nil): break
        case (let query?, let key?) where query.epsilon == key.epsilon && query.weight != nil && key.weight != nil:
            guard query.weight?.count == block.headDimension, key.weight?.count == block.headDimension else {
                return "its norms are not per head"
            }
        case (let query?, nil) where block.key == nil && query.weight?.count == block.headDimension: break
        default: return "the norms of its queries and keys differ"
        }
        return obstacle(matrices(block), allowsBias: true, allowsBounds: true)
    }

    /// The reason why products with one of the matrices cannot be computed; nil if all can.
    ///
    /// - Parameters:
    ///   - allowsBounds: whether inputs and outputs may be cut to bounds, where no matrix has a bias.
    ///   - allowsOtherLengths: whether rows of single elements may have any length, as their inputs have zeros behind
    ///     them.
    static func obstacle(
        _ matrices: [Matrix], allowsBias: Bool = false, allowsBounds: Bool = false, allowsOtherLengths: Bool = false
    ) -> String? {
        let hasBiases = matrices.contains { $0.bias != nil }
        for matrix in matrices {
            if GPUKernel.vectorProduct(matrix.type) == nil {
                return "weights of type \(matrix.type.name) have no kernel"
            }
            let isLonger = allowsOtherLengths && matrix.type.blockSize == 1
            if (matrix.columns % GPUKernel.unit != 0 && !isLonger) || matrix.rowByteCount % 2 != 0 {
                return "rows of \(matrix.columns) weights have no kernel"
            }
            let isOutside = matrix.bounds != nil && (!allowsBounds || hasBiases)
            if (matrix.bias != nil && !allowsBias) || matrix.scale != 1 || isOutside {
                return "its products have a bias, a scale or bounds"
            }
        }
        return nil
    }

    /// The matrices of attention, but that of gates.
    private static func matrices(_ block: AttentionBlock) -> [Matrix] {
        [block.query, block.key, block.value, block.output].compactMap { $0 }
    }

    /// The matrices of a layer that has no obstacle, those of experts not among them.
    static func matrices(_ layer: DecoderLayer) -> [Matrix] {
        var matrices: [Matrix] = []
        if let block = layer.mixer?.attention {
            matrices = Self.matrices(block) + (block.headGate.map { [$0] } ?? [])
        }
        switch layer.mixer {
        case .shortConvolution(let block)?: matrices += [block.input, block.output]
        case .deltaNet(let block)?: matrices += GPURecurrence.matrices(block)
        case .mamba(let block)?, .attentionAndMamba(_, let block)?: matrices += GPURecurrence.matrices(block)
        case .gridConvolution(let block)?: matrices += [block.input, block.output]
        case .attention?, nil: break
        }
        switch layer.feedForward {
        case .dense(let network)?: matrices += [network.gate, network.up, network.down]
        case .plain(let network)?: matrices += [network.up, network.down]
        case .mixture(let network)?: matrices += GPUMixture.matrices(network)
        case .sideBySide(let networks)?: matrices += GPUSideBySide.matrices(networks)
        case nil: break
        }
        if let input = layer.tokenInput { matrices += GPUTokenInput.matrices(input) }
        if let update = layer.alternating { matrices.append(update.router) }
        if let laurel = layer.laurel { matrices += [laurel.down, laurel.up] }
        return matrices
    }

    /// The experts of a layer that has no obstacle, each stack as one matrix.
    static func stacks(_ layer: DecoderLayer) -> [Matrix] {
        layer.feedForward?.mixture.map(GPUMixture.stacks) ?? []
    }
}

// MARK: Binding

extension GPULayer {
    /// Binds a layer that has no obstacle.
    init(_ layer: DecoderLayer, _ layout: CacheLayout, _ weights: BoundWeights) throws(GPUError) {
        residualScale = layer.residualScale
        outputScale = layer.outputScale
        update = try layer.alternating.map { (update) throws(GPUError) in try GPUStreamUpdate(update, weights) }
        tokenInput = try layer.tokenInput.map { (input) throws(GPUError) in try GPUTokenInput(input, weights) }
        mixerPostNorm = layer.mixerPostNorm == nil ? nil : try Self.norm(layer.mixerPostNorm, weights)
        feedForwardPostNorm = layer.feedForwardPostNorm == nil ? nil : try Self.norm(layer.feedForwardPostNorm, weights)
        if let network = layer.feedForward {
            feeding = Feeding(
                norm: try Self.norm(layer.feedForwardNorm, weights), network: try FeedForward(network, weights))
        } else {
            feeding = nil
        }
        if let mixer = layer.mixer {
            mixing = Mixing(
                norm: try Self.norm(layer.mixerNorm, weights), mixer: try Mixer(mixer, layout, weights),
                laurel: try layer.laurel.map { (block) throws(GPUError) in try GPULaurel(block, weights) })
        } else {
            mixing = nil
        }
    }

    /// Binds a norm over rows.
    static func norm(_ norm: Norm?, _ weights: BoundWeights) throws(GPUError) -> GPUNorm {
        switch norm {
        case .rms(let norm)?:
            guard let weight = norm.weight else { throw .invalid("a norm without a kernel") }
            return GPUNorm(gains: try weights.vector(weight), epsilon: norm.epsilon)
        case .layer(let norm)?:
            return GPUNorm(
                gains: try weights.vector(norm.weight), epsilon: norm.epsilon, isCentred: true,
                bias: try weights.vector(norm.bias))
        case nil: throw .invalid("a norm without a kernel")
        }
    }
}

extension GPULayer.Mixer {
    init(_ mixer: DecoderLayer.Mixer, _ layout: CacheLayout, _ weights: BoundWeights) throws(GPUError) {
        switch mixer {
        case .attention(let block): self = .attention(try GPUAttention(block, layout, weights))
        case .shortConvolution(let block):
            self = .convolution(
                GPUConvolution(
                    input: try weights.matrix(block.input), output: try weights.matrix(block.output),
                    filters: try weights.vector(block.filters), taps: block.taps, channels: block.channels,
                    cacheIndex: block.cacheIndex))
        case .deltaNet(let block): self = .recurrence(try GPURecurrence(block, layout, weights))
        case .mamba(let block): self = .recurrence(try GPURecurrence(block, layout, weights))
        case .attentionAndMamba(let attention, let mamba):
            self = .attentionAndRecurrence(
                try GPUAttention(attention, layout, weights), try GPURecurrence(mamba, layout, weights))
        case .gridConvolution(let block): self = .gridConvolution(try GPUGridConvolution(block, weights))
        }
    }
}

extension GPULayer.FeedForward {
    init(_ network: DecoderLayer.FeedForward, _ weights: BoundWeights) throws(GPUError) {
        switch network {
        case .dense(let network): self = .dense(try GPUDense(network, weights))
        case .plain(let network): self = .plain(try GPUPlain(network, weights))
        case .mixture(let network): self = .mixture(try GPUMixture(network, weights))
        case .sideBySide(let networks): self = .sideBySide(try GPUSideBySide(networks, weights))
        }
    }
}

extension GPUPlain {
    init(_ network: PlainFeedForward, _ weights: BoundWeights) throws(GPUError) {
        up = try weights.matrix(network.up)
        down = try weights.matrix(network.down)
        let isExact: Bool? =
            switch network.activation {
            case .relu, .squaredReLU: nil
            case .gelu: false
            case .exactGELU: true
            }
        activation = try isExact.map { (isExact) throws(GPUError) in
            Activation(isExact: isExact, bias: try weights.vector(network.up.bias))
        }
        downBias = try weights.vector(network.down.bias)
    }
}

extension GPUDense {
    init(_ network: DenseFeedForward, _ weights: BoundWeights) throws(GPUError) {
        guard let mode = GPULayer.mode(network.activation) else { throw .invalid("a network without kernels") }
        gate = try weights.matrix(network.gate)
        up = try weights.matrix(network.up)
        down = try weights.matrix(network.down)
        activation = mode
        cutoff = network.cutoff
    }
}

extension GPUAttention {
    init(_ block: AttentionBlock, _ layout: CacheLayout, _ weights: BoundWeights) throws(GPUError) {
        query = try weights.matrix(block.query)
        keys = try block.key.map { (key) throws(GPUError) in
            Keys(
                key: try weights.matrix(key), value: try weights.matrix(block.value ?? key),
                normsValues: block.valueNorm != nil)
        }
        output = try weights.matrix(block.output)
        let projections = [block.query] + (block.key.map { [$0, block.value ?? $0] } ?? [])
        if projections.contains(where: { $0.bias != nil }) {
            bias = try weights.vector(projections.flatMap(weights.biases))
        } else {
            bias = nil
        }
        outputBias = try weights.vector(block.output.bias)
        if let norm = block.queryNorm, let gains = norm.weight {
            headNorm = GPUNorm(
                gains: try weights.vector(
                    weights.elements(of: gains) + (block.keyNorm?.weight.map(weights.elements) ?? [])),
                epsilon: norm.epsilon)
        } else {
            headNorm = nil
        }
        valueEpsilon = block.valueNorm?.epsilon ?? 1
        if let matrix = block.headGate { headGate = try weights.matrix(matrix) } else { headGate = nil }
        hasGatesBehindQueries = block.hasGatesBehindQueries
        heads = block.heads
        keyHeads = block.keyValueHeads
        headLength = block.headDimension
        scale = block.scale
        sight = Sight(
            window: block.window, temperature: block.temperature, seesWholeImages: block.seesWholeImages)
        sinks = try weights.vector(block.sinks)
        rope = HeadRotation(block)
        place = layout.attention[block.cacheIndex]
    }
}
