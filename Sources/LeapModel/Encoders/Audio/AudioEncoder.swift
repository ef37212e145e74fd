package import LeapBase
package import LeapGGUF

/// An encoder of sound: convolutions that make vectors of a spectrum's frames, layers, and what brings their vectors to
/// a language model.
package final class AudioEncoder: MediaEncoder {
    /// The kinds by the names under which files declare them, in `clip.audio.projector_type` or `clip.projector_type`.
    package enum Kind: String, Sendable, CaseIterable {
        /// LFM2-Audio's.
        case conformer = "lfm2a"
        /// LFM3-Audio's.
        case causal = "lfm3a"
        /// d1-omni's: the conformer, and a further block behind the adapter's products.
        case decision = "d1omni_a"
    }

    /// The layers of a kind.
    package enum Layers: Sendable {
        /// A FastConformer (arXiv:2305.05084), whose positions see all others.
        case conformer([ConformerLayer])
        case causal(CausalAudioLayers)
    }

    package let file: GGUFFile
    package let subsampling: ConvolutionSubsampling
    package let layers: Layers
    package let adapter: AudioAdapter
    /// The form of the spectra that it reads.
    package let form: SpectrumForm
    package let identity: StableHash
    package let kind: String

    package var medium: Medium { .audio }
    package var spectrumForm: SpectrumForm? { form }
    package var outputLength: Int { adapter.second.rows }
    /// Length of the vectors between the layers.
    package var length: Int { subsampling.output.rows }

    /// The beginnings of the names of tensors that read sound.
    private static let prefixes = ["a.", "mm.a."]
    /// The same for those among them that generate it.
    private static let generatorPrefix = "a.gen."

    /// Opens an encoder's file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> AudioEncoder {
        try AudioEncoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    package init(file: GGUFFile) throws {
        let kind = try MediaEncoders.audioKind(of: file, as: Kind.self)
        let reader = HyperparameterReader(metadata: file.metadata, architecture: "clip.audio")
        let binder = WeightBinder(file: file)
        let numbers = try AudioHyperparameters(reader)
        form = try Self.form(kind, reader)
        do {
            subsampling = try ConvolutionSubsampling(binder, bands: form.bandCount, length: numbers.length)
            switch kind {
            case .conformer, .decision:
                layers = .conformer(
                    try (0..<numbers.layers).map {
                        try ConformerLayer(
                            binder, prefix: "a.blk.\($0).", length: numbers.length, heads: numbers.heads,
                            epsilon: numbers.epsilon)
                    })
            case .causal: layers = .causal(try CausalAudioLayers(reader, binder, numbers))
            }
            adapter = try AudioAdapter(
                binder, length: numbers.length, output: try reader.int("projection_dim", in: 1...(1 << 20)),
                epsilon: numbers.epsilon, hasResidual: kind == .decision)
            // Files of LFM2-Audio have tensors for speech beside these.
            if kind == .causal {
                try binder.refuseUnknown(within: Self.prefixes, except: [Self.generatorPrefix])
            }
        } catch let error as EngineError where error.code == .missingTensor && kind != .conformer {
            // No published file's names are known in full.
            throw error.adding(TensorNameList.text(file.tensors.lazy.filter { Self.isOwn($0.name) }))
        }
        try ProjectorKeys.check(file.metadata, reader, for: .audio, hasPlainNetworks: false)
        self.file = file
        self.kind = kind.rawValue
        identity = WeightIdentity.ofTensors(file)
    }

    private static func form(_ kind: Kind, _ reader: HyperparameterReader) throws -> SpectrumForm {
        guard kind != .causal else {
            return .scaled(bands: try reader.int("num_mel_bins", in: SpectrumForm.bandCounts))
        }
        let bands = try reader.int("num_mel_bins", in: 1...4096)
        guard bands == SpectrumForm.normalisedBandCount else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("num_mel_bins")) is \(bands): this version computes spectra of \(SpectrumForm.normalisedBandCount) bands",
                field: reader.key("num_mel_bins"))
        }
        return .normalised
    }

    private static func isOwn(_ name: String) -> Bool {
        prefixes.contains { name.hasPrefix($0) } && !name.hasPrefix(generatorPrefix)
    }
}

/// Brings the encoder's vectors to those of a language model: a norm and two products with GELU between them.
package struct AudioAdapter: Sendable {
    package let norm: Norm
    package let first: Matrix
    package let second: Matrix
    /// The block behind them; nil where there is none.
    package let residual: Residual?

    /// A block that adds up · gelu(down · norm(x)) to its input.
    package struct Residual: Sendable {
        package let norm: Norm
        package let down: Matrix
        package let up: Matrix
    }

    /// - Parameter hasResidual: whether a block follows the products.
    init(_ binder: WeightBinder, length: Int, output: Int, epsilon: Float, hasResidual: Bool) throws {
        norm = try binder.layerNorm("mm.a.mlp.0", count: length, epsilon: epsilon)
        let inner = max(1, binder.rowCount("mm.a.mlp.1.weight"))
        first = try binder.matrix("mm.a.mlp.1", rows: inner, columns: length, bias: true)
        second = try binder.matrix("mm.a.mlp.3", rows: output, columns: inner, bias: true)
        let middle = max(1, binder.rowCount("mm.a.mlp.5.weight"))
        residual =
            hasResidual
            ? Residual(
                norm: try binder.layerNorm("mm.a.mlp.4", count: output, epsilon: epsilon),
                down: try binder.matrix("mm.a.mlp.5", rows: middle, columns: output, bias: true),
                up: try binder.matrix("mm.a.mlp.6", rows: output, columns: middle, bias: true)) : nil
    }
}
