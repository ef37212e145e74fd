import LeapBase
import LeapGGUF

/// The codec of LFM3-Audio, whose tensors a projector's file has under `a.gen.wav.`.
///
/// A layer is what its tensors make of it (``LFMLayers``). Inferred, as no published file is known in full: the names of
/// the output's projection and norm, Hann's window, and the base of rotations.
extension CodeDecoder {
    /// The beginning of the names of the codec's tensors.
    package static let codecPrefix = "a.gen.wav."
    private static let layerPrefix = codecPrefix + "tfm.blk."
    private static let outputs = ["tfm.out_proj", "out_proj", "tfm.output"]
    private static let outputNorms = ["tfm.output_norm", "tfm.post_ln", "output_norm"]

    private static let codecEpsilon: Float = 1e-5
    /// The bases of rotations in layers with a window: LFM3's, and LFM2's where layers have no norms behind them.
    private static let bases: (lfm3: Float, lfm2: Float) = (1e4, 1e6)

    /// Reads the codec of a projector's file.
    ///
    /// - Throws: ``EngineError``; where a tensor is missing, its message lists those of the codec that there are.
    package init(codec binder: WeightBinder) throws(EngineError) {
        do throws(EngineError) {
            try self.init(reading: binder)
            try binder.refuseUnknown(within: [Self.codecPrefix])
        } catch {
            guard error.code == .missingTensor else { throw error }
            let tensors = binder.file.tensors.lazy.filter { $0.name.hasPrefix(Self.codecPrefix) }
            throw error.adding(TensorNameList.text(tensors))
        }
    }

    private init(reading binder: WeightBinder) throws(EngineError) {
        let (latents, codebooks) = try Self.latents(binder)
        input = .latents(latents)
        (codebookCount, codeCount) = (codebooks, latents.table.rows)
        let length = latents.widening.rows
        func found(_ names: [String]) -> String {
            binder.first(of: names, behind: Self.codecPrefix, ending: ".weight")
        }
        output = try binder.matrix(found(Self.outputs), rows: Self.spectrumLength, columns: length, bias: true)
        let prefixes = try binder.layerPrefixes(Self.layerPrefix, norm: "ln1")
        let head = try Self.headDimension(binder, prefixes, length: length)
        var reading = LFMLayers(
            binder, length: length, heads: head > 0 ? length / head : 1, epsilon: Self.codecEpsilon,
            window: Self.attentionWindow)
        var stack = LayerStack(width: length)
        for prefix in prefixes {
            let inner = max(1, binder.rowCount(prefix + "ffn_gate.weight"))
            stack.layers.append(try reading.next(prefix, inner: inner))
        }
        stack.outputNorm = .rms(
            try binder.rmsNorm(found(Self.outputNorms), count: length, epsilon: Self.codecEpsilon))
        if head > 0 {
            let isLFM3 = stack.layers.contains { $0.mixerPostNorm != nil }
            let base = isLFM3 ? Self.bases.lfm3 : Self.bases.lfm2
            stack.ropes = [RopeSpecification(base: base, dimensions: head, interleaved: false)]
        }
        self.stack = stack
        window = (0..<Self.windowLength).map {
            Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.windowLength)))
        }
    }

    /// The table of latents, the products behind it, and the number of codebooks, all by the tensors' shapes.
    private static func latents(_ binder: WeightBinder) throws(EngineError) -> (LatentInput, codebooks: Int) {
        let (tableName, joiningName) = (codecPrefix + "quant.first.codebook", codecPrefix + "quant.first.out_proj")
        let (width, joined) = (
            max(1, binder.columnCount(tableName + ".weight")), max(1, binder.columnCount(joiningName + ".weight"))
        )
        let codes = max(1, binder.rowCount(tableName + ".weight"))
        let table = try binder.lookupTable(tableName, rows: codes, columns: width)
        guard codes <= Int(UInt16.max) else {
            throw EngineError(
                .invalidTensor, "tensor \(tableName).weight has \(codes) codes: up to \(UInt16.max) are supported",
                field: tableName + ".weight")
        }
        let inner = max(1, binder.rowCount(joiningName + ".weight"))
        let joining = try binder.biasedMatrix(joiningName, rows: inner, columns: joined)
        guard joined % width == 0 else {
            throw EngineError(
                .invalidTensor,
                "tensor \(joiningName).weight takes \(joined) latents, and \(tableName).weight has \(width) for each code: the second has to divide the first",
                field: joiningName + ".weight")
        }
        let widening = try binder.biasedMatrix(
            codecPrefix + "tfm.in_proj", rows: max(1, binder.rowCount(codecPrefix + "tfm.in_proj.weight")),
            columns: inner)
        return (LatentInput(table: table, joining: joining, widening: widening), joined / width)
    }

    /// The length of attention layers' heads, that of their norms; 0 where no layer has attention.
    private static func headDimension(
        _ binder: WeightBinder, _ prefixes: [String], length: Int
    ) throws(EngineError) -> Int {
        guard let prefix = prefixes.first(where: { ConvolutionNames.found(binder, $0) == nil }) else { return 0 }
        let name = prefix + "attn_q_norm.weight"
        guard binder.has(name) else {
            throw EngineError(
                .missingTensor, "tensor \(name) is missing: it tells the length of the heads", field: name)
        }
        let head = try binder.headDimension(name, earlier: 0)
        guard length % head == 0 else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has \(head) elements, the length of a head: it has to divide that of vectors, \(length)",
                field: name)
        }
        return head
    }
}
