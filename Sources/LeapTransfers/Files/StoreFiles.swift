import Foundation
import LeapBase

/// The file system calls of transfers and of the store, whose failures are ``DownloadError``s.
package enum StoreFiles {
    /// Makes a folder and those above it.
    package static func makeFolder(_ path: String) throws {
        do {
            try FileSystem.makeFolder(path)
        } catch {
            throw DownloadError(
                .fileSystem,
                "\(path): the folder cannot be created (\(error.reason)). Choose a writable saveDir.",
                path: path, cause: error)
        }
    }

    /// Writes a small file as a whole: no reader sees half of it.
    ///
    /// - Parameter durable: whether to wait until it is on the disk itself.
    package static func write(_ bytes: some Sequence<UInt8>, to path: String, durable: Bool) throws {
        do {
            try FileSystem.publish(Array(bytes), at: path, durable: durable)
        } catch {
            throw DownloadError(error)
        }
    }

    package static func rename(_ old: String, to new: String) throws {
        do {
            try FileSystem.rename(old, to: new)
        } catch {
            throw DownloadError(error)
        }
    }

    /// The whole of a small file, or nil if there is none.
    package static func read(_ path: String, limit: Int) throws -> [UInt8]? {
        do {
            return try FileSystem.read(path, limit: limit)
        } catch {
            guard error.number == EFBIG else { throw DownloadError(error) }
            throw DownloadError(.fileSystem, "\(path): longer than the limit of \(limit) bytes.", path: path)
        }
    }

    /// Refuses a path whose links lead out of `folder`.
    package static func requireInside(_ folder: String, _ path: String) throws {
        guard let root = FileSystem.resolved(folder) else { return }
        var current = path
        // What is not there yet cannot be a link; its parents can.
        while FileSystem.resolved(current) == nil, current.count > folder.count {
            if FileSystem.isLink(current) { break }
            current = (current as NSString).deletingLastPathComponent
        }
        guard let real = FileSystem.resolved(current) else {
            throw DownloadError(.unsafeFileName, "\(path): a symbolic link that leads nowhere; remove it.", path: path)
        }
        guard real == root || real.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw DownloadError(
                .unsafeFileName, "\(path): a symbolic link points outside of the model folder, to \(real); remove it.",
                path: path)
        }
    }
}
