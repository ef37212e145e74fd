/// The contents of a decoder of speech, by the shapes of its tensors: the vocoder of LFM2.5-Audio, whose file has next to
/// no metadata, or the generator of sound in a projector's file of LFM3-Audio.
package struct GGUFSpeechDecoder: Sendable, Equatable {
    /// Samples per second of the speech that these decoders make.
    package static let sampleRate = 24_000
    /// Frames of codes in a second.
    private static let framesPerSecond = 12.5
    /// Spectra that a frame becomes, each a row of the layers that make them.
    private static let spectraPerFrame = 6
    /// Positions that the cache keeps together.
    private static let pageLength = 64

    /// Length of the language model's vectors that it reads.
    package var inputLength: Int
    /// Codebooks, and codes in each, the one that ends speech included.
    package var codebookCount: Int
    package var codeCount: Int
    /// Layers that write codes, and the length of the vectors between them.
    package var codeLayerCount: Int
    package var codeLength: Int
    /// Layers that make spectra of codes, and the length of the vectors between them.
    package var audioLayerCount: Int
    package var audioLength: Int
    /// Bytes that speaking takes besides the weights, at most: the buffers of both parts, and the positions that they
    /// keep.
    package var passBytes: Int

    private static let codeLayers = "depthformer.layers.", audioLayers = "lfm.layers."
    /// The same in a projector's file.
    private static let generatorLayers = "a.gen.code.blk.", codecLayers = "a.gen.wav.tfm.blk."

    /// True if a tensor belongs to one of the layers, which a GPU may run; false for what is around them, and for layers
    /// whose positions see later ones.
    package static func isOfLayer(_ tensor: String) -> Bool {
        tensor.hasPrefix(codeLayers) || tensor.hasPrefix(audioLayers) || tensor.hasPrefix(codecLayers)
    }

    /// The description of a decoder's file; nil for other files.
    ///
    /// - Parameter tensors: names and shapes, the fastest dimension first.
    package init?(_ tensors: some Sequence<(name: String, shape: [Int])>) {
        let shapes = Dictionary(tensors.map { ($0.name, $0.shape) }) { first, _ in first }
        if let generator = Self(generator: shapes) {
            self = generator
            return
        }
        func columns(_ name: String) -> Int { Self.usable(shapes[name + ".weight"]?.first) }
        func rows(_ name: String) -> Int { Self.usable(shapes[name + ".weight"]?.dropFirst().first) }
        func layers(_ prefix: String) -> [String] {
            Array((0..<1024).lazy.map { "\(prefix)\($0)." }.prefix { shapes[$0 + "operator_norm.weight"] != nil })
        }
        guard shapes["depth_linear.weight"] != nil, shapes["emb.emb.weight"] != nil else { return nil }
        inputLength = columns("depth_linear")
        codebookCount = (0..<1024).lazy.prefix { shapes["depth_embeddings.\($0).to_logits.weight"] != nil }.count
        codeCount = rows("depth_embeddings.0.to_logits")
        codeLength = columns("depth_embeddings.0.to_logits")
        let length = columns("emb.emb")
        audioLength = length
        let (codeLayers, audioLayers) = (layers(Self.codeLayers), layers(Self.audioLayers))
        (codeLayerCount, audioLayerCount) = (codeLayers.count, audioLayers.count)

        func inner(_ layers: [String]) -> Double { layers.map { Double(rows($0 + "feed_forward.w1")) }.max() ?? 0 }
        // The stream, what is normed, a branch, queries, keys, values, what is mixed and gated; each once as it is and
        // once as a product takes it.
        let projected = codeLayers.map { Double(rows($0 + "operator.qkv_proj")) }.max() ?? 0
        let codeRow =
            Double(inputLength) + Double(rows("depth_linear")) + 8 * Double(codeLength) + 2 * projected
            + 2 * inner(codeLayers) + Double(codeCount)
        let widest = audioLayers.map { rows($0 + "self_attn.q_proj") }.max().map { max($0, length) } ?? 0
        let audioRow = 12 * Double(widest) + 2 * inner(audioLayers) + Double(rows("lin"))
        var keys = codeLayers.reduce(0.0) { sum, layer in
            sum + max(0, Double(rows(layer + "operator.qkv_proj") - columns(layer + "operator.out_proj")))
        }
        // A page for codes; what a position of sound sees may lie in two, and a third begins.
        for layer in audioLayers {
            keys += 3 * 2 * Double(rows(layer + "self_attn.k_proj"))
            // Inputs of convolutions are kept by the page too.
            keys += Double(columns(layer + "conv.conv")) * Double(length) / 8
        }
        let floats =
            2 * codeRow + 2 * Double(Self.spectraPerFrame) * audioRow + Double(Self.pageLength) * keys
        let bytes = floats * 4 + Double(1 << 20)
        passBytes = bytes < 1e15 ? Int(bytes) : 0
    }

    /// The description of the generator of a projector's file; nil where it has none.
    private init?(generator shapes: [String: [Int]]) {
        func columns(_ name: String) -> Int { Self.usable(shapes[name + ".weight"]?.first) }
        func rows(_ name: String) -> Int { Self.usable(shapes[name + ".weight"]?.dropFirst().first) }
        func layers(_ prefix: String) -> [String] {
            Array((0..<1024).lazy.map { "\(prefix)\($0)." }.prefix { shapes[$0 + "ln1.weight"] != nil })
        }
        let input = "a.gen.code.proj_in", head = "a.gen.code.head", latents = "a.gen.wav.quant.first.codebook"
        guard shapes[input + ".weight"] != nil, shapes[latents + ".weight"] != nil else { return nil }
        inputLength = columns(input)
        codeLength = columns(head)
        codebookCount = codeLength > 0 ? rows(input) / codeLength : 0
        // The tables of the codebooks are stacked, or one behind the other.
        let isStacked = (shapes[head + ".weight"]?.count ?? 0) == 3
        codeCount = isStacked ? rows(head) : rows(head) / max(1, codebookCount)
        audioLength = rows("a.gen.wav.tfm.in_proj")
        let (codeLayers, audioLayers) = (layers(Self.generatorLayers), layers(Self.codecLayers))
        (codeLayerCount, audioLayerCount) = (codeLayers.count, audioLayers.count)
        let length = Double(codeLength), slots = Double(codebookCount)
        func inner(_ layers: [String]) -> Double { layers.map { Double(rows($0 + "ffn_gate")) }.max() ?? 0 }
        // As for a vocoder, but all codebooks of a frame at a time.
        let codeRow = 14 * length + 2 * inner(codeLayers)
        let frame = slots * (codeRow + length) + Double(inputLength) + Double(codeCount)
        let audioRow = 14 * Double(audioLength) + 2 * inner(audioLayers) + Double(rows("a.gen.wav.tfm.out_proj"))
        var keys = codeLayers.reduce(0.0) { $0 + 2 * Double(rows($1 + "attn_k")) }
        for layer in audioLayers {
            keys += 3 * 2 * Double(rows(layer + "attn_k"))
            keys += Double(columns(layer + "conv_dw")) * Double(audioLength) / 8
        }
        let floats =
            2 * frame + 2 * Double(Self.spectraPerFrame) * audioRow + Double(Self.pageLength) * keys
        let bytes = floats * 4 + Double(1 << 20)
        passBytes = bytes < 1e15 ? Int(bytes) : 0
    }

    /// Bytes that a minute of speech takes besides the weights, at most: ``passBytes``, its samples while they are
    /// collected and as a file, and the vectors of its frames in the next prompt.
    package var speakingBytes: Int {
        let samples = 60 * Self.sampleRate * (2 * 4 + 2)
        return passBytes + samples + Int(60 * Self.framesPerSecond) * inputLength * 4
    }

    private static func usable(_ value: Int?) -> Int { value.map { min(max($0, 0), 1 << 24) } ?? 0 }
}
