import Foundation
import LeapTransfers

/// The files of a ``ModelSource``, those on this device and those to fetch.
struct SourceFiles {
    private let source: ModelSource
    /// Paths on this device.
    private(set) var local: [ManifestDocument.Role: String] = [:]
    private var remote: [(role: ManifestDocument.Role, url: URL)] = []

    init(_ source: ModelSource) throws {
        self.source = source
        for (role, text) in source.paths {
            if let path = try ModelSource.localPath(text) {
                local[role] = path
            } else if let url = URL(string: text) {
                remote.append((role, url))
            }
        }
    }

    var reference: ModelReference {
        .source(
            model: source.modelName, quantization: source.quantizationId,
            key: remote.map(\.url.absoluteString).joined(separator: "\n"))
    }

    /// Returns the plan of what to fetch; nil if everything is on this device.
    func plan() throws -> ModelPlan? {
        guard !remote.isEmpty else { return nil }
        var names = ModelPlan.NameTable()
        var files: [(role: ManifestDocument.Role, file: RemoteFile)] = []
        for (role, url) in remote { files.append((role, try names.file(url.absoluteString, relativeTo: url))) }
        let parts = files.first.map { $0.role == .model ? names.furtherParts(of: $0.file) : [] } ?? []
        return ModelResolver.plan(inferenceType: "llama.cpp/text-to-text", files: files, parts: parts)
    }

    /// The files as the loader takes them.
    func modelFiles(_ installed: InstalledModel?) -> ModelFiles {
        func path(_ role: ManifestDocument.Role) -> String? { local[role] ?? installed?.path(role) }
        var files = ModelFiles(modelPath: path(.model) ?? source.modelPath, modelId: source.modelName)
        files.multimodalProjectorPath = path(.multimodalProjector)
        files.audioDecoderPath = path(.audioDecoder)
        files.audioTokenizerPath = path(.audioTokenizer)
        return files
    }
}
