#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A regular file open for reading, or a range of one (a GGUF stored inside an archive).
struct GGUFSource: ~Copyable {
    let path: String
    private let descriptor: Int32
    private let start: Int
    /// Bytes from the range's start to its end.
    let byteCount: Int

    /// Opens `path`.
    ///
    /// Never blocks: pipes and devices are refused before they are opened.
    ///
    /// - Throws: ``GGUFError`` with `notFound`, `notReadable`, `notAFile`, `empty` or `truncated`.
    init(path: String, range: Range<Int>? = nil) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw GGUFError(
                .notFound, path: GGUFText.printable(path),
                message: "not a file path: it is empty or contains a NUL byte. Give the path of a .gguf file.")
        }
        var info = stat()
        guard stat(path, &info) == 0 else { throw Self.systemError(path, errno) }
        try Self.requireRegularFile(info, path)
        // O_NONBLOCK: should the file be swapped for a pipe between the two calls, open() must not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.systemError(path, errno) }
        do {
            guard fstat(descriptor, &info) == 0 else { throw Self.systemError(path, errno) }
            try Self.requireRegularFile(info, path)
            let size = Int(info.st_size)
            let range = range ?? 0..<size
            guard range.lowerBound >= 0, range.upperBound <= size else {
                throw GGUFError(
                    .truncated, path: path, offset: size,
                    message: "bytes \(range.lowerBound) to \(range.upperBound) were asked for, but the file has only "
                        + "\(size). It is truncated; download or copy it again.")
            }
            guard !range.isEmpty else {
                throw GGUFError(
                    .empty, path: path,
                    message: "the file is empty. A download or copy has probably failed: get the file again.")
            }
            self.path = path
            self.descriptor = descriptor
            self.start = range.lowerBound
            self.byteCount = range.count
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Maps the range read-only and private.
    ///
    /// - Throws: ``GGUFError`` with `notReadable` where the file system cannot map files.
    func map() throws -> GGUFStorage {
        let lead = start % Int(getpagesize())
        let length = byteCount + lead
        // The C library's annotations decide whether this is optional; both compile.
        let mapped: UnsafeMutableRawPointer? = mmap(
            nil, length, PROT_READ, MAP_PRIVATE, descriptor, off_t(start - lead))
        guard let pointer = mapped, pointer != UnsafeMutableRawPointer(bitPattern: -1)
        else {
            throw GGUFError(
                .notReadable, path: path,
                message: "cannot be mapped into memory (\(Self.systemText(errno))). Load it with memory mapping off.")
        }
        return GGUFStorage(mapping: pointer, byteCount: length, lead: lead)
    }

    /// Reads bytes at `offset` of the range until `buffer` is full.
    ///
    /// - Throws: ``GGUFError`` with `notReadable`, or `truncated` if the file has become shorter.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < buffer.count {
            // One call reads at most 2 GiB on Linux and fails above that on macOS.
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<min(buffer.count, done + 1 << 30)])
            guard let pointer = rest.baseAddress else { return }
            let count = pread(descriptor, pointer, rest.count, off_t(start + offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.systemError(path, errno)
            }
            guard count > 0 else {
                throw GGUFError(
                    .truncated, path: path, offset: offset + done,
                    message: "the file became shorter while it was read: it ends at byte \(offset + done).")
            }
            done += count
        }
    }

    private static func requireRegularFile(_ info: stat, _ path: String) throws {
        let kind: String
        switch info.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: kind = "a directory. Give the path of the .gguf file inside it."
        case S_IFIFO: kind = "a pipe. Models are read from regular files: save it to a file first."
        case S_IFSOCK: kind = "a socket. Give the path of a .gguf file."
        case S_IFCHR, S_IFBLK: kind = "a device. Give the path of a .gguf file."
        default: kind = "not a regular file. Give the path of a .gguf file."
        }
        throw GGUFError(.notAFile, path: path, message: "is \(kind)")
    }

    private static func systemError(_ path: String, _ number: Int32) -> GGUFError {
        switch number {
        case ENOENT, ENOTDIR:
            GGUFError(.notFound, path: path, message: "no such file. Check the path.")
        case EACCES, EPERM:
            GGUFError(.notReadable, path: path, message: "permission denied. Make the file readable for this user.")
        default:
            GGUFError(.notReadable, path: path, message: "cannot be read: \(systemText(number)).")
        }
    }

    static func systemText(_ number: Int32) -> String {
        let text: UnsafeMutablePointer<CChar>? = strerror(number)
        return text.map { String(cString: $0) } ?? "error \(number)"
    }
}
