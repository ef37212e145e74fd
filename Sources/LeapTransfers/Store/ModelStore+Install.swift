import Foundation
import LeapBase
import LeapGGUF
import LeapHTTP

extension ModelStore {
    /// Sees to it that a model is whole on disk.
    ///
    /// Callers that ask for one model at a time, in this process or another, share one transfer. A task that is
    /// cancelled stops waiting; the transfer stops when no caller waits for it any more, and goes on from there the
    /// next time.
    ///
    /// - Parameters:
    ///   - force: fetches even if the model is there; the old files stay until the new ones are whole.
    ///   - plan: what to fetch, where the reference alone does not say.
    ///   - progress: called in turn, about ten times a second.
    package func install(
        _ reference: ModelReference, force: Bool = false, plan: ModelPlan? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> InstalledModel {
        if !force, let model = try installed(reference) {
            touch(model.folder)
            let total = model.size
            progress?(
                TransferProgress(
                    phase: .finished, bytes: total, total: total, fraction: 1,
                    files: model.files.map { .init(name: $0.name, bytes: $0.size, total: $0.size, sha256: $0.sha256) }))
            return model
        }
        return try await InstallCenter.shared.install(
            reference, force: force, plan: plan, in: self, progress: progress)
    }

    /// Installs from a plan that the caller made, such as a model with companions at addresses of their own.
    package func perform(
        _ reference: ModelReference, force: Bool, plan made: ModelPlan? = nil, meter: ProgressMeter
    ) async throws -> InstalledModel {
        let folder = folder(of: reference)
        try StoreFiles.makeFolder(configuration.folder)
        try StoreFiles.requireInside(configuration.folder, folder)
        try StoreFiles.makeFolder(folder)
        BackupExclusion.apply(to: folder, excludeFromBackup)
        let lock = try await lock(folder) { self.reportOthers(in: folder, to: meter) }
        defer {
            // Nothing stays of a model that there is none of.
            if rmdir(folder) == 0 { rmdir((folder as NSString).deletingLastPathComponent) }
            withExtendedLifetime(lock) {}
        }
        try finishReplacement(in: folder)
        // Another process may have finished it while this one waited.
        if !force, let model = try installed(in: folder) {
            touch(folder)
            return model
        }
        meter.setPhase(.resolving)
        var fetcher = self.fetcher
        fetcher.onWait = { meter.setNote($0) }
        fetcher.onHold = { meter.setWait($0) }
        let plan: ModelPlan
        if let made { plan = made } else { plan = try await ModelResolver(fetcher: fetcher).plan(reference) }
        let files = plan.allFiles
        guard files.count <= OutsideNumber.maxFiles else {
            throw DownloadError(
                .invalidManifest,
                "\(reference.shown): \(files.count) files; a model has at most \(OutsideNumber.maxFiles).")
        }
        let descriptions = try await describe(files, fetcher)
        // Forced files wait in a folder of their own, so that the old ones can be used until all are there.
        let staging = force ? folder + Self.stagingName : folder
        try StoreFiles.makeFolder(staging)
        noteName(reference.shown, in: folder)
        let have = zip(files, descriptions).map { existing($0, $1, in: staging) }
        try demand(descriptions, have: have, folder: folder).require()
        meter.setFiles(zip(files, zip(have, descriptions)).map { ($0.name, $1.0, $1.1.size, $1.1.sha256) })
        meter.setPhase(.downloading)
        var installed: [InstalledFile] = []
        for (index, (file, description)) in zip(files, descriptions).enumerated() {
            meter.setPhase(.downloading)
            let events = FileTransfer.Events(
                bytes: { meter.set(file: index, bytes: $0) }, total: { meter.set(file: index, total: $0) },
                verifying: { meter.setPhase(.verifying) }, again: { meter.setNote("\(file.name): \($0)") })
            installed.append(try await fetch(file, description, in: staging, fetcher, events))
        }
        let manifest = plan.localManifest(folder: folder, reference: reference, installed: installed)
        // Last, and first in the staging folder: its manifest says that the replacement is whole.
        try StoreFiles.write(manifest.encoded(), to: staging + "/" + Self.manifestName, durable: true)
        if force { try finishReplacement(in: folder) }
        touch(folder)
        guard let model = try self.installed(in: folder) else {
            throw DownloadError(
                .fileSystem, "\(folder): the files were put in place but are gone; another program removes them.",
                path: folder)
        }
        return model
    }

    // MARK: Steps

    private static let stagingName = "/.new"

    /// Puts forced files in the place of the old ones, also for a process that died while it did so.
    ///
    /// Whatever interrupts it, the model is either the old one, absent until the next call, or the new one; never a
    /// mixture.
    private func finishReplacement(in folder: String) throws {
        let staging = folder + Self.stagingName
        let newManifest = staging + "/" + Self.manifestName
        guard !FileSystem.isLink(staging),
            let bytes = try StoreFiles.read(newManifest, limit: ManifestDocument.longest * 2)
        else { return }
        let new = (try? ManifestDocument(bytes, place: newManifest))?.installedFiles ?? []
        let manifest = folder + "/" + Self.manifestName
        let old = FileSystem.size(of: manifest) == nil ? [] : (try? recorded(in: folder))?.files ?? []
        unlink(manifest)
        FileSystem.synchronizeFolder(of: manifest)
        for file in new where SafeFileName.mapped(file.name) == file.name {
            // One that is not in the staging folder was moved before the interruption.
            let path = staging + "/" + file.name
            if FileSystem.size(of: path) != nil { try StoreFiles.rename(path, to: folder + "/" + file.name) }
        }
        let kept = Set(new.map(\.name))
        for file in old where !kept.contains(file.name) { unlink(folder + "/" + file.name) }
        FileSystem.synchronizeFolder(of: manifest)
        try StoreFiles.rename(newManifest, to: manifest)
        FileSystem.synchronizeFolder(of: manifest)
        try? FileManager.default.removeItem(atPath: staging)
    }

    func lock(_ folder: String, waiting: @Sendable () -> Void = {}) async throws -> FileLock {
        let path = lockPath(folder)
        try StoreFiles.makeFolder((path as NSString).deletingLastPathComponent)
        return try await FileLock.acquire(path, waiting: waiting)
    }

    /// The lock, unless somebody keeps it for longer than a look takes.
    func tryLock(_ folder: String) async throws -> FileLock? {
        let path = lockPath(folder)
        try StoreFiles.makeFolder((path as NSString).deletingLastPathComponent)
        for attempt in 0..<10 {
            if attempt > 0 { try await Task.sleep(nanoseconds: 20_000_000) }
            if let lock = try FileLock.attempt(path) { return lock }
        }
        return nil
    }

    /// Finishes what a process that was killed had begun, if no other process does so: without this the model would be
    /// hidden until it is fetched again, although all of it is there.
    ///
    /// - Returns: whether the model's manifest is in place now.
    func completeReplacement(in folder: String) -> Bool {
        guard FileSystem.size(of: folder + "/" + Self.manifestName) == nil,
            FileSystem.size(of: folder + Self.stagingName + "/" + Self.manifestName) != nil,
            let lock = try? FileLock.attempt(lockPath(folder))
        else { return false }
        defer { withExtendedLifetime(lock) {} }
        return (try? finishReplacement(in: folder)) != nil
    }

    func lockPath(_ folder: String) -> String {
        let name = folder.dropFirst(configuration.folder.count + 1).replacingOccurrences(of: "/", with: "--")
        return "\(configuration.folder)/.locks/\(SafeFileName.mapped(name)).lock"
    }

    /// Shows what another process has fetched so far.
    private func reportOthers(in folder: String, to meter: ProgressMeter) {
        let parts = partials(in: folder)
        guard !parts.isEmpty else { return }
        meter.setPhase(.downloading)
        meter.setFiles(parts.map { ($0.name, $0.have, $0.total, nil) })
    }

    func describe(_ files: [RemoteFile], _ fetcher: Fetcher) async throws -> [RemoteDescription] {
        try await withThrowingTaskGroup(of: (Int, RemoteDescription).self) { group in
            var results = [RemoteDescription?](repeating: nil, count: files.count)
            var next = 0
            func add(_ index: Int) {
                group.addTask { (index, try await fetcher.describe(files[index])) }
            }
            while next < min(4, files.count) {
                add(next)
                next += 1
            }
            while let (index, description) = try await group.next() {
                results[index] = description
                if next < files.count {
                    add(next)
                    next += 1
                }
            }
            return results.compactMap { $0 }
        }
    }

    /// Bytes of a file that are on disk from an earlier attempt.
    func existing(_ file: RemoteFile, _ description: RemoteDescription, in folder: String) -> Int64 {
        let path = folder + "/" + file.name
        // A whole file whose source has no hash is not trusted: it is fetched again.
        if description.sha256 != nil, let size = FileSystem.size(of: path), size == description.size { return size }
        guard let journal = TransferJournal.load(path + JournalFile.suffix),
            let partial = FileSystem.size(of: path + ".partial")
        else { return 0 }
        return journal.trusted(for: file, description, partialSize: partial).count
    }

    private func fetch(
        _ file: RemoteFile, _ description: RemoteDescription, in folder: String, _ fetcher: Fetcher,
        _ events: FileTransfer.Events
    ) async throws -> InstalledFile {
        let path = folder + "/" + file.name
        try StoreFiles.requireInside(configuration.folder, path)
        if let expected = description.sha256, !FileSystem.isLink(path), let size = FileSystem.size(of: path),
            size == description.size
        {
            // Put in place by an attempt that did not get to the end of the model.
            events.bytes(size)
            events.verifying()
            if try await FileCheck.sha256(path) == expected {
                return InstalledFile(
                    name: file.name, source: file.origin.shown, size: size, sha256: expected, isVerified: true)
            }
            events.bytes(0)
            events.again("the file on disk is damaged and is fetched again")
        }
        let transfer = FileTransfer(fetcher: fetcher, file: file, folder: folder, events: events)
        let outcome = try await transfer.run(description)
        return InstalledFile(
            name: file.name, source: file.origin.shown, size: outcome.size, sha256: outcome.sha256,
            isVerified: description.sha256 != nil)
    }
}
