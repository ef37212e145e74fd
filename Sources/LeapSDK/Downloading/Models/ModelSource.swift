import Foundation
import LeapTransfers

/// The files of a model that an app provides, as paths or URLs.
///
/// Each value is an absolute path, a `file://` URL or an `http(s)://` URL. Files at `http(s)://` URLs are downloaded on
/// first use and kept.
public struct ModelSource: Sendable, Hashable {
    /// The path or URL of the model.
    public let modelPath: String
    /// The path or URL of the vision or audio encoder; nil if there is none.
    public let mmprojPath: String?
    /// The path or URL of the audio decoder; nil if there is none.
    public let audioDecoderPath: String?
    /// The path or URL of the audio tokenizer; nil if there is none.
    public let audioTokenizerPath: String?
    /// The name of the model.
    public let modelName: String
    /// The quantization, such as `Q4_K_M`.
    public let quantizationId: String

    /// Creates a source.
    public init(
        modelPath: String, mmprojPath: String? = nil, audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        modelName: String, quantizationId: String
    ) {
        self.modelPath = modelPath
        self.mmprojPath = mmprojPath
        self.audioDecoderPath = audioDecoderPath
        self.audioTokenizerPath = audioTokenizerPath
        self.modelName = modelName
        self.quantizationId = quantizationId
    }

    /// The paths that are given, by role.
    var paths: [(role: ManifestDocument.Role, text: String)] {
        [
            (.model, modelPath), (.multimodalProjector, mmprojPath), (.audioDecoder, audioDecoderPath),
            (.audioTokenizer, audioTokenizerPath),
        ].compactMap { role, text in text.map { (role, $0) } }
    }

    /// A path on this device, or nil for an address on the network.
    static func localPath(_ text: String) throws -> String? {
        guard text.contains("://") else {
            guard text.hasPrefix("/") else {
                throw DownloadError(.invalidAddress, "\(text): neither an absolute path nor an address.", path: text)
            }
            return text
        }
        guard let url = URL(string: text) else { throw DownloadError(.invalidAddress, "\(text): not an address.") }
        return url.isFileURL ? url.path : nil
    }
}
