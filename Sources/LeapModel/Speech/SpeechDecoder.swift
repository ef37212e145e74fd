package import LeapBase
package import LeapGGUF

/// The decoder by which a language model speaks: layers that write frames of codes behind its own, and others that make
/// spectra of them.
///
/// LFM2.5-Audio's is a file of its own, with next to no metadata: sizes follow from the shapes of its tensors.
/// LFM3-Audio's is a part of the projector's file. It keeps the file mapped while it lives, is immutable, and may be
/// shared by any number of engines and threads.
package final class SpeechDecoder: Sendable {
    /// The contents of either kind of files.
    struct Parts {
        let form: SpeechForm
        let depth: DepthDecoder
        let codes: CodeDecoder
        let feedback: Matrix
        /// The values by which codes are drawn that the file recommends.
        var sampling = SamplingValues()
    }

    package let file: GGUFFile
    /// Tells the weights apart from those of other decoders.
    package let identity: StableHash
    private let parts: Parts

    /// The codes of its frames.
    package var form: SpeechForm { parts.form }
    package var depth: DepthDecoder { parts.depth }
    package var codes: CodeDecoder { parts.codes }
    /// Embeddings of the codes as the language model reads them, `[codebooks · codes][length]`.
    package var feedback: Matrix { parts.feedback }
    /// The window that frames of sound are multiplied with.
    package var window: [Float] { codes.window }

    /// Samples per second of its speech.
    package static let sampleRate = GGUFSpeechDecoder.sampleRate

    /// The length of the language model's vectors.
    package var inputLength: Int { depth.input.columns }

    /// Opens a decoder's file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> SpeechDecoder {
        try SpeechDecoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    /// Opens a decoder's file, or the decoder of a projector's file.
    package init(file: GGUFFile) throws {
        parts = try Self.kindOfGenerator(file.metadata) == nil ? Parts(vocoder: file) : Parts(generator: file)
        self.file = file
        identity = WeightIdentity.ofTensors(file)
    }

    /// Returns the values by which codes are drawn where a request does not say: those of the file or, for
    /// LFM2.5-Audio, of the model's makers.
    package func sampling(for order: SpeechOrder) -> SamplingValues {
        guard form == .lfm2Audio else { return parts.sampling.filled(from: [.topP: 1, .minP: 0]) }
        let values: SamplingValues =
            if case .interleaved = order { [.temperature: 1, .topK: 4] } else { [.temperature: 0.8, .topK: 64] }
        // There is no other cut than the top k.
        return values.filled(from: [.topP: 1, .minP: 0, .repetitionPenalty: 1])
    }

    /// Checks that a model's vectors are those that it reads.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels`.
    package func validate(for model: Model) throws(EngineError) {
        guard inputLength == model.embeddingLength else {
            throw EngineError(
                .incompatibleModels,
                "the audio decoder reads vectors of \(inputLength) elements, but the model computes \(model.embeddingLength): it belongs to another model",
                field: form == .lfm2Audio ? "depth_linear.weight" : "clip.gen.audio.projection_dim")
        }
    }
}

extension SpeechDecoder.Parts {
    /// Reads a vocoder's file (LFM2.5-Audio).
    init(vocoder file: GGUFFile) throws {
        let binder = WeightBinder(file: file)
        guard binder.has("depth_linear.weight"), binder.has("emb.emb.weight") else {
            throw EngineError(
                .missingTensor,
                "tensor depth_linear.weight or emb.emb.weight is missing: the file is not an audio decoder (vocoder) of LFM2.5-Audio",
                field: binder.has("depth_linear.weight") ? "emb.emb.weight" : "depth_linear.weight")
        }
        let form = SpeechForm.lfm2Audio
        let depth = try DepthDecoder(binder, file.metadata)
        let codes = try CodeDecoder(detokenizer: binder)
        let feedback = try binder.lookupTable(
            "audio_embedding.embedding", rows: form.codebookCount * form.codeCount, columns: depth.input.columns)
        self.init(form: form, depth: depth, codes: codes, feedback: feedback)
    }
}
