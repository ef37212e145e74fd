import Foundation
import LeapBase
import LeapGGUF
package import LeapHTTP
package import Logging

/// Models on disk: finds, installs, checks and removes them.
///
/// Each model has a folder with its files and, once all of them are whole and checked, a manifest. A model without a
/// manifest is not there, whatever else is. Two processes that share the folder agree through a lock file per model.
package final class ModelStore: Sendable {
    package static let manifestName = "manifest.json"
    /// Made anew each time, so that a handler that the app installs later gets the lines from then on.
    package static var logger: Logger { Logger(label: "open-leap.downloads") }

    package let configuration: TransferConfiguration
    package let fetcher: Fetcher
    package let resolver: ModelResolver
    /// Told of the installations that this store began; those that it joined are another's.
    let onInstallation: (@Sendable (InstallationEvent) -> Void)?

    /// Keeps a folder out of backups.
    let excludeFromBackup: @Sendable (String) throws -> Void

    package init(
        configuration: TransferConfiguration, transport: any Transport,
        onInstallation: (@Sendable (InstallationEvent) -> Void)? = nil,
        excludeFromBackup: @escaping @Sendable (String) throws -> Void = BackupExclusion.mark
    ) {
        self.configuration = configuration
        self.excludeFromBackup = excludeFromBackup
        self.onInstallation = onInstallation
        fetcher = Fetcher(transport: transport, configuration: configuration)
        resolver = ModelResolver(fetcher: fetcher)
    }

    /// The folder of a model, whether it is there or not.
    package func folder(of reference: ModelReference) -> String {
        let (outer, inner) = reference.folder
        return "\(configuration.folder)/\(outer)/\(inner)"
    }

    // MARK: What is there

    /// The model, if it is whole on disk; without a request, and without reading the files.
    ///
    /// - Throws: ``DownloadError/Code/unsafeFileName`` if a link leads out of the store.
    package func installed(_ reference: ModelReference) throws -> InstalledModel? {
        try installed(in: folder(of: reference))
    }

    package func installed(in folder: String) throws -> InstalledModel? {
        guard let model = try recorded(in: folder), try faults(model).isEmpty else { return nil }
        return model
    }

    /// The model by its reference, or by the name that lists show, which lacks the query of an address.
    package func find(_ reference: ModelReference) throws -> InstalledModel? {
        if let model = try installed(reference) { return model }
        guard case .file(let url) = reference, url.query == nil else {
            guard case .manifest(let url) = reference, url.query == nil else { return nil }
            return try list().first { $0.name == reference.shown }
        }
        return try list().first { $0.name == reference.shown }
    }

    /// The model that a folder's manifest records, whether its files are whole or not.
    package func recorded(in folder: String) throws -> InstalledModel? {
        let path = folder + "/" + Self.manifestName
        try StoreFiles.requireInside(configuration.folder, path)
        var read = try StoreFiles.read(path, limit: ManifestDocument.longest * 2)
        if read == nil, completeReplacement(in: folder) {
            read = try StoreFiles.read(path, limit: ManifestDocument.longest * 2)
        }
        guard let bytes = read, let manifest = try? ManifestDocument(bytes, place: path),
            let files = manifest.installedFiles, !files.isEmpty,
            files.allSatisfy({ SafeFileName.mapped($0.name) == $0.name })
        else { return nil }
        let named = Set(files.map(\.name))
        let wanted = ManifestDocument.Role.allCases.compactMap { manifest.file($0) } + manifest.furtherParts
        guard wanted.allSatisfy(named.contains) else { return nil }
        return InstalledModel(
            name: manifest.reference ?? folder, folder: folder, manifest: manifest, files: files,
            lastUse: Self.lastUse(folder))
    }

    /// Returns the faults of a model's files as far as their lengths tell, in words: `model.gguf is missing`.
    package func faults(_ model: InstalledModel) throws -> [String] {
        try model.files.compactMap { file in
            let path = model.folder + "/" + file.name
            try StoreFiles.requireInside(configuration.folder, path)
            guard let size = FileSystem.size(of: path) else { return "\(file.name) is missing" }
            return size == file.size ? nil : "\(file.name) has \(size) of \(file.size) bytes"
        }
    }

    /// Returns the state of a model, without a request to a server.
    package func state(_ reference: ModelReference) -> ModelState {
        let folder = folder(of: reference)
        if let running = InstallCenter.shared.progress(folder: folder) { return .running(fraction: running.fraction) }
        if (try? installed(in: folder)) != nil { return .installed }
        let parts = partials(in: folder)
        guard !parts.isEmpty else { return .absent }
        let have = parts.reduce(0) { $0 + $1.have }
        let total = parts.reduce(0) { $0 + $1.total }
        let fraction = total > 0 ? min(0.999, Double(have) / Double(total)) : 0
        // Another process may be at it, or an earlier one may have stopped.
        return FileLock.isHeld(lockPath(folder)) ? .running(fraction: fraction) : .stopped(fraction: fraction)
    }

    /// The files of a model that is not whole: what their journals say, and those that are whole themselves.
    func partials(in folder: String) -> [(name: String, have: Int64, total: Int64)] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let record = (try? recorded(in: folder))?.files ?? []
        return names.compactMap { name in
            let path = folder + "/" + name
            if name.hasSuffix(JournalFile.suffix) {
                guard let journal = TransferJournal.load(path) else { return nil }
                let have = journal.written.reduce(0 as Int64) { $0 + max(0, ($1.last ?? 0) - ($1.first ?? 0)) }
                let file = String(name.dropLast(JournalFile.suffix.count))
                return (file, max(0, min(have, journal.size)), max(0, journal.size))
            }
            // Hidden ones are ours, and so is whatever is about to be renamed.
            let isOurs = name.hasPrefix(".") || name.hasSuffix(".partial") || name.hasSuffix(".tmp")
            guard !isOurs, name != Self.manifestName, let size = FileSystem.size(of: path) else { return nil }
            // A file that was cut or changed after it was installed is not what it should be.
            let whole = record.first { $0.name == name }?.size ?? size
            return (name, min(size, whole), whole)
        }
    }

    /// Every whole model of the store, the most recently used first.
    package func list() throws -> [InstalledModel] {
        try listRecorded().filter { ((try? faults($0)) ?? [""]).isEmpty }
    }

    /// Every model that was installed, also those whose files were cut or removed since; the most recently used first.
    package func listRecorded() throws -> [InstalledModel] {
        modelFolders().compactMap { try? recorded(in: $0) }
            .sorted { ($0.lastUse, $1.name) > ($1.lastUse, $0.name) }
    }

    /// Every model of which only some is there: not all of it was fetched yet, or files were cut or removed since.
    package func listUnfinished() -> [UnfinishedModel] {
        modelFolders().compactMap { folder in
            let isRunning =
                InstallCenter.shared.progress(folder: folder) != nil || FileLock.isHeld(lockPath(folder))
            guard (try? installed(in: folder)) == nil else { return nil }
            let parts = partials(in: folder)
            guard !parts.isEmpty else { return nil }
            return UnfinishedModel(
                name: notedName(in: folder), folder: folder, bytes: parts.reduce(0) { $0 + $1.have },
                total: parts.reduce(0) { $0 + $1.total }, isRunning: isRunning)
        }
    }

    /// The folders that models are in, or would be; links are not followed.
    private func modelFolders() -> [String] {
        func folders(in path: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
                .map { path + "/" + $0 }.filter { !FileSystem.isLink($0) }
        }
        return folders(in: configuration.folder).flatMap(folders)
    }

    // MARK: Names

    private static let nameFile = "/.name"

    /// Notes the name a model was asked for by, which its folder's name does not always tell.
    func noteName(_ name: String, in folder: String) {
        try? StoreFiles.write(name.utf8, to: folder + Self.nameFile, durable: false)
    }

    private func notedName(in folder: String) -> String {
        if let bytes = try? StoreFiles.read(folder + Self.nameFile, limit: 4096), !bytes.isEmpty {
            return String(decoding: bytes, as: UTF8.self)
        }
        let outer = ((folder as NSString).deletingLastPathComponent as NSString).lastPathComponent
        return "\(outer):\((folder as NSString).lastPathComponent)"
    }

    // MARK: Last use

    private static func usePath(_ folder: String) -> String { folder + "/.last-use" }

    private static func lastUse(_ folder: String) -> Date {
        let status = FileSystem.status(of: usePath(folder)) ?? FileSystem.status(of: folder + "/" + manifestName)
        return status.map { Date(timeIntervalSince1970: Double($0.modified) / 1e9) } ?? .distantPast
    }

    /// Notes that a model is used now; a folder that cannot be written to is fine.
    package func touch(_ folder: String) {
        guard let file = try? OpenFile(Self.usePath(folder), .updating) else { return }
        futimens(file.descriptor, nil)
    }
}
