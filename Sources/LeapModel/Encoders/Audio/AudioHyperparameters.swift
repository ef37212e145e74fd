/// The numbers that all encoders and generators of sound have.
struct AudioHyperparameters {
    let layers: Int
    let length: Int
    let heads: Int
    let epsilon: Float
    /// Elements of rotations turn by this base where a file does not say.
    private static let usualBase: Float = 1e6

    init(_ reader: HyperparameterReader) throws {
        layers = try reader.int("block_count", in: 1...1024)
        length = try reader.int("embedding_length", in: 2...65_536)
        heads = try reader.int("attention.head_count", in: 1...4096)
        epsilon = try reader.float("attention.layer_norm_epsilon", in: 0...1)
        guard length % heads == 0, length % 2 == 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads) and \(reader.key("embedding_length")) is \(length): the first has to divide the second, which has to be even",
                field: reader.key("attention.head_count"))
        }
    }

    /// The layers of LFM2 and LFM3, whose heads turn as a whole, and the norm behind them.
    ///
    /// - Parameters:
    ///   - prefix: what the names of the layers' tensors begin with in front of the layer's number.
    ///   - norm: the name of the norm behind them.
    ///   - window: positions that a position of an attention layer sees, its own included; 0 is all.
    func stack(
        _ reader: HyperparameterReader, _ binder: WeightBinder, prefix: String, norm: String, window: Int = 0
    ) throws -> LayerStack {
        let head = length / heads
        guard head % 2 == 0, head <= AttentionBlock.largestHead else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads), which makes heads of \(head) elements: an even number up to \(AttentionBlock.largestHead) is supported",
                field: reader.key("attention.head_count"))
        }
        let inner = try reader.int("feed_forward_length", in: 1...(1 << 20))
        let keyValueHeads = try reader.optionalInt("attention.head_count_kv", in: 1...heads)
        var reading = LFMLayers(binder, length: length, heads: heads, epsilon: epsilon, window: window)
        let all = try (0..<layers).map { index in
            let layer = try reading.next("\(prefix)\(index).", inner: inner)
            if let keyValueHeads, let block = layer.mixer?.attention, keyValueHeads != block.keyValueHeads {
                throw EngineError(
                    .invalidTensor,
                    "tensor \(prefix)\(index).attn_k.weight has \(block.keyValueHeads) heads, but \(reader.key("attention.head_count_kv")) is \(keyValueHeads)",
                    field: "\(prefix)\(index).attn_k.weight")
            }
            return layer
        }
        let base = try reader.optionalFloat("rope.freq_base", in: 1...1e12) ?? Self.usualBase
        return LayerStack(
            width: length, layers: all, outputNorm: .rms(try binder.rmsNorm(norm, count: length, epsilon: epsilon)),
            ropes: [RopeSpecification(base: base, dimensions: head, interleaved: false)])
    }
}
