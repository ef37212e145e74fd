import Foundation
import LeapBase
import LeapChat

/// A `.bundle`: a ZIP file, or a folder, that holds a manifest and GGUF files.
struct ModelBundle {
    /// A manifest has this many bytes at most.
    private static let maximumManifestSize = 1 << 20
    /// This many files of a folder are looked at.
    private static let maximumFileCount = 10_000

    /// The files of a bundle that is a ZIP file, unpacked into the cache folder unless they are there already.
    static func files(inArchive path: String) throws -> ModelFiles {
        let archive = try ZipArchive(path: path)
        let contents = try BundleContents(names: archive.entries.map(\.name), path: path) { name in
            guard let entry = archive.entry(named: name) else { return [] }
            return try archive.data(of: entry, limit: maximumManifestSize)
        }
        let folder = try unpack(contents.fileNames, of: archive)
        return contents.files(in: folder)
    }

    /// The files of a bundle that is a folder.
    static func files(inFolder path: String) throws -> ModelFiles {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        func read(_ name: String) throws -> [UInt8] {
            // What is larger is a vocabulary or the like, and what is no regular file is not waited for.
            let file = "\(path)/\(name)"
            guard let size = FileSystem.size(of: file), size <= maximumManifestSize else { return [] }
            do {
                return try FileSystem.read(file, limit: maximumManifestSize) ?? []
            } catch {
                throw LeapModelLoadingException(error, path: path)
            }
        }
        var names = names(in: path)
        if names.contains(where: {
            $0.lowercased().hasSuffix(".json") && (try? BundleManifest(read($0), name: $0)) != nil
        }) {
            names += namesBelow(path)
        }
        return try BundleContents(names: names, path: path, read: read).files(in: root)
    }

    /// The files of a folder.
    private static func names(in path: String) -> [String] {
        FileSystem.names(in: path).prefix(maximumFileCount).filter { !FileSystem.isFolder("\(path)/\($0)") }.sorted()
    }

    /// The files of the folders directly in a folder, which its manifest may name; no deeper, so that no path has a
    /// whole disk searched.
    private static func namesBelow(_ path: String) -> [String] {
        let all = FileSystem.names(in: path).sorted().prefix(maximumFileCount)
        let folders = all.filter { FileSystem.isFolder("\(path)/\($0)") && !FileSystem.isLink("\(path)/\($0)") }
        return Array(
            folders.lazy.flatMap { folder in names(in: "\(path)/\(folder)").map { "\(folder)/\($0)" } }.prefix(
                maximumFileCount))
    }

    /// Unpacks files of an archive into a folder named after it, its size and its date.
    ///
    /// A folder appears under its name only when it is whole, so that two processes, or one that is killed, do no harm.
    private static func unpack(_ names: [String], of archive: ZipArchive) throws -> URL {
        let manager = FileManager.default
        let caches = manager.urls(for: .cachesDirectory, in: .userDomainMask).first ?? manager.temporaryDirectory
        let base = caches.appendingPathComponent("open-leap/bundles", isDirectory: true)
        let folder = base.appendingPathComponent(key(of: archive), isDirectory: true)
        if manager.fileExists(atPath: folder.path) { return folder }
        let partial = base.appendingPathComponent("\(key(of: archive)).\(UUID().uuidString).partial", isDirectory: true)
        do {
            try manager.createDirectory(at: partial, withIntermediateDirectories: true)
            let needed = names.compactMap { archive.entry(named: $0)?.size }.reduce(0) {
                $0.addingReportingOverflow($1).partialValue
            }
            try checkSpace(needed, at: base, for: archive.path)
            for name in names {
                guard let entry = archive.entry(named: name) else { continue }
                let target = partial.appendingPathComponent(name)
                try manager.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try archive.extract(entry, to: target)
            }
            do {
                try manager.moveItem(at: partial, to: folder)
            } catch  where manager.fileExists(atPath: folder.path) {
                try? manager.removeItem(at: partial)
            }
            return folder
        } catch {
            try? manager.removeItem(at: partial)
            if error is LeapException { throw error }
            throw LeapModelLoadingException(
                message: "\(archive.path) cannot be unpacked into \(base.path): \(error.localizedDescription)",
                path: archive.path, cause: error)
        }
    }

    private static func checkSpace(_ needed: Int, at folder: URL, for path: String) throws {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value, free < Int64(needed) else { return }
        throw LeapModelLoadingException(
            message: "\(path) needs \(needed) bytes to be unpacked; \(free) are free at \(folder.path)", path: path)
    }

    /// A name that changes with the archive (a hash of path, size and date).
    private static func key(of archive: ZipArchive) -> String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: archive.path)
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let text = "\(URL(fileURLWithPath: archive.path).standardizedFileURL.path)|\(archive.byteCount)|\(date)"
        var hash = StableHash()
        hash.combine(text)
        let name = URL(fileURLWithPath: archive.path).deletingPathExtension().lastPathComponent
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }.prefix(64))
        return "\(plain)-\(hash.text.prefix(16))"
    }
}
