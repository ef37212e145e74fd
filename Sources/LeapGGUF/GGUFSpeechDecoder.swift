/// The contents of a decoder of speech (the vocoder of LFM2.5-Audio), by the shapes of its tensors: such files have
/// next to no metadata.
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

    /// True if a tensor belongs to one of the layers, which a GPU may run; false for what is around them.
    package static func isOfLayer(_ tensor: String) -> Bool {
        tensor.hasPrefix(codeLayers) || tensor.hasPrefix(audioLayers)
    }

    /// The description of a decoder's file; nil for other files.
    ///
    /// - Parameter tensors: names and shapes, the fastest dimension first.
    package init?(_ tensors: some Sequence<(name: String, shape: [Int])>) {
        let shapes = Dictionary(tensors.map { ($0.name, $0.shape) }) { first, _ in first }
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

    /// Bytes that a minute of speech takes besides the weights, at most: ``passBytes``, its samples while they are
    /// collected and as a file, and the vectors of its frames in the next prompt.
    package var speakingBytes: Int {
        let samples = 60 * Self.sampleRate * (2 * 4 + 2)
        return passBytes + samples + Int(60 * Self.framesPerSecond) * inputLength * 4
    }

    private static func usable(_ value: Int?) -> Int { value.map { min(max($0, 0), 1 << 24) } ?? 0 }
}
