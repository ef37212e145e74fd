/// The layers of LFM3-Audio's encoder: LFM2's, over vectors of 80 milliseconds, each of which sees only those before it.
///
/// A layer is what its tensors make of it: a convolution where there are its filters, else attention with a window. The
/// names of the attention's tensors and the base of its rotation are likely ones, as no published file's are known.
package struct CausalAudioLayers: Sendable {
    package let stack: LayerStack
    /// Positions that a position of an attention layer sees, its own included.
    package let window: Int

    /// Elements of rotations turn by this base where a file does not say.
    private static let usualBase: Float = 1e6

    init(_ reader: HyperparameterReader, _ binder: WeightBinder, _ numbers: AudioHyperparameters) throws {
        let (length, epsilon) = (numbers.length, numbers.epsilon)
        let head = length / numbers.heads
        guard head % 2 == 0, head <= AttentionBlock.largestHead else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(numbers.heads), which makes heads of \(head) elements: an even number up to \(AttentionBlock.largestHead) is supported",
                field: reader.key("attention.head_count"))
        }
        let inner = try reader.int("feed_forward_length", in: 1...(1 << 20))
        let keyValueHeads = try reader.optionalInt("attention.head_count_kv", in: 1...numbers.heads)
        let window = try reader.int("window_size", in: 1...65_536)
        var reading = LFMLayers(binder, length: length, heads: numbers.heads, epsilon: epsilon, window: window)
        let layers = try (0..<numbers.layers).map { index in
            let prefix = "a.blk.\(index)."
            let layer = try reading.next(prefix, inner: inner)
            if let keyValueHeads, let block = layer.mixer?.attention, keyValueHeads != block.keyValueHeads {
                throw EngineError(
                    .invalidTensor,
                    "tensor \(prefix)attn_k.weight has \(block.keyValueHeads) heads, but \(reader.key("attention.head_count_kv")) is \(keyValueHeads)",
                    field: prefix + "attn_k.weight")
            }
            return layer
        }
        let base = try reader.optionalFloat("rope.freq_base", in: 1...1e12) ?? Self.usualBase
        stack = LayerStack(
            width: length, layers: layers,
            outputNorm: .rms(try binder.rmsNorm("a.post_ln", count: length, epsilon: epsilon)),
            ropes: [RopeSpecification(base: base, dimensions: head, interleaved: false)])
        self.window = window
    }
}
