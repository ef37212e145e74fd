#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Where a writer's bytes go: a file that appears under its name only when it is complete, or memory.
final class GGUFOutput {
    private var buffer: [UInt8] = []
    private let bufferByteCount = 1 << 20
    private let path: String?
    private let temporaryPath: String
    private var descriptor: Int32 = -1

    /// Bytes written so far.
    private(set) var byteCount = 0

    /// An output into memory; ``bytes`` has it in the end.
    init() {
        path = nil
        temporaryPath = ""
    }

    /// An output into a file.
    ///
    /// It is written beside `path` and renamed by ``finish()``.
    ///
    /// - Throws: ``GGUFError`` with `writeFailed`.
    init(path: String) throws {
        self.path = path
        temporaryPath = "\(path).partial-\(getpid())"
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw GGUFError(
                .writeFailed, path: GGUFText.printable(path),
                message: "not a file path: it is empty or contains a NUL byte.")
        }
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot be created") }
    }

    deinit {
        // Reached with an open file only when writing failed.
        if descriptor >= 0 {
            close(descriptor)
            unlink(temporaryPath)
        }
    }

    /// What was written to memory.
    var bytes: [UInt8] { buffer }

    /// Writes bytes.
    ///
    /// - Throws: ``GGUFError`` with `writeFailed`, e.g. when the disk is full.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        byteCount += bytes.count
        guard descriptor >= 0 else {
            buffer.append(contentsOf: bytes)
            return
        }
        if buffer.count + bytes.count > bufferByteCount {
            try flush()
            if bytes.count > bufferByteCount { return try writeThrough(bytes) }
        }
        buffer.append(contentsOf: bytes)
    }

    /// Writes zeros up to the next multiple of `alignment`.
    func pad(to alignment: Int) throws {
        let padding = (alignment - byteCount % alignment) % alignment
        try [UInt8](repeating: 0, count: padding).withUnsafeBytes { try write($0) }
    }

    /// Writes what is buffered and gives the file its name.
    func finish() throws {
        guard descriptor >= 0, let path else { return }
        try flush()
        let status = close(descriptor)
        descriptor = -1
        guard status == 0, rename(temporaryPath, path) == 0 else {
            let error = failure("cannot be written")
            unlink(temporaryPath)
            throw error
        }
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { try writeThrough($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func writeThrough(_ bytes: UnsafeRawBufferPointer) throws {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done..<min(bytes.count, done + 1 << 30)])
            guard let pointer = rest.baseAddress else { return }
            let count = systemWrite(descriptor, pointer, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("cannot be written")
            }
            done += count
        }
    }

    private func failure(_ what: String) -> GGUFError {
        let reason = GGUFSource.systemText(errno)
        return GGUFError(
            .writeFailed, path: path,
            message: "\(what): \(reason). Check that the folder exists, is writable and has space.")
    }
}

/// The system call, out of reach of the method of the same name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
