import LeapBase
import LeapCore
import LeapSDK
import LeapTransfers

/// The modalities of served models by their files, without loading them; headers are read once for each state of the
/// files.
final class ServedModalities: Sendable {
    private struct Known {
        let files: [String]
        let states: [OpenFile.Status?]
        /// The modalities; nil where the model's file cannot be read.
        let modalities: ModelModalities?
    }

    /// More models than anybody serves; beyond it all are read again.
    private static let maxCount = 4096

    private let known = Locked<[String: Known]>([:])

    /// Returns the modalities of a model, and reads its files the first time, which may take some milliseconds.
    ///
    /// - Returns: nil for a model whose files cannot be read, or lie in an archive that would have to be unpacked.
    func modalities(of model: ServedModel, _ downloader: LeapDownloader?) -> ModelModalities? {
        guard let files = Self.files(of: model, downloader) else { return nil }
        let paths = [files.modelPath, files.multimodalProjectorPath, files.audioDecoderPath].compactMap(\.self)
        let states = paths.map { FileSystem.status(of: $0) }
        if let found = known.withLock({ $0[model.id] }), found.files == paths,
            zip(found.states, states).allSatisfy({ Self.isSame($0, $1) })
        {
            return found.modalities
        }
        let modalities = try? ModelModalities(headersOf: files)
        known.withLock { known in
            if known.count >= Self.maxCount { known = [:] }
            known[model.id] = Known(files: paths, states: states, modalities: modalities)
        }
        return modalities
    }

    private static func isSame(_ one: OpenFile.Status?, _ other: OpenFile.Status?) -> Bool {
        one?.modified == other?.modified && one?.byteCount == other?.byteCount
    }

    /// The model's files as loading it finds them.
    private static func files(of model: ServedModel, _ downloader: LeapDownloader?) -> ModelFiles? {
        switch model.source {
        case .files(let files): return files
        case .installed(let installed): return try? (downloader ?? LeapDownloader()).files(of: installed)
        case .path(let path):
            guard path.lowercased().hasSuffix(".gguf") || FileSystem.size(of: path) == nil else { return nil }
            return try? ModelFiles.resolve(path: path).withCompanions()
        }
    }
}
