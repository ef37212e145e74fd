import LeapBase
import LeapGGUF

extension VisionTower {
    /// Elements of rotations turn by this base where a file does not say.
    private static let usualBase: Float = 1e6

    /// LFM3-VL's tower (transformers, `modeling_lfm3_vl.py`): gated convolutions over the grid of patches and attention
    /// with norms of heads and rotations by rows and columns, gated networks, and a norm of each patch's vector before
    /// and behind the layers.
    ///
    /// A layer is what its tensors make of it: a convolution where there are its filters, else attention.
    static func lfm3(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        let numbers = try TowerHyperparameters(reader)
        try numbers.checkGrid(reader)
        let length = numbers.length
        let names = LFM3TensorNames(binder)
        func norm(_ name: String) throws -> Norm {
            .rms(try binder.rmsNorm(name, count: length, epsilon: numbers.epsilon))
        }
        let layers = try (0..<numbers.layers).map { layer in
            let prefix = "v.blk.\(layer)."
            let network = DenseFeedForward(
                gate: try binder.matrix(prefix + "ffn_gate", rows: numbers.inner, columns: length),
                up: try binder.matrix(prefix + "ffn_up", rows: numbers.inner, columns: length),
                down: try binder.matrix(prefix + "ffn_down", rows: length, columns: numbers.inner))
            let convolution = ConvolutionNames.found(binder, prefix)
            let mixer: DecoderLayer.Mixer =
                if let convolution {
                    .gridConvolution(try numbers.convolution(binder, prefix, convolution))
                } else {
                    .attention(
                        try binder.groupedAttention(
                            prefix, length: length, heads: numbers.heads, epsilon: numbers.epsilon))
                }
            return DecoderLayer(
                mixerNorm: try norm(prefix + "ln1"), mixer: mixer,
                feedForwardNorm: try norm(prefix + "ln2"), feedForward: .dense(network))
        }
        let base = try reader.optionalFloat("rope.freq_base", in: 1...1e12) ?? usualBase
        return VisionTower(
            patchSize: numbers.patchSize, length: length, patches: try numbers.patches(binder),
            secondPatches: try numbers.patches(binder, weight: "weight.1"), patchNorm: try norm(names.patchNorm),
            stack: LayerStack(
                width: length, layers: layers,
                outputNorm: try binder.layerNorm(names.projectorNorm, count: length, epsilon: 1e-6),
                ropes: [.grid(base: base, dimensions: numbers.head)], isCausal: false))
    }
}

extension TowerHyperparameters {
    fileprivate func convolution(
        _ binder: WeightBinder, _ prefix: String, _ names: ConvolutionNames
    ) throws -> GridConvolutionBlock {
        let name = "\(prefix)\(names.filters).weight"
        let side = binder.columnCount(name)
        guard (1...15).contains(side), side % 2 == 1 else {
            throw EngineError(
                .invalidTensor, "tensor \(name) has filters of \(side) patches: it needs an odd number up to 15",
                field: name)
        }
        // The one channel that a filter reads may be a dimension or not.
        let isFlat = binder.file.tensor(name)?.shape.count == 3
        return GridConvolutionBlock(
            input: try binder.matrix(prefix + names.input, rows: 3 * length, columns: length),
            output: try binder.matrix(prefix + names.output, rows: length, columns: length),
            filters: try binder.floats(name, shape: [side, side] + (isFlat ? [] : [1]) + [length]), side: side)
    }
}
