import Foundation

/// The file system calls that transfers and the store share.
package enum FileSystem {
    /// Makes a folder and those above it.
    package static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw DownloadError(
                .fileSystem,
                "\(path): the folder cannot be made (\(reason(error))). Choose a saveDir that can be written to.",
                path: path, cause: error)
        }
    }

    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? error.localizedDescription
    }

    /// Writes a small file as a whole: nobody ever sees half of it.
    ///
    /// - Parameter durable: whether to wait until it is on the disk itself.
    package static func write(_ bytes: some Sequence<UInt8>, to path: String, durable: Bool) throws {
        let temporary = path + ".\(getpid()).tmp"
        do {
            unlink(temporary)
            let file = try PartialFile(temporary)
            try Array(bytes).withUnsafeBytes { try file.write($0, at: 0) }
            if durable { try file.synchronize() }
            try rename(temporary, to: path)
            if durable { synchronizeFolder(of: path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    package static func rename(_ old: String, to new: String) throws {
        guard Foundation.rename(old, new) == 0 else { throw DownloadError.fileSystem("renaming \(old)", new) }
    }

    /// Makes a rename last through a power failure, where the file system can say so.
    package static func synchronizeFolder(of path: String) {
        let descriptor = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// The whole of a small file, or nil if there is none.
    package static func read(_ path: String, limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw DownloadError.fileSystem("opening", path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw DownloadError.fileSystem("reading", path)
            }
        }
        guard done <= limit else {
            throw DownloadError(.fileSystem, "\(path): longer than the \(limit) bytes such a file has.", path: path)
        }
        return Array(bytes.prefix(done))
    }

    /// The size of a regular file, or nil if there is none; links are followed.
    package static func size(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Whether the path itself is a symbolic link.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The path with every link resolved, or nil if it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Refuses a path whose links lead out of `folder`.
    package static func requireInside(_ folder: String, _ path: String) throws {
        guard let root = resolved(folder) else { return }
        var current = path
        // What is not there yet cannot be a link; its parents can.
        while resolved(current) == nil, current.count > folder.count {
            if isLink(current) { break }
            current = (current as NSString).deletingLastPathComponent
        }
        guard let real = resolved(current) else {
            throw DownloadError(.unsafeFileName, "\(path): a symbolic link that leads nowhere; remove it.", path: path)
        }
        guard real == root || real.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw DownloadError(
                .unsafeFileName, "\(path): a symbolic link leads out of the model folder, to \(real); remove it.",
                path: path)
        }
    }

    /// Bytes of the disk under `path` that this user may still fill, or nil if the system does not say.
    package static func availableSpace(at path: String) -> Int64? {
        var current = path
        while true {
            var status = statvfs()
            if statvfs(current, &status) == 0 {
                let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
                    by: Int64(clamping: status.f_frsize))
                return overflow ? Int64.max : bytes
            }
            let parent = (current as NSString).deletingLastPathComponent
            guard parent != current, !parent.isEmpty else { return nil }
            current = parent
        }
    }
}
