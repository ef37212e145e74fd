import LeapBase
import LeapGGUF

/// LFM3-Audio's layers that write codes, which are LFM3's: each sees all codebooks of a frame.
///
/// The shape of the tables and the rotation are likely ones, as no published file's are known.
extension DepthDecoder {
    /// Codes that a pass writes.
    private static let passes = [4, 4, 4]
    private static let prefix = "a.gen.code."

    /// - Parameter columns: length of the language model's vectors.
    init(_ reader: HyperparameterReader, _ binder: WeightBinder, input columns: Int) throws {
        let form = SpeechForm.lfm3Audio
        let numbers = try AudioHyperparameters(reader)
        let length = numbers.length
        var stack = try numbers.stack(
            reader, binder, prefix: Self.prefix + "blk.", norm: Self.prefix + "output_norm")
        stack.isCausal = false
        let convolution = stack.layers.firstIndex { $0.mixer?.attention == nil }
        if let convolution {
            let name = "\(Self.prefix)blk.\(convolution).attn_q.weight"
            throw EngineError(
                .missingTensor, "tensor \(name) is missing: the layers that write codes have attention", field: name)
        }
        let heads = try binder.tables(
            Self.prefix + "head", count: form.codebookCount, rows: form.codeCount, columns: length)
        let mask = binder.first(of: ["mask_embd.weight", "mask_embd"], behind: Self.prefix)
        self.init(
            order: .inPasses(Self.passes, mask: try binder.vector(mask, count: length)),
            input: try binder.biasedMatrix(
                Self.prefix + "proj_in", rows: form.codebookCount * length, columns: columns),
            stack: stack,
            codebooks: heads.map { Codebook(embedding: $0, norm: nil, output: $0) })
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
    /// The matrices of a table, one for each codebook: stacked, or with their rows one behind the other.
    func tables(_ name: String, count: Int, rows: Int, columns: Int) throws(EngineError) -> [Matrix] {
        if file.tensor("\(name).weight")?.shape.count == 3 {
            return try stack(name, count: count, rows: rows, columns: columns, isScaled: false)
        }
        let all = try matrix(name, rows: count * rows, columns: columns, isScaled: false)
        return (0..<count).map { all.rows($0 * rows..<($0 + 1) * rows) }
    }
}
