import Foundation
import LeapTransfers

/// A manifest on this device with its files beside it.
enum LocalManifest {
    static func files(_ url: URL) throws -> ModelFiles {
        guard let bytes = try StoreFiles.read(url.path, limit: ManifestDocument.longest) else {
            throw DownloadError(.notInstalled, "\(url.path): there is no such file.", path: url.path)
        }
        let document = try ManifestDocument(bytes, place: url.path)
        try InferenceTypes.check(document.inferenceType, place: url.path)
        let folder = url.deletingLastPathComponent().path
        func path(_ role: ManifestDocument.Role) throws -> String? {
            guard let text = document.file(role) else { return nil }
            if let url = URL(string: text), url.isFileURL { return url.path }
            guard !text.contains("://") else {
                throw DownloadError(
                    .invalidManifest,
                    "\(url.path): \(text) is not on this device; give the manifest's address on the network instead.",
                    path: url.path)
            }
            guard !text.hasPrefix("/"), !text.split(separator: "/").contains("..") else {
                throw DownloadError(
                    .unsafeFileName, "\(url.path): \"\(text)\" is outside of the manifest's folder.", path: url.path)
            }
            let path = folder + "/" + text
            try StoreFiles.requireInside(folder, path)
            return path
        }
        let manifest = ModelManifest(document)
        var files = ModelFiles(modelPath: try path(.model) ?? "")
        files.multimodalProjectorPath = try path(.multimodalProjector)
        files.audioDecoderPath = try path(.audioDecoder)
        files.audioTokenizerPath = try path(.audioTokenizer)
        files.chatTemplate = manifest.loadTimeParameters.chatTemplate
        files.generationTimeParameters = manifest.generationTimeParameters
        files.inferenceType = manifest.inferenceType
        return files
    }
}
