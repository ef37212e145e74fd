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

    func installed(in folder: String) throws -> InstalledModel? {
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
        if let running = InstallCenter.shared.progress(folder: folder(of: reference)) {
            return .partial(fraction: running.fraction)
        }
        let folder = folder(of: reference)
        if (try? installed(in: folder)) != nil { return .installed }
        // Another process may be at it, or an earlier one may have stopped.
        let parts = partials(in: folder)
        guard !parts.isEmpty else { return .absent }
        let have = parts.reduce(0) { $0 + $1.have }
        let total = parts.reduce(0) { $0 + $1.total }
        return .partial(fraction: total > 0 ? min(0.999, Double(have) / Double(total)) : 0)
    }

    /// What the journals of unfinished files say.
    func partials(in folder: String) -> [(name: String, have: Int64, total: Int64)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".partial.json") }.compactMap { name in
            guard let journal = TransferJournal.load(folder + "/" + name) else { return nil }
            let have = journal.written.reduce(Int64(0)) { $0 + (($1.last ?? 0) - ($1.first ?? 0)) }
            return (String(name.dropLast(".partial.json".count)), max(0, have), max(0, journal.size))
        }
    }

    /// Every whole model of the store, the most recently used first.
    package func list() throws -> [InstalledModel] {
        var models: [InstalledModel] = []
        let manager = FileManager.default
        for outer in (try? manager.contentsOfDirectory(atPath: configuration.folder)) ?? [] where !outer.hasPrefix(".")
        {
            let outerPath = configuration.folder + "/" + outer
            for inner in (try? manager.contentsOfDirectory(atPath: outerPath)) ?? [] where !inner.hasPrefix(".") {
                if let model = try? installed(in: outerPath + "/" + inner) { models.append(model) }
            }
        }
        return models.sorted { ($0.lastUse, $1.name) > ($1.lastUse, $0.name) }
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
