package import LeapBase
package import LeapGGUF

/// Gemma 4's encoder of sound: a product of each frame of samples (12B), or a Conformer over a spectrum (E2B, E4B), and
/// what brings the vectors to the language model.
package final class GemmaAudioEncoder: MediaEncoder {
    /// The kinds by the names under which files declare them, in `clip.audio.projector_type`.
    package enum Kind: String, Sendable, CaseIterable {
        /// That of E2B and E4B.
        case conformer = "gemma4a"
        /// That of 12B, which has no layers.
        case samples = "gemma4ua"
    }

    /// The epsilon of all norms of ``Kind/conformer``: files name another one, which the model was not trained with.
    static let epsilon: Float = 1e-6

    package let file: GGUFFile
    /// The form of the spectra that it reads.
    package let form: SpectrumForm
    /// The layers; nil where the frames go to the language model as they are.
    package let tower: GemmaAudioTower?
    /// The norm in front of ``matrix``.
    package let norm: RMSNorm
    /// From the tower's vectors, or from frames, to those of the language model.
    package let matrix: Matrix
    package let identity: StableHash
    package let kind: String

    package var medium: Medium { .audio }
    package var spectrumForm: SpectrumForm? { form }
    package var outputLength: Int { matrix.rows }

    /// Opens an encoder's file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> GemmaAudioEncoder {
        try GemmaAudioEncoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    package init(file: GGUFFile) throws {
        let kind = try MediaEncoders.audioKind(of: file, as: Kind.self)
        let reader = HyperparameterReader(metadata: file.metadata, architecture: "clip.audio")
        let binder = WeightBinder(file: file)
        let length: Int
        switch kind {
        case .conformer:
            let tower = try GemmaAudioTower(reader, binder)
            form = .magnitudes(bands: tower.subsampling.bands)
            norm = RMSNorm(
                weight: try binder.optionalVector("mm.a.soft_emb_norm.weight", count: tower.output.rows),
                epsilon: Self.epsilon)
            (self.tower, length) = (tower, tower.output.rows)
        case .samples:
            for name in ["block_count", "feed_forward_length", "attention.head_count"] {
                _ = try reader.optionalInt(name, in: 0...0)
            }
            // Files have it with a number that means nothing.
            _ = reader.key("num_mel_bins")
            length = try reader.int("embedding_length", in: SpectrumForm.sampleCounts)
            form = .samples(count: length)
            norm = RMSNorm(weight: nil, epsilon: try reader.float("attention.layer_norm_epsilon", in: 0...1))
            tower = nil
        }
        matrix = try binder.boundedMatrix(
            "mm.a.input_projection", rows: try reader.int("projection_dim", in: 1...(1 << 20)), columns: length)
        try binder.refuseUnknown(within: VisionEncoder.soundPrefixes)
        try ProjectorKeys.check(file.metadata, reader, for: .audio, hasPlainNetworks: false)
        self.file = file
        self.kind = kind.rawValue
        identity = WeightIdentity.ofTensors(file)
    }

    package func validateKind(for model: Model) throws(EngineError) { try Gemma4.check(model, reads: "sounds") }
}
