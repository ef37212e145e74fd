import Foundation
import LeapBase
import LeapChat

/// The files that make up a model, and what a manifest says about them.
package struct ModelFiles: Sendable, Hashable, Codable {
    /// The GGUF file.
    package var modelPath: String
    /// The name the model goes by.
    package var modelId: String
    /// The vision or audio encoder.
    package var multimodalProjectorPath: String?
    /// The audio decoder.
    package var audioDecoderPath: String?
    /// The audio tokenizer.
    package var audioTokenizerPath: String?
    /// The manifest's chat template.
    package var chatTemplate: String?
    /// The manifest's recommended values.
    package var generationTimeParameters: GenerationTimeParameters?
    /// The manifest's inference type, such as `llama.cpp/text-to-text`.
    package var inferenceType: String?

    package init(modelPath: String, modelId: String? = nil) {
        self.modelPath = modelPath
        self.modelId = modelId ?? URL(fileURLWithPath: modelPath).deletingPathExtension().lastPathComponent
    }

    /// The same with the companions that lie beside the model and are told by their names, as loading it finds them.
    package func withCompanions() throws -> ModelFiles {
        try CompanionFiles.complete(self, options: LoadOptions(), autoDetect: true)
    }

    /// The model's files as a path means them: a GGUF file itself, or what a bundle holds.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the path, what was found there and what would do.
    package static func resolve(path: String) throws -> ModelFiles {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw LeapModelLoadingException(
                message: "there is no file at \(path); check the path, or download the model first", path: path)
        }
        if isFolder.boolValue { return try ModelBundle.files(inFolder: path) }
        // A pipe would be waited for, and a device read without an end.
        guard FileSystem.size(of: path) != nil else {
            throw LeapModelLoadingException(
                message: "\(path) is a pipe, a socket or a device; give the path of a .gguf file", path: path)
        }
        let start: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            start = [UInt8](try handle.read(upToCount: 4) ?? Data())
        } catch {
            throw LeapModelLoadingException(
                message: "\(path) cannot be read: \(error.localizedDescription)", path: path, cause: error)
        }
        return ZipArchive.isArchive(start) ? try ModelBundle.files(inArchive: path) : ModelFiles(modelPath: path)
    }
}
