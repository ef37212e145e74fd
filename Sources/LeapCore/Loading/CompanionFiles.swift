import Foundation
import LeapChat
import LeapGGUF

/// Finds the files that belong to a model by their names, beside it.
enum CompanionFiles {
    enum Kind { case multimodalProjector, audioDecoder, audioTokenizer }

    /// Returns the kind of companion that a file's name says it is; nil for models and everything else.
    static func kind(ofFile path: String) -> Kind? {
        let name = path.lowercased()
        guard name.hasSuffix(".gguf") || name.hasSuffix(".bin") else { return nil }
        switch ModelFileRole(path: path) {
        case .projector: return .multimodalProjector
        case .audioDecoder: return .audioDecoder
        case .audioTokenizer: return .audioTokenizer
        case .model, .draft, .adapter, .statistics: return nil
        }
    }

    /// The companions in a model's folder; of several of a kind the one whose name has most in common with the model's.
    static func find(beside modelPath: String) -> [Kind: String] {
        let model = URL(fileURLWithPath: modelPath)
        let folder = model.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var found: [Kind: (path: String, score: Int)] = [:]
        let words = Self.words(model.lastPathComponent)
        for name in names.sorted() where name != model.lastPathComponent {
            guard let kind = kind(ofFile: name) else { continue }
            let score = words.intersection(Self.words(name)).count
            if score > found[kind]?.score ?? -1 { found[kind] = (folder.appendingPathComponent(name).path, score) }
        }
        return found.mapValues(\.path)
    }

    private static func words(_ name: String) -> Set<Substring> {
        Set(name.lowercased().split { !$0.isLetter && !$0.isNumber })
    }

    /// The model's files with explicit paths put in, and with companions found beside it where there are none.
    ///
    /// - Throws: ``LeapModelLoadingException`` for an explicit path, or one of the manifest's, where there is no file.
    static func complete(_ files: ModelFiles, options: LoadOptions, autoDetect: Bool) throws -> ModelFiles {
        var files = files
        for (name, path) in [
            ("mmProjPath", options.mmProjPath), ("audioDecoderPath", options.audioDecoderPath),
            ("audioTokenizerPath", options.audioTokenizerPath),
        ] {
            guard let path, !FileManager.default.fileExists(atPath: path) else { continue }
            throw LeapModelLoadingException(
                message: "there is no file at \(path), the \(name) option; check the path", path: path)
        }
        for (name, path, option) in [
            ("multimodal_projector", files.multimodalProjectorPath, options.mmProjPath),
            ("audio_decoder", files.audioDecoderPath, options.audioDecoderPath),
            ("audio_tokenizer", files.audioTokenizerPath, options.audioTokenizerPath),
        ] where option == nil {
            guard let path, !FileManager.default.fileExists(atPath: path) else { continue }
            throw LeapModelLoadingException(
                message:
                    "there is no file at \(path), the model's \(name); put it there, or name another one in the options",
                path: path)
        }
        let found = autoDetect ? find(beside: files.modelPath) : [:]
        files.multimodalProjectorPath =
            options.mmProjPath ?? files.multimodalProjectorPath ?? found[.multimodalProjector]
        files.audioDecoderPath = options.audioDecoderPath ?? files.audioDecoderPath ?? found[.audioDecoder]
        files.audioTokenizerPath = options.audioTokenizerPath ?? files.audioTokenizerPath ?? found[.audioTokenizer]
        return files
    }
}
