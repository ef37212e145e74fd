package import Foundation

extension ModelStore {
    /// Removes the models that nobody asked for since a time.
    ///
    /// A model that is in memory in this process, or that any process fetches, is left alone however old its last use
    /// is. Every load, in any process, counts as a use.
    ///
    /// - Parameters:
    ///   - date: models whose last use is earlier are removed.
    ///   - isDryRun: true to return them and remove nothing.
    /// - Returns: the models, the one that was unused for longest last.
    package func removeUnused(since date: Date, isDryRun: Bool) async throws -> [InstalledModel] {
        var removed: [InstalledModel] = []
        for model in try list() where model.lastUse < date && !isInUse(model.folder) {
            // Asked again: a model may be loaded while those before it are removed.
            if !isDryRun {
                guard let now = try installed(in: model.folder), now.lastUse < date,
                    try await removeUnlessInUse(model.folder)
                else { continue }
            }
            removed.append(model)
        }
        return removed
    }

    /// Returns whether a model must stay: it is in memory here, about to be, or being fetched.
    func isInUse(_ folder: String) -> Bool {
        let center = InstallCenter.shared
        return center.isRunning(folder: folder) || center.progress(folder: folder) != nil
            || FileLock.isHeld(lockPath(folder))
    }
}
