import LeapCPU
import LeapCompute
import LeapModel

/// The last layers of a model as a device computes them.
struct GPUModel {
    let width: Int
    let layers: [GPULayer]
    let outputNorm: GPUNorm
    /// The output head's matrix; nil where it stays with the processor.
    let head: GPUMatrix?
    let ropes: [RopeSpecification]
    let keyValueType: KeyValueType
    /// The layers that are convolutions, in order.
    let convolutions: [GPUConvolution]
    /// The distinct windows of attention; 0 is none.
    let windows: Set<Int>
    /// The distinct rotations.
    let rotations: Set<Int>
    /// The weights, which the layers' bindings are parts of.
    let weights: GPUWeights

    /// The most rows that bindings and dispatches allow.
    let rowLimit: Int

    /// Binds the layers from the first on.
    init(
        _ stack: LayerStack, from first: Int, head: OutputHead?, _ layout: CacheLayout, _ device: any GPUDevice
    ) throws(GPUError) {
        let own = stack.layers[first...]
        let headMatrices = head.map { [$0.matrix] } ?? []
        let weights = try GPUWeights(
            own.flatMap(GPULayer.matrices) + headMatrices, stacks: own.flatMap(GPULayer.stacks), device)
        var layers: [GPULayer] = []
        for layer in own { layers.append(try GPULayer(layer, layout, weights)) }
        var (convolutions, windows, rotations): ([GPUConvolution], Set<Int>, Set<Int>) = ([], [], [])
        // Floats of a row between two kernels, and its heads.
        var (longest, heads, entries) = (stack.width, 1, 1)
        for layer in layers {
            switch layer.feedForward {
            case .dense(let network): longest = max(longest, network.gate.rows)
            case .mixture(let network):
                longest = max(longest, network.floatsPerRow, network.router.experts)
                entries = max(entries, network.router.used)
            }
            switch layer.mixer {
            case .attention(let block):
                windows.insert(block.window)
                if let rope = block.rope { rotations.insert(rope) }
                longest = max(longest, block.rowLength)
                heads = max(heads, block.heads + 2 * block.keyHeads)
            case .convolution(let block):
                convolutions.append(block)
                longest = max(longest, 3 * block.channels)
            }
        }
        self.weights = weights
        self.layers = layers
        self.convolutions = convolutions
        self.windows = windows
        self.rotations = rotations
        let limits = device.properties
        longest = max(longest, convolutions.reduce(0) { $0 + $1.channels })
        rowLimit = min(
            limits.bindingByteCount / 4 / longest, limits.groupCounts[0] * GPUKernel.rowsPerGroup / heads,
            limits.groupCounts[1] / entries)
        width = stack.width
        ropes = stack.ropes
        keyValueType = layout.keyValueType
        outputNorm = try GPULayer.norm(stack.outputNorm, weights)
        if let head, Self.logitRows(head.matrix.rows, device.properties) > 0 {
            self.head = try weights.matrix(head.matrix)
        } else {
            self.head = nil
        }
    }

    /// The vectors whose logits one binding covers, as many as let the next ones begin where a binding may.
    static func logitRows(_ vocabularySize: Int, _ properties: GPUProperties) -> Int {
        let alignment = max(1, properties.bindingAlignment / 4)
        return properties.bindingByteCount / 4 / vocabularySize / alignment * alignment
    }
}
