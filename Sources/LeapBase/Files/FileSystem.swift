/// The calls to the file system that every target shares.
package enum FileSystem {
    /// A regular file in a folder.
    package struct ListedFile: Sendable {
        /// Its name in the folder.
        package let name: String
        /// The time of its last change, in nanoseconds since 1970.
        package let modified: Int64
        /// Bytes in it.
        package let byteCount: Int64
    }

    // MARK: Folders

    /// Makes a folder and those above it, unless they exist.
    package static func makeFolder(_ path: String, permissions: mode_t = 0o755) throws(FileSystemError) {
        if mkdir(path, permissions) == 0 || isFolder(path) { return }
        guard errno == ENOENT, let parent = parent(of: path), parent != path else {
            throw FileSystemError("creating the folder", path)
        }
        try makeFolder(parent, permissions: permissions)
        guard mkdir(path, permissions) == 0 || isFolder(path) else {
            throw FileSystemError("creating the folder", path)
        }
    }

    /// Returns whether there is a folder at `path`; leaves `errno` as it was.
    package static func isFolder(_ path: String) -> Bool {
        let number = errno
        defer { errno = number }
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether this process may write at a path.
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// The folder that a path lies in; nil for the root and for a name alone.
    package static func parent(of path: String) -> String? {
        var rest = Substring(path)
        while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let slash = rest.lastIndex(of: "/"), rest != "/" else { return nil }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }

    /// The names of all that lies in a folder; none if it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The regular files of a folder; none if it cannot be read.
    package static func files(in folder: String) -> [ListedFile] {
        names(in: folder).compactMap { name in
            guard let status = status(of: "\(folder)/\(name)"), status.isRegular else { return nil }
            return ListedFile(name: name, modified: status.modified, byteCount: status.byteCount)
        }
    }

    /// Makes a rename last through a power failure, where the file system can say so.
    package static func synchronizeFolder(of path: String) {
        guard let folder = try? OpenFile(parent(of: path) ?? ".", .reading) else { return }
        try? folder.synchronize()
    }

    // MARK: Whole files

    /// The whole of a small file, or nil if there is none.
    ///
    /// - Parameter limit: the most bytes the file may have; a longer one fails with `EFBIG`.
    package static func read(_ path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
        let file: OpenFile
        do {
            file = try OpenFile(path, .reading)
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return nil }
            throw error
        }
        // In pieces, as files under /proc do not say how long they are; one byte more than allowed tells a longer file.
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(1 << 16, limit + 1))
        while bytes.count <= limit {
            let wanted = min(piece.count, limit + 1 - bytes.count)
            let result: Result<Int, FileSystemError> = piece.withUnsafeMutableBytes { piece in
                let buffer = UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted])
                do throws(FileSystemError) { return .success(try file.readNext(into: buffer)) } catch {
                    return .failure(error)
                }
            }
            let count = try result.get()
            bytes += piece[..<count]
            if count < wanted { return bytes }
        }
        throw FileSystemError("reading", path, number: EFBIG)
    }

    /// Writes a file as a whole: whoever opens the path sees the old file or the new one.
    ///
    /// - Parameter durable: whether to wait until it is on the disk itself.
    package static func publish(
        _ parts: [UnsafeRawBufferPointer], at path: String, permissions: mode_t = 0o644, durable: Bool
    ) throws(FileSystemError) {
        let file = try FilePublication(path: path, permissions: permissions)
        for part in parts { try file.append(part) }
        try file.publish(durable: durable)
    }

    /// Writes a file as a whole: whoever opens the path sees the old file or the new one.
    ///
    /// - Parameter durable: whether to wait until it is on the disk itself.
    package static func publish(_ bytes: [UInt8], at path: String, durable: Bool) throws(FileSystemError) {
        let file = try FilePublication(path: path)
        let result: Result<Void, FileSystemError> = bytes.withUnsafeBytes { buffer in
            do throws(FileSystemError) { return .success(try file.append(buffer)) } catch { return .failure(error) }
        }
        try result.get()
        try file.publish(durable: durable)
    }

    // MARK: Names

    /// Gives a file another name, in place of a file that has it.
    package static func rename(_ old: String, to new: String) throws(FileSystemError) {
        guard systemRename(old, new) == 0 else { throw FileSystemError("renaming to this name", new) }
    }

    /// Deletes a file, if there is one.
    package static func remove(_ path: String) { _ = unlink(path) }

    /// Deletes a file; one that is gone already is not a failure.
    package static func delete(_ path: String) throws(FileSystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileSystemError("deleting", path) }
    }

    /// Deletes a folder, if it is empty.
    package static func removeFolder(_ path: String) { _ = rmdir(path) }

    /// Marks a file as used now: to the nanosecond, where the system's own dates lag by some milliseconds.
    ///
    /// - Returns: whether that could be done: not, where there is no file or it may not be changed.
    @discardableResult
    package static func touch(_ path: String) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return utimensat(AT_FDCWD, path, [now, now], 0) == 0
    }

    // MARK: What is there

    /// Returns the status of a file, with links followed; nil if there is none.
    package static func status(of path: String) -> OpenFile.Status? {
        var info = stat()
        return stat(path, &info) == 0 ? OpenFile.Status(info) : nil
    }

    /// The size of a regular file, or nil if there is none; links are followed.
    package static func size(of path: String) -> Int64? {
        guard let status = status(of: path), status.isRegular else { return nil }
        return status.byteCount
    }

    /// Returns whether the path itself is a symbolic link.
    package static func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// The path with every link resolved, or nil if it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
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
            // What is not there yet will be on the disk of what is above it.
            guard let parent = parent(of: current) else { return nil }
            current = parent
        }
    }
}

/// The system call, out of reach of the method of the same name.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
