import Foundation
import LeapBase
import LeapGGUF
import LeapJSON

extension ModelStore {
    /// Puts a model under another name too; a model that has it gives way.
    ///
    /// - Parameter name: how lists show it, where that is not the reference's own text.
    /// - Throws: ``DownloadError``.
    package func copy(_ model: InstalledModel, to reference: ModelReference, named name: String) async throws {
        let files = model.files.map { ($0, model.folder + "/" + $0.name) }
        try await put(files, model.manifest, as: reference, named: name, isShared: true)
    }

    /// Puts files that lie elsewhere into the store as a model; a model of that name gives way.
    ///
    /// - Parameters:
    ///   - files: the paths of the files with their roles, the model's first.
    ///   - name: how lists show it, where that is not the reference's own text.
    /// - Throws: ``DownloadError``.
    package func add(
        _ files: [(role: ManifestDocument.Role, path: String)], inferenceType: String, as reference: ModelReference,
        named name: String
    ) async throws {
        var manifest = ManifestDocument(members: [
            "schema_version": .string("1.0.0"), "inference_type": .string(inferenceType),
        ])
        var installed: [(InstalledFile, String)] = []
        func file(_ path: String) throws -> String {
            let name = SafeFileName.mapped((path as NSString).lastPathComponent)
            guard let size = FileSystem.size(of: path) else {
                throw DownloadError(.notAModel, "\(path): there is no such regular file.", path: path)
            }
            guard !installed.contains(where: { $0.0.name == name }) else {
                throw DownloadError(
                    .unsafeFileName, "\(path): two files of the model have this name; rename one of them.", path: path)
            }
            installed.append(
                (InstalledFile(name: name, source: path, size: size, sha256: nil, isVerified: false), path))
            return name
        }
        for (role, path) in files { manifest.set(role, try file(path)) }
        // A split model's further parts lie beside the first.
        let parts = try files.first.map { try GGUFFile.open(path: $0.path).partPaths } ?? []
        if parts.count > 1 {
            manifest.setFurtherParts(try parts.filter { $0 != files.first?.path }.map { try file($0) })
        }
        try await put(installed, manifest, as: reference, named: name, isShared: false)
    }

    /// - Parameter isShared: whether the files are never changed in place, so that they may be the same ones under two
    ///   names.
    private func put(
        _ files: [(InstalledFile, String)], _ manifest: ManifestDocument, as reference: ModelReference,
        named name: String, isShared: Bool
    ) async throws {
        let folder = folder(of: reference)
        try StoreFiles.makeFolder(configuration.folder)
        try StoreFiles.requireInside(configuration.folder, folder)
        guard !files.contains(where: { ($0.1 as NSString).deletingLastPathComponent == folder }) else { return }
        try StoreFiles.makeFolder(folder)
        guard let lock = try await tryLock(folder) else {
            throw DownloadError(
                .inUse,
                "\(folder): another process is fetching the model of this name; wait for it, or choose another name.",
                path: folder)
        }
        var local = manifest
        local.members["path_on_disk"] = .string(folder + "/" + Self.manifestName)
        local.installedFiles = files.map(\.0)
        local.reference = name
        let encoded = local.encoded()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    with: Result {
                        defer { withExtendedLifetime(lock) {} }
                        // The manifest first: until the new one is there, there is no model of that name.
                        FileSystem.remove(folder + "/" + Self.manifestName)
                        for (file, path) in files {
                            try Self.place(path, at: folder + "/" + file.name, isShared: isShared)
                        }
                        try StoreFiles.write(encoded, to: folder + "/" + Self.manifestName, durable: true)
                    })
            }
        }
        touch(folder)
    }

    private static func place(_ path: String, at target: String, isShared: Bool) throws {
        FileSystem.remove(target)
        let source = FileSystem.resolved(path) ?? path
        if isShared, link(source, target) == 0 { return }
        do {
            try FileManager.default.copyItem(atPath: source, toPath: target)
        } catch {
            FileSystem.remove(target)
            throw DownloadError(
                .fileSystem, "\(target): the file cannot be copied there (\((error as NSError).localizedDescription)).",
                path: target, cause: error)
        }
    }
}
