import Foundation
import LeapBase

extension ModelStore {
    /// Removes a model and everything that was fetched of it; a running transfer is stopped first.
    package func remove(_ reference: ModelReference) async throws {
        try await remove(folder: folder(of: reference))
    }

    package func remove(folder: String) async throws {
        InstallCenter.shared.stop(folder: folder)
        await InstallCenter.shared.drain(folder: folder)
        guard FileManager.default.fileExists(atPath: folder) || FileSystem.isLink(folder) else { return }
        try StoreFiles.requireInside(configuration.folder, (folder as NSString).deletingLastPathComponent)
        if FileSystem.isLink(folder) {
            // The link only: what it leads to is not ours.
            guard unlink(folder) == 0 else { throw DownloadError(FileSystemError("removing the link", folder)) }
            return
        }
        // Not waited for: whoever asked meant the model as it is, not the one that another process is about to put in
        // its place.
        guard let lock = try await tryLock(folder) else {
            throw DownloadError(
                .inUse,
                "\(folder): another process is fetching this model; stop that first (Ctrl-C), or wait for it.",
                path: folder)
        }
        defer { withExtendedLifetime(lock) {} }
        // The manifest first: from then on the model is not there, whatever happens to the rest.
        unlink(folder + "/" + Self.manifestName)
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            throw DownloadError(
                .fileSystem, "\(folder): not everything could be removed (\((error as NSError).localizedDescription)).",
                path: folder, cause: error)
        }
        // The folder above it, if this was its last model.
        rmdir((folder as NSString).deletingLastPathComponent)
    }

    /// Hashes every file of a model again.
    ///
    /// - Returns: the files that are not as they were installed.
    package func verify(_ model: InstalledModel, progress: (@Sendable (String) -> Void)? = nil) async throws
        -> [InstalledFile]
    {
        var damaged: [InstalledFile] = []
        for file in model.files {
            progress?(file.name)
            let path = model.folder + "/" + file.name
            let isWhole = FileSystem.size(of: path) == file.size
            let found = isWhole ? try await FileCheck.sha256(path) : nil
            if !isWhole || (file.sha256 != nil && file.sha256 != found) { damaged.append(file) }
        }
        return damaged
    }

    /// Removes what was left unfinished, then the models that were not used for longest, until the rest has at most
    /// `limit` bytes.
    ///
    /// A model that is in memory in this process, or that any process fetches, is left alone.
    ///
    /// - Returns: the whole models that were removed.
    @discardableResult
    package func cleanUp(toBytes limit: Int64) async throws -> [InstalledModel] {
        var models = try list()
        var unfinished = listUnfinished()
        var total = models.reduce(0) { $0 + $1.size } + unfinished.reduce(0) { $0 + $1.bytes }
        var removed: [InstalledModel] = []
        unfinished.removeAll(where: \.isRunning)
        while total > limit, let abandoned = unfinished.popLast() {
            guard try await removeUnlessInUse(abandoned.folder) else { continue }
            total = max(0, total - abandoned.bytes)
        }
        while total > limit, let oldest = models.popLast() {
            guard try await removeUnlessInUse(oldest.folder) else { continue }
            total -= oldest.size
            removed.append(oldest)
        }
        return removed
    }

    /// Removes a model, unless this process has it in memory, or another one fetches it.
    ///
    /// - Returns: whether it was removed.
    func removeUnlessInUse(_ folder: String) async throws -> Bool {
        guard !InstallCenter.shared.isRunning(folder: folder) else { return false }
        do {
            try await remove(folder: folder)
            return true
        } catch let error as DownloadError where error.code == .inUse {
            return false
        }
    }
}
