import LeapBase
import LeapCore
import LeapTransfers

/// What the files of models say of them, read once for each file.
final class ModelDescriptions: Sendable {
    private struct Known {
        let modified: Int64
        let byteCount: Int64
        /// nil where the file is none that can be read.
        let description: ModelDescription?
    }

    /// More than anybody serves; beyond it all are read again.
    private static let maxCount = 4096

    private let known = Locked<[String: Known]>([:])

    /// Reads what is not known yet; it may block for some milliseconds for each model.
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
