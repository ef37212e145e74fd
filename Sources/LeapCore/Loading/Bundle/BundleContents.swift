import Foundation
import LeapChat
import LeapGGUF

/// The files of a bundle that make up the model.
struct BundleContents {
    private let path: String
    private let manifest: BundleManifest?
    private let model: String

    /// Finds the manifest and the model.
    ///
    /// - Parameters:
    ///   - names: the files' names, relative to the bundle.
    ///   - path: the bundle.
    ///   - read: gives the bytes of a small file.
    /// - Throws: ``LeapModelLoadingException`` that says what the bundle holds instead, and what to load.
    init(names: [String], path: String, read: (String) throws -> [UInt8]) throws {
        self.path = path
        let known = Set(names)
        // The manifest is the JSON file nearest to the top that has a manifest's members.
        let candidates = names.filter { $0.lowercased().hasSuffix(".json") }
            .sorted { ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1) }
        var manifest: BundleManifest?
        for name in candidates where manifest == nil {
            manifest = BundleManifest(try read(name), name: name)
        }
        if let program = names.first(where: { $0.lowercased().hasSuffix(".pte") }) ?? manifest?.executorchProgram {
            throw Self.executorch(program: program, path: path)
        }
        let ggufs = names.filter { $0.lowercased().hasSuffix(".gguf") }
        if let manifest {
            guard let model = manifest.model, known.contains(model) else {
                throw LeapModelLoadingException(
                    message:
                        "\(path): the manifest '\(manifest.name)' names the model '\(manifest.model ?? "")', which the bundle "
                        + "does not hold; it holds \(ggufs.isEmpty ? "no GGUF file" : ggufs.joined(separator: ", "))",
                    path: path)
            }
            for (member, name) in manifest.companions where !known.contains(name) {
                throw LeapModelLoadingException(
                    message: "\(path): the manifest's \(member) is '\(name)', which the bundle does not hold",
                    path: path)
            }
            self.model = model
        } else {
            // A folder of a draft model or an adapter alone has that as its model; loading it says what it is.
            let weights = ggufs.filter { CompanionFiles.kind(ofFile: $0) == nil }
            let plain = weights.filter { ModelFileRole(path: $0) == .model }
            let models = plain.isEmpty ? weights : plain
            guard models.count == 1 else {
                throw LeapModelLoadingException(
                    message: models.isEmpty
                        ? "\(path) holds neither a manifest nor a GGUF model; load a .gguf file"
                        : "\(path) holds no manifest and several models (\(models.prefix(4).joined(separator: ", "))); load one of them",
                    path: path)
            }
            model = models[0]
        }
        self.manifest = manifest
    }

    /// The names of the files that are needed.
    var fileNames: [String] { [model] + (manifest?.companions.map(\.name) ?? []) }

    /// The model's files once they lie in a folder.
    func files(in folder: URL) -> ModelFiles {
        func url(_ name: String?) -> String? { name.map { folder.appendingPathComponent($0).path } }
        var files = ModelFiles(
            modelPath: folder.appendingPathComponent(model).path,
            modelId: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
        files.multimodalProjectorPath = url(manifest?.multimodalProjector)
        files.audioDecoderPath = url(manifest?.audioDecoder)
        files.audioTokenizerPath = url(manifest?.audioTokenizer)
        files.chatTemplate = manifest?.chatTemplate
        files.generationTimeParameters = manifest?.generationTimeParameters
        files.inferenceType = manifest?.inferenceType
        return files
    }

    private static func executorch(program: String, path: String) -> LeapModelLoadingException {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        // Bundles are named after the model, with the quantisation and the context length behind it.
        let model = name.replacing(/[-_](8da4w|4w|fp16|bf16|seq|[0-9]{4,}).*$/.ignoresCase(), with: "")
        return LeapModelLoadingException(
            message:
                "\(path) holds an ExecuTorch program (\(program)), which this engine does not run; load the GGUF of the "
                + "same model instead, for example \(model)-Q4_K_M.gguf from a \(model)-GGUF repository", path: path)
    }
}
