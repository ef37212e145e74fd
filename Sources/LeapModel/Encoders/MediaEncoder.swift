package import LeapBase

/// A medium that prompts may hold besides text; the values are those on the model service's wire.
package enum Medium: String, Sendable, Codable {
    case image = "picture"
    case audio = "sound"
    /// Pairs of frames, which the encoder of pictures reads, with their times as text.
    case video
    /// A reply with speech: frames that a model wrote, between tokens that it wrote.
    case speech
}

/// A file that brings pictures or sound to a language model: they become vectors that it takes in place of tokens.
///
/// It keeps the file mapped while it lives, is immutable, and may be shared by any number of engines and threads.
package protocol MediaEncoder: Sendable {
    /// The medium that it reads.
    var medium: Medium { get }
    /// Length of the vectors that it makes.
    var outputLength: Int { get }
    /// The number of further vectors after each, for the first layers of the model to add.
    var additionCount: Int { get }
    /// The tiling by which pictures are cut for it; nil where it reads none.
    var imageTiling: ImageTiling? { get }
    /// The form of the spectra that it reads; nil where it reads no sound.
    var spectrumForm: SpectrumForm? { get }
    /// The kind, as the file declares it.
    var kind: String { get }
    /// Tells the weights apart from those of other encoders.
    var identity: StableHash { get }
    /// Checks what is special about the models that its kind is for.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels`.
    func validateKind(for model: Model) throws(EngineError)
}

extension MediaEncoder {
    package var additionCount: Int { 0 }
    package var imageTiling: ImageTiling? { nil }
    package var spectrumForm: SpectrumForm? { nil }
    package func validateKind(for model: Model) throws(EngineError) {}
    /// Floats of each vector and those that follow it.
    package var vectorStride: Int { outputLength * (1 + additionCount) }

    /// Checks that a model takes the vectors.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels`.
    package func validate(for model: Model) throws(EngineError) {
        guard outputLength == model.embeddingLength else {
            throw EngineError(
                .incompatibleModels,
                "the projector computes vectors of \(outputLength) elements, but the model takes \(model.embeddingLength): it belongs to another model",
                field: medium == .image ? "clip.vision.projection_dim" : "clip.audio.projection_dim")
        }
        let layers = model.layers.stack.additionCount
        guard medium != .image || additionCount == layers else {
            throw EngineError(
                .incompatibleModels,
                "the projector has vectors for \(additionCount) layers of the model, but \(layers) layers take them: it belongs to another model",
                field: "clip.vision.is_deepstack_layers")
        }
        try validateKind(for: model)
    }
}
