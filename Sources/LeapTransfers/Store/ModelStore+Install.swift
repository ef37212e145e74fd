import Foundation
import LeapGGUF

extension ModelStore {
    /// Sees to it that a model is whole on disk.
    ///
    /// Callers that ask for one model at a time, in this process or another, share one transfer. A task that is cancelled stops waiting;
    /// the transfer stops when nobody waits for it any more, and goes on from there the next time.
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
                    files: model.files.map { .init(name: $0.name, bytes: $0.size, total: $0.size) }))
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
        try FileSystem.makeFolder(configuration.folder)
        try FileSystem.requireInside(configuration.folder, folder)
        try FileSystem.makeFolder(folder)
        let lock = try await lock(folder) { self.reportOthers(in: folder, to: meter) }
        defer { withExtendedLifetime(lock) {} }
        // Another process may have finished it while this one waited.
        if !force, let model = try installed(in: folder) {
            touch(folder)
            return model
        }
        meter.setPhase(.resolving)
        let plan: ModelPlan
        if let made { plan = made } else { plan = try await resolver.plan(reference) }
        let files = plan.allFiles
        let descriptions = try await describe(files)
        // Forced files wait in a folder of their own, so that the old ones can be used until all are there.
        let staging = force ? folder + "/.new" : folder
        try FileSystem.makeFolder(staging)
        let have = zip(files, descriptions).map { existing($0, $1, in: staging) }
        try requireSpace(files, descriptions, have: have, folder: folder)
        meter.setFiles(zip(files, zip(have, descriptions)).map { ($0.name, $1.0, $1.1.size) })
        meter.setPhase(.downloading)
        var installed: [InstalledFile] = []
        for (index, (file, description)) in zip(files, descriptions).enumerated() {
            installed.append(
                try await fetch(file, description, in: staging) { bytes in meter.set(file: index, bytes: bytes) })
        }
        meter.setPhase(.verifying)
        if force {
            for file in installed { try FileSystem.rename(staging + "/" + file.name, to: folder + "/" + file.name) }
            try? FileManager.default.removeItem(atPath: staging)
        }
        let manifest = plan.localManifest(folder: folder, reference: reference, installed: installed)
        try FileSystem.write(try manifest.encoded(), to: folder + "/" + Self.manifestName, durable: true)
        touch(folder)
        guard let model = try self.installed(in: folder) else {
            throw DownloadError(
                .fileSystem, "\(folder): the files were put in place, but are not there; something else removes them.",
                path: folder)
        }
        return model
    }

    // MARK: Steps

    func lock(_ folder: String, waiting: @Sendable () -> Void = {}) async throws -> FileLock {
        let locks = configuration.folder + "/.locks"
        try FileSystem.makeFolder(locks)
        let name = folder.dropFirst(configuration.folder.count + 1).replacingOccurrences(of: "/", with: "--")
        return try await FileLock.acquire("\(locks)/\(SafeFileName.mapped(name)).lock", waiting: waiting)
    }

    /// Shows what another process has fetched so far.
    private func reportOthers(in folder: String, to meter: ProgressMeter) {
        let parts = partials(in: folder)
        guard !parts.isEmpty else { return }
        meter.setPhase(.downloading)
        meter.setFiles(parts.map { ($0.name, $0.have, $0.total) })
    }

    private func describe(_ files: [RemoteFile]) async throws -> [RemoteDescription] {
        try await withThrowingTaskGroup(of: (Int, RemoteDescription).self) { group in
            var results = [RemoteDescription?](repeating: nil, count: files.count)
            var next = 0
            func add(_ index: Int) {
                group.addTask { [fetcher] in (index, try await fetcher.describe(files[index])) }
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
    private func existing(_ file: RemoteFile, _ description: RemoteDescription, in folder: String) -> Int64 {
        let path = folder + "/" + file.name
        if let size = FileSystem.size(of: path), size == description.size { return size }
        guard let journal = TransferJournal.load(path + ".partial.json"),
            let partial = FileSystem.size(of: path + ".partial")
        else { return 0 }
        return journal.trusted(for: file, description, partialSize: partial).count
    }

    private func requireSpace(_ files: [RemoteFile], _ descriptions: [RemoteDescription], have: [Int64], folder: String)
        throws
    {
        let missing = zip(descriptions, have).reduce(Int64(0)) { $0 + max(0, ($1.0.size ?? 0) - $1.1) }
        guard missing > 0, let available = FileSystem.availableSpace(at: folder) else { return }
        let needed = missing + configuration.diskMargin
        guard available >= needed else {
            throw DownloadError(
                .insufficientSpace,
                "\(folder): \(ByteText.of(needed)) of disk space are needed (\(ByteText.of(missing)) to fetch and a margin), \(ByteText.of(available)) are free; make room or choose another saveDir.",
                path: folder, needed: needed, available: available)
        }
    }

    private func fetch(
        _ file: RemoteFile, _ description: RemoteDescription, in folder: String,
        onBytes: @escaping @Sendable (Int64) -> Void
    ) async throws -> InstalledFile {
        let path = folder + "/" + file.name
        try FileSystem.requireInside(configuration.folder, path)
        if let size = FileSystem.size(of: path), !FileSystem.isLink(path), size == description.size,
            let known = try await FileCheck.sha256(path), description.sha256.map({ $0 == known }) ?? false
        {
            // Put in place by an attempt that did not get to the end of the model.
            onBytes(size)
            return InstalledFile(
                name: file.name, source: file.origin.shown, size: size, sha256: known, isVerified: true)
        }
        let transfer = FileTransfer(fetcher: fetcher, file: file, folder: folder, onBytes: onBytes)
        let outcome = try await transfer.run(description)
        return InstalledFile(
            name: file.name, source: file.origin.shown, size: outcome.size, sha256: outcome.sha256,
            isVerified: description.sha256 != nil)
    }
}
