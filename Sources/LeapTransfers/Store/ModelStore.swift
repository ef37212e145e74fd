import Foundation
import LeapGGUF
import Logging

/// Models on disk: finds, installs, checks and removes them.
///
/// Each model has a folder with its files and, once all of them are whole and checked, a manifest. A model without a manifest is not
/// there, whatever else is. Two processes that share the folder agree through a lock file per model.
package final class ModelStore: Sendable {
    package static let manifestName = "manifest.json"
    package static let logger = Logger(label: "open-leap.downloads")

    package let configuration: TransferConfiguration
    package let fetcher: Fetcher
    package let resolver: ModelResolver

    package init(configuration: TransferConfiguration, transport: any Transport) {
        self.configuration = configuration
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
        let path = folder + "/" + Self.manifestName
        try FileSystem.requireInside(configuration.folder, path)
        guard let bytes = try FileSystem.read(path, limit: ManifestDocument.longest * 2) else { return nil }
        guard let manifest = try? ManifestDocument(bytes, place: path), let files = manifest.installedFiles,
            !files.isEmpty
        else { return nil }
        for file in files {
            guard SafeFileName.mapped(file.name) == file.name else { return nil }
            let filePath = folder + "/" + file.name
            try FileSystem.requireInside(configuration.folder, filePath)
            guard FileSystem.size(of: filePath) == file.size else { return nil }
        }
        let named = Set(files.map(\.name))
        let wanted = ManifestDocument.Role.allCases.compactMap { manifest.file($0) } + manifest.furtherParts
        guard wanted.allSatisfy(named.contains) else { return nil }
        return InstalledModel(
            name: manifest.reference ?? folder, folder: folder, manifest: manifest, files: files,
            lastUse: Self.lastUse(folder))
    }

    /// Where a model stands, without a request.
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
        return names.compactMap { name in
            let path = folder + "/" + name
            if name.hasSuffix(JournalFile.suffix) {
                guard let journal = TransferJournal.load(path) else { return nil }
                let have = journal.written.reduce(Int64(0)) { $0 + max(0, ($1.last ?? 0) - ($1.first ?? 0)) }
                let file = String(name.dropLast(JournalFile.suffix.count))
                return (file, max(0, min(have, journal.size)), max(0, journal.size))
            }
            // Hidden ones are ours, and so is whatever is about to be renamed.
            let isOurs = name.hasPrefix(".") || name.hasSuffix(".partial") || name.hasSuffix(".tmp")
            guard !isOurs, name != Self.manifestName, let size = FileSystem.size(of: path) else { return nil }
            return (name, size, size)
        }
    }

    /// Every whole model of the store, the most recently used first.
    package func list() throws -> [InstalledModel] {
        modelFolders().compactMap { try? installed(in: $0) }
            .sorted { ($0.lastUse, $1.name) > ($1.lastUse, $0.name) }
    }

    /// Every model of which only some is there.
    package func listUnfinished() -> [UnfinishedModel] {
        modelFolders().compactMap { folder in
            guard (try? installed(in: folder)) == nil else { return nil }
            let parts = partials(in: folder)
            guard !parts.isEmpty else { return nil }
            let isRunning =
                InstallCenter.shared.progress(folder: folder) != nil || FileLock.isHeld(lockPath(folder))
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
        try? FileSystem.write(name.utf8, to: folder + Self.nameFile, durable: false)
    }

    private func notedName(in folder: String) -> String {
        if let bytes = try? FileSystem.read(folder + Self.nameFile, limit: 4096), !bytes.isEmpty {
            return String(decoding: bytes, as: UTF8.self)
        }
        let outer = ((folder as NSString).deletingLastPathComponent as NSString).lastPathComponent
        return "\(outer):\((folder as NSString).lastPathComponent)"
    }

    // MARK: Last use

    private static func usePath(_ folder: String) -> String { folder + "/.last-use" }

    private static func lastUse(_ folder: String) -> Date {
        var status = stat()
        guard stat(usePath(folder), &status) == 0 || stat(folder + "/" + manifestName, &status) == 0 else {
            return .distantPast
        }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// Notes that a model is used now; a folder that cannot be written to is fine.
    package func touch(_ folder: String) {
        let descriptor = open(Self.usePath(folder), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { return }
        futimens(descriptor, nil)
        close(descriptor)
    }
}
