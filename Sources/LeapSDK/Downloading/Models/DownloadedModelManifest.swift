import LeapTransfers

/// A model on this device: its manifest, and the paths of its files.
public struct DownloadedModelManifest: Sendable, Hashable {
    /// The manifest itself.
    public let manifest: ModelManifest
    /// The path of the model's file.
    public let localModelPath: String
    /// The path of the vision or audio encoder; nil if there is none.
    public let localMultimodalProjectorPath: String?
    /// The path of the audio decoder; nil if there is none.
    public let localAudioDecoderPath: String?
    /// The path of the audio tokenizer; nil if there is none.
    public let localAudioTokenizerPath: String?
    /// A chat template that replaces the model's own.
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
