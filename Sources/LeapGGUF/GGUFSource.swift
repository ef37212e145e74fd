import LeapBase

/// A regular file open for reading, or a range of one (a GGUF stored inside an archive).
struct GGUFSource: ~Copyable {
    var path: String { file.path }
    private let file: OpenFile
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
                .notFound, path: ShownText.of(path),
                message: "not a file path: it is empty or contains a NUL byte. Give the path of a .gguf file.")
        }
        let file = try Self.open(path)
        let size = try Self.regularFileSize(path) { fstat(file.descriptor, &$0) }
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw GGUFError(
                .truncated, path: path, offset: size,
                message: "bytes \(range.lowerBound) to \(range.upperBound) are needed, but the file has only "
                    + "\(size). It is truncated; download or copy it again.")
        }
        guard !range.isEmpty else {
            throw GGUFError(
                .empty, path: path,
                message: "the file is empty. A download or copy has probably failed: get the file again.")
        }
        self.file = file
        start = range.lowerBound
        byteCount = range.count
    }

    private static func open(_ path: String) throws -> OpenFile {
        _ = try regularFileSize(path) { stat(path, &$0) }
        do {
            // Should the file be replaced by a pipe between the two calls, opening it must not wait for a writer.
            return try OpenFile(path, .readingWithoutWaiting)
        } catch {
            throw systemError(path, error.number)
        }
    }

    private static func regularFileSize(_ path: String, _ look: (inout stat) -> Int32) throws -> Int {
        var info = stat()
        guard look(&info) == 0 else { throw systemError(path, errno) }
        try requireRegularFile(info, path)
        return Int(info.st_size)
    }

    /// Maps the range read-only and private.
    ///
    /// - Throws: ``GGUFError`` with `notReadable` where the file system cannot map files.
    func map() throws -> GGUFStorage {
        let lead = start % Int(getpagesize())
        let length = byteCount + lead
        // The C library's annotations decide whether this is optional; both compile.
        let mapped: UnsafeMutableRawPointer? = mmap(
            nil, length, PROT_READ, MAP_PRIVATE, file.descriptor, off_t(start - lead))
        guard let pointer = mapped, pointer != UnsafeMutableRawPointer(bitPattern: -1)
        else {
            throw GGUFError(
                .notReadable, path: path,
                message:
                    "cannot be mapped into memory (\(FileSystemError.text(of: errno))). Set useMmap to false, or raise the limit of the process's address space (ulimit -v)."
            )
        }
        return GGUFStorage(mapping: pointer, byteCount: length, lead: lead)
    }

    /// Reads bytes at `offset` of the range until `buffer` is full.
    ///
    /// - Throws: ``GGUFError`` with `notReadable`, or `truncated` if the file has become shorter.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        let count: Int
        do {
            count = try file.read(into: buffer, at: Int64(start + offset))
        } catch {
            throw Self.systemError(path, error.number)
        }
        guard count == buffer.count else {
            throw GGUFError(
                .truncated, path: path, offset: offset + count,
                message: "another program shortened the file during reading: it ends at byte \(offset + count).")
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
            GGUFError(.notReadable, path: path, message: "cannot be read: \(FileSystemError.text(of: number)).")
        }
    }
}
