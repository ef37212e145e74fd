import LeapCompute
import LeapModel

/// The last layers of a model as a device computes them.
struct GPUModel {
    let width: Int
    let layers: [GPULayer]
    /// The norm behind the layers; nil without one.
    let outputNorm: GPUNorm?
    /// The output head's matrix; nil where it stays with the processor.
    let head: GPUMatrix?
    let ropes: [RopeSpecification]
    let keyValueType: KeyValueType
    /// True if a position sees only itself and those before it.
    let isCausal: Bool
    /// The layers that are convolutions, in order.
    let convolutions: [GPUConvolution]
    /// The layers with states of fixed size, in order.
    let recurrences: [GPURecurrence]
    /// The sights of attention layers.
    let sights: Set<Sight>
    /// The most positions that a position sees, its own included; nil where some layer sees all.
    let window: Int?
    /// The distinct rotations, and those of layers that have the rows alone which something is wanted of.
    let rotations: Set<HeadRotation>
    let narrowedRotations: Set<HeadRotation>
    /// True if some layer convolves the patches of pictures.
    let convolvesImages: Bool
    /// The streams that layers go on with, and what makes one of them in the end; nil where there is one stream.
    let alternating: (count: Int, returns: [GPUMatrix])?
    /// The weights, which the layers' bindings are parts of.
    let weights: BoundWeights

    /// True if matrix units multiply prompts.
    let hasMatrixUnits: Bool

    /// The most rows that bindings and dispatches allow.
    let rowLimit: Int

    /// Binds the layers from the first on.
    init(
        _ stack: LayerStack, from first: Int, head: OutputHead?, _ layout: CacheLayout, _ device: any GPUDevice,
        _ reader: any WeightReader
    ) throws(GPUError) {
        let own = stack.layers[first...]
        let weights = try BoundWeights(
            Self.matrices(stack, from: first, head: head), stacks: own.flatMap(GPULayer.stacks), device, reader)
        var layers: [GPULayer] = []
        for layer in own { layers.append(try GPULayer(layer, layout, weights)) }
        let survey = LayerSurvey(layers, width: stack.width)
        self.weights = weights
        self.layers = layers
        convolutions = survey.convolutions
        recurrences = layers.compactMap(\.recurrence)
        sights = survey.sights
        window = sights.contains { $0.window == 0 } ? nil : sights.map(\.window).max() ?? 1
        rotations = survey.rotations
        convolvesImages = layers.contains {
            if case .gridConvolution? = $0.mixing?.mixer { true } else { false }
        }
        let lastKeeping = layers.lastIndex(where: \.keepsPositions) ?? -1
        narrowedRotations = Set(layers[(lastKeeping + 1)...].compactMap { $0.attention?.rope })
        alternating = try stack.alternating.map { (streams) throws(GPUError) in
            var returns: [GPUMatrix] = []
            for matrix in streams.returns { returns.append(try weights.matrix(matrix)) }
            return (streams.count, returns)
        }
        hasMatrixUnits = device.properties.hasMatrixUnits
        rowLimit = survey.rowLimit(streamLength: stack.width * (alternating?.count ?? 1), device.properties)
        width = stack.width
        isCausal = stack.isCausal
        ropes = stack.ropes
        keyValueType = layout.keyValueType
        outputNorm = stack.outputNorm == nil ? nil : try GPULayer.norm(stack.outputNorm, weights)
        if let head, Self.logitRows(head.matrix.rows, device.properties) > 0 {
            self.head = try weights.matrix(head.matrix)
        } else {
            self.head = nil
        }
    }

    /// The norms of rows.
    var norms: [GPUNorm] { layers.flatMap(\.norms) + (outputNorm.map { [$0] } ?? []) }

    /// The matrices of the layers from the first on, of what follows them, and of the head, those of experts not among
    /// them.
    static func matrices(_ stack: LayerStack, from first: Int, head: OutputHead?) -> [Matrix] {
        stack.layers[first...].flatMap(GPULayer.matrices) + (stack.alternating?.returns ?? [])
            + (head.map { [$0.matrix] } ?? [])
    }

    /// The vectors whose logits one binding covers, as many as let the next ones begin where a binding may.
    static func logitRows(_ vocabularySize: Int, _ properties: GPUProperties) -> Int {
        let alignment = max(1, properties.bindingAlignment / 4)
        return properties.bindingByteCount / 4 / vocabularySize / alignment * alignment
    }
}

/// The mixers of a model's layers, and the most that one of them asks of a device.
private struct LayerSurvey {
    /// The layers that are convolutions, in order.
    private(set) var convolutions: [GPUConvolution] = []
    private(set) var sights: Set<Sight> = []
    private(set) var rotations: Set<HeadRotation> = []
    /// Floats of a row between two kernels.
    private var longest: Int
    /// The heads of a row.
    private var heads = 1
    /// The experts, or the heads with a state, that a row has entries for.
    private var entries = 1

    /// - Parameter width: floats of the stream.
    init(_ layers: [GPULayer], width: Int) {
        longest = width
        for layer in layers {
            addMixer(layer)
            addNetwork(layer)
        }
    }

    private mutating func addMixer(_ layer: GPULayer) {
        if let laurel = layer.mixing?.laurel { longest = max(longest, laurel.down.rows) }
        if let block = layer.attention {
            sights.insert(block.sight)
            if let rope = block.rope { rotations.insert(rope) }
            longest = max(longest, block.rowLength)
            heads = max(heads, block.vectors)
        }
        if case .convolution(let block)? = layer.mixing?.mixer {
            convolutions.append(block)
            longest = max(longest, 3 * block.channels)
        }
        if case .gridConvolution(let block)? = layer.mixing?.mixer { longest = max(longest, 3 * block.channels) }
        if let block = layer.recurrence {
            longest = max(longest, block.longestRow)
            heads = max(heads, 2 * block.shape.keyHeads, block.shape.valueHeads)
            entries = max(entries, block.shape.valueHeads)
        }
    }

    private mutating func addNetwork(_ layer: GPULayer) {
        if let network = layer.dense { longest = max(longest, network.gate.rows) }
        if case .plain(let network)? = layer.feeding?.network {
            longest = max(longest, network.up.rows, network.down.columns)
        }
        if let network = layer.mixture {
            longest = max(longest, network.floatsPerRow, network.router.experts)
            entries = max(entries, network.router.used)
        }
        if let input = layer.tokenInput {
            // The vectors of all layers up to this one, at least.
            longest = max(longest, input.start + input.gate.rows)
        }
    }

    /// The most rows that bindings and dispatches allow.
    ///
    /// - Parameter streamLength: floats of a row in front of the layers.
    func rowLimit(streamLength: Int, _ limits: GPUProperties) -> Int {
        let longest = max(longest, streamLength, convolutions.reduce(0) { $0 + $1.channels })
        return min(
            limits.bindingByteCount / 4 / longest, limits.groupCounts[0] * GPUKernel.rowsPerGroup / heads,
            limits.groupCounts[1] / entries, limits.groupCounts[0])
    }
}
