package import LeapBase
package import LeapGGUF

/// An encoder of sound: a FastConformer (arXiv:2305.05084), and what brings its vectors to a language model
/// (LFM2-Audio).
package final class AudioEncoder: MediaEncoder {
    package let file: GGUFFile
    package let subsampling: ConvolutionSubsampling
    package let layers: [ConformerLayer]
    package let adapter: AudioAdapter
    /// Bands of the spectra that it reads.
    package let bandCount: Int
    package let identity: StableHash

    /// The name under which files declare it, in `clip.audio.projector_type` or `clip.projector_type`.
    package static let kind = GGUFProjector.conformerKind
    package var kind: String { Self.kind }
    package var medium: Medium { .audio }
    package var outputLength: Int { adapter.second.rows }
    /// Length of the vectors between the layers.
    package var length: Int { subsampling.output.rows }

    /// Opens an encoder's file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> AudioEncoder {
        try AudioEncoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    package init(file: GGUFFile) throws {
        let architecture = try file.metadata.string("general.architecture") ?? "none"
        guard architecture == "clip" else {
            throw EngineError(
                .unsupportedArchitecture,
                "the architecture is \"\(ShownText.of(architecture))\", not \"clip\": the file is not an audio encoder",
                field: "general.architecture")
        }
        let (type, key) = try MediaEncoders.kind(of: .audio, file.metadata)
        guard try file.metadata.bool("clip.has_audio_encoder") ?? false, type == Self.kind else {
            throw EngineError(
                .unsupportedArchitecture,
                "the projector's type is \"\(ShownText.of(type))\": this version reads audio with \(Self.kind)",
                field: key)
        }
        let reader = HyperparameterReader(metadata: file.metadata, architecture: "clip.audio")
        let bands = try reader.int("num_mel_bins", in: 1...4096)
        guard bands == AudioSpectrum.bandCount else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("num_mel_bins")) is \(bands): this version computes spectra of \(AudioSpectrum.bandCount) bands",
                field: reader.key("num_mel_bins"))
        }
        let binder = WeightBinder(file: file)
        let layerCount = try reader.int("block_count", in: 1...1024)
        let length = try reader.int("embedding_length", in: 2...65_536)
        let heads = try reader.int("attention.head_count", in: 1...4096)
        let epsilon = try reader.float("attention.layer_norm_epsilon", in: 0...1)
        guard length % heads == 0, length % 2 == 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads) and \(reader.key("embedding_length")) is \(length): the first has to divide the second, which has to be even",
                field: reader.key("attention.head_count"))
        }
        bandCount = bands
        subsampling = try ConvolutionSubsampling(binder, bands: bands, length: length)
        layers = try (0..<layerCount).map {
            try ConformerLayer(binder, prefix: "a.blk.\($0).", length: length, heads: heads, epsilon: epsilon)
        }
        adapter = try AudioAdapter(
            binder, length: length, output: try reader.int("projection_dim", in: 1...(1 << 20)), epsilon: epsilon)
        try ProjectorKeys.check(file.metadata, reader, for: .audio, hasPlainNetworks: false)
        self.file = file
        identity = WeightIdentity.ofTensors(file)
    }
}

/// Brings the encoder's vectors to those of a language model: a norm and two products with GELU between them.
package struct AudioAdapter: Sendable {
    package let norm: Norm
    package let first: Matrix
    package let second: Matrix

    init(_ binder: WeightBinder, length: Int, output: Int, epsilon: Float) throws {
        norm = try binder.layerNorm("mm.a.mlp.0", count: length, epsilon: epsilon)
        let inner = max(1, binder.rowCount("mm.a.mlp.1.weight"))
        first = try binder.matrix("mm.a.mlp.1", rows: inner, columns: length, bias: true)
        second = try binder.matrix("mm.a.mlp.3", rows: output, columns: inner, bias: true)
    }
}
