import LeapBase
import LeapGGUF

/// LFM3-Audio's layers that write codes, which are LFM3's: each sees all codebooks of a frame.
///
/// A layer is what its tensors make of it: with norms behind its blocks and gates of its heads where there are such. The
/// names of these, the shape of the tables, and the rotation are likely ones, as no published file's are known.
extension DepthDecoder {
    /// Codes that a pass writes.
    private static let passes = [4, 4, 4]
    /// Elements of rotations turn by this base where a file does not say.
    private static let usualBase: Float = 1e6
    private static let prefix = "a.gen.code."

    /// - Parameter columns: length of the language model's vectors.
    init(_ reader: HyperparameterReader, _ binder: WeightBinder, input columns: Int) throws {
        let form = SpeechForm.lfm3Audio
        let numbers = try AudioHyperparameters(reader)
        let (length, head) = (numbers.length, try numbers.rotatedHead(reader))
        let inner = try reader.int("feed_forward_length", in: 1...(1 << 20))
        let layers = try (0..<numbers.layers).map { layer in
            try Self.layer(reader, binder, "\(Self.prefix)blk.\(layer).", numbers, inner: inner, cacheIndex: layer)
        }
        let base = try reader.optionalFloat("rope.freq_base", in: 1...1e12) ?? Self.usualBase
        let norm = try binder.rmsNorm(Self.prefix + "output_norm", count: length, epsilon: numbers.epsilon)
        let heads = try binder.tables(
            Self.prefix + "head", count: form.codebookCount, rows: form.codeCount, columns: length)
        let mask = binder.first(of: ["mask_embd.weight", "mask_embd"], behind: Self.prefix)
        self.init(
            order: .inPasses(Self.passes, mask: try binder.vector(mask, count: length)),
            input: try binder.biasedMatrix(
                Self.prefix + "proj_in", rows: form.codebookCount * length, columns: columns),
            stack: LayerStack(
                width: length, layers: layers, outputNorm: .rms(norm),
                ropes: [RopeSpecification(base: base, dimensions: head, interleaved: false)], isCausal: false),
            codebooks: heads.map { Codebook(embedding: $0, norm: nil, output: $0) })
    }

    private static func layer(
        _ reader: HyperparameterReader, _ binder: WeightBinder, _ prefix: String, _ numbers: AudioHyperparameters,
        inner: Int, cacheIndex: Int
    ) throws -> DecoderLayer {
        let length = numbers.length
        func norm(_ name: String) throws -> Norm {
            .rms(try binder.rmsNorm(prefix + name, count: length, epsilon: numbers.epsilon))
        }
        func optionalNorm(_ names: [String]) throws -> Norm? {
            try names.first { binder.has("\(prefix)\($0).weight") }.map(norm)
        }
        var block = try numbers.attention(reader, binder, prefix)
        block.cacheIndex = cacheIndex
        block.headGate = try binder.optionalMatrix(prefix + "attn_gate", rows: numbers.heads, columns: length)
        return DecoderLayer(
            mixerNorm: try norm("ln1"), mixer: .attention(block),
            mixerPostNorm: try optionalNorm(["attn_post_norm", "post_attention_norm"]),
            feedForwardNorm: try norm("ln2"),
            feedForward: .dense(
                DenseFeedForward(
                    gate: try binder.matrix(prefix + "ffn_gate", rows: inner, columns: length),
                    up: try binder.matrix(prefix + "ffn_up", rows: inner, columns: length),
                    down: try binder.matrix(prefix + "ffn_down", rows: length, columns: inner))),
            feedForwardPostNorm: try optionalNorm(["ffn_post_norm", "post_ffw_norm"]))
    }

    /// The vectors of codes as the language model reads them, `[codebooks · codes][columns]`.
    static func feedback(_ binder: WeightBinder, columns: Int) throws(EngineError) -> Matrix {
        let form = SpeechForm.lfm3Audio
        let parts = try binder.tables(
            prefix + "out_embd", count: form.codebookCount, rows: form.codeCount, columns: columns)
        return Matrix(
            parts[0].source, rows: form.codebookCount * form.codeCount, columns: columns,
            rowByteCount: parts[0].rowByteCount)
    }
}

extension WeightBinder {
    /// The first of some names that the file has; the first of all where it has none.
    ///
    /// - Parameter prefix: what all of them begin with.
    func first(of names: [String], behind prefix: String) -> String {
        prefix + (names.first { has(prefix + $0) } ?? names[0])
    }

    /// The matrices of a table, one for each codebook: stacked, or with their rows one behind the other.
    func tables(_ name: String, count: Int, rows: Int, columns: Int) throws(EngineError) -> [Matrix] {
        if file.tensor("\(name).weight")?.shape.count == 3 {
            return try stack(name, count: count, rows: rows, columns: columns, isScaled: false)
        }
        let all = try matrix(name, rows: count * rows, columns: columns, isScaled: false)
        return (0..<count).map { all.rows($0 * rows..<($0 + 1) * rows) }
    }
}
