import LeapTransfers

/// A model on this device: its manifest, and where its files are.
public struct DownloadedModelManifest: Sendable, Hashable {
    /// The manifest itself.
    public let manifest: ModelManifest
    /// The model's file.
    public let localModelPath: String
    /// The vision or audio encoder.
    public let localMultimodalProjectorPath: String?
    /// The audio decoder.
    public let localAudioDecoderPath: String?
    /// The audio tokenizer.
    public let localAudioTokenizerPath: String?
    /// A chat template over the model's own.
    public let chatTemplate: String?

    package init(_ model: InstalledModel) {
        manifest = ModelManifest(model.manifest)
        localModelPath = model.path(.model) ?? model.folder
        localMultimodalProjectorPath = model.path(.multimodalProjector)
        localAudioDecoderPath = model.path(.audioDecoder)
        localAudioTokenizerPath = model.path(.audioTokenizer)
        chatTemplate = model.manifest.chatTemplate
    }
}
