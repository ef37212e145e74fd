import LeapBase
import LeapCore
import LeapTransfers

/// The descriptions of models by their files, each read once.
final class ModelDescriptions: Sendable {
    private struct Known {
        let modified: Int64
        let byteCount: Int64
        /// The description; nil where the file cannot be read.
        let description: ModelDescription?
    }

    /// More than anybody serves; beyond it all are read again.
    private static let maxCount = 4096

    private let known = Locked<[String: Known]>([:])

    /// Returns the description of a model, and reads its file the first time, which may take some milliseconds.
    ///
    /// - Returns: nil for a model whose file cannot be read.
    subscript(model: ServedModel) -> ModelDescription? {
        let path = model.weightsPath
        guard let status = FileSystem.status(of: path) else { return nil }
        let found = known.withLock { $0[path] }
        if let found, found.modified == status.modified, found.byteCount == status.byteCount {
            return found.description
        }
        let description = try? ModelDescription(reading: path)
        known.withLock { known in
            if known.count >= Self.maxCount { known = [:] }
            known[path] = Known(
                modified: status.modified, byteCount: status.byteCount, description: description)
        }
        return description
    }
}

extension ServedModel {
    /// The path of the GGUF file, also where the model is a folder or an archive with one.
    var weightsPath: String {
        guard case .path(let path) = source else { return path }
        return (try? ModelFiles.resolve(path: path).modelPath) ?? path
    }
}
