#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// The few calls to the file system that the disk tier of the prefix cache makes.
enum FileSystem {
    /// A file in a folder.
    struct Entry {
        let name: String
        /// When it was last changed, in nanoseconds; larger is later.
        let modified: Int64
        let byteCount: Int
    }

    /// Makes a folder and those above it; false if that fails.
    static func makeFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return isFolder(path) }
        guard errno == ENOENT, let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex,
            makeFolder(String(path[..<slash]))
        else { return false }
        return mkdir(path, 0o700) == 0 || errno == EEXIST
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    /// The regular files of a folder; none if it cannot be read.
    static func files(in folder: String) -> [Entry] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            var info = stat()
            guard stat("\(folder)/\(name)", &info) == 0, info.st_mode & S_IFMT == S_IFREG else { continue }
            #if canImport(Darwin)
                let time = info.st_mtimespec
            #else
                let time = info.st_mtim
            #endif
            let modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            entries.append(Entry(name: name, modified: modified, byteCount: Int(info.st_size)))
        }
        return entries
    }

    /// Fills memory with a file's contents; false unless the file has exactly that many bytes.
    static func fill(_ memory: UnsafeMutableRawBufferPointer, from path: String) -> Bool {
        let file = open(path, O_RDONLY)
        guard file >= 0, let base = memory.baseAddress else { return false }
        defer { close(file) }
        var info = stat()
        guard fstat(file, &info) == 0, Int(info.st_size) == memory.count else { return false }
        var count = 0
        while count < memory.count {
            let got = read(file, base + count, memory.count - count)
            guard got > 0 else { return false }
            count += got
        }
        return true
    }

    /// Writes a file under another name first and renames it when it is whole; false, and no file, if that fails.
    static func save(_ parts: [UnsafeRawBufferPointer], to path: String) -> Bool {
        let partial = "\(path).\(getpid()).part"
        let file = open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { return false }
        var isWhole = parts.allSatisfy { append($0, to: file) }
        isWhole = close(file) == 0 && isWhole
        if isWhole, rename(partial, path) == 0 { return true }
        unlink(partial)
        return false
    }

    private static func append(_ part: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        guard let base = part.baseAddress else { return true }
        var count = 0
        while count < part.count {
            let put = write(file, base + count, part.count - count)
            guard put > 0 else { return false }
            count += put
        }
        return true
    }

    /// Marks a file as used now.
    static func touch(_ path: String) { _ = utimes(path, nil) }

    /// Deletes a file.
    static func remove(_ path: String) { _ = unlink(path) }
}
