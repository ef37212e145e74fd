package import LeapBase
package import LeapGGUF

/// The decoder by which a language model speaks: layers that write frames of codes behind its own, and others that make
/// spectra of them (LFM2.5-Audio).
///
/// It keeps the file mapped while it lives, is immutable, and may be shared by any number of engines and threads. The
/// file has next to no metadata: sizes follow from the shapes of its tensors.
package final class SpeechDecoder: Sendable {
    package let file: GGUFFile
    /// Tells the weights apart from those of other decoders.
    package let identity: StableHash
    package let depth: DepthDecoder
    package let codes: CodeDecoder
    /// Embeddings of the codes as the language model reads them, `[codebooks · codes][length]`.
    package let feedback: Matrix
    /// The window that frames of sound are multiplied with.
    package var window: [Float] { codes.window }

    /// Samples per second of its speech.
    package static let sampleRate = GGUFSpeechDecoder.sampleRate
    /// Samples of a frame.
    package static let samplesPerFrame = CodeDecoder.spectraPerFrame * CodeDecoder.hop

    /// The length of the language model's vectors.
    package var inputLength: Int { depth.input.columns }

    /// Opens a decoder's file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> SpeechDecoder {
        try SpeechDecoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    package init(file: GGUFFile) throws {
        let binder = WeightBinder(file: file)
        guard binder.has("depth_linear.weight"), binder.has("emb.emb.weight") else {
            throw EngineError(
                .missingTensor,
                "tensor depth_linear.weight or emb.emb.weight is missing: the file is not an audio decoder (vocoder) of LFM2.5-Audio",
                field: binder.has("depth_linear.weight") ? "emb.emb.weight" : "depth_linear.weight")
        }
        depth = try DepthDecoder(binder, file.metadata)
        codes = try CodeDecoder(detokenizer: binder)
        feedback = try binder.matrix(
            "audio_embedding.embedding", rows: SpeechFrame.codebookCount * SpeechFrame.codeCount,
            columns: depth.input.columns)
        self.file = file
        identity = WeightIdentity.ofTensors(file)
    }

    /// Checks that a model's vectors are those that it reads.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels`.
    package func validate(for model: Model) throws(EngineError) {
        guard inputLength == model.embeddingLength else {
            throw EngineError(
                .incompatibleModels,
                "the audio decoder reads vectors of \(inputLength) elements, but the model computes \(model.embeddingLength): it belongs to another model",
                field: "depth_linear.weight")
        }
    }
}
