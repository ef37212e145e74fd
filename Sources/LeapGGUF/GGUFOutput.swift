import LeapBase

/// The destination of a writer's bytes: a file that appears under its name only when it is complete, or memory.
final class GGUFOutput {
    private var buffer: [UInt8] = []
    private let bufferByteCount = 1 << 20
    private var file: FilePublication?

    /// Bytes written so far.
    private(set) var byteCount = 0

    /// An output into memory; ``bytes`` has it in the end.
    init() {
        file = nil
    }

    /// An output into a file.
    ///
    /// It is written next to `path` and renamed by ``finish()``.
    ///
    /// - Throws: ``GGUFError`` with `writeFailed`.
    init(path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw GGUFError(
                .writeFailed, path: ShownText.of(path),
                message: "not a file path: it is empty or contains a NUL byte.")
        }
        do {
            file = try FilePublication(path: path)
        } catch {
            throw Self.failure("cannot be created", error)
        }
    }

    /// The bytes that were written to memory.
    var bytes: [UInt8] { buffer }

    /// Writes bytes.
    ///
    /// - Throws: ``GGUFError`` with `writeFailed`, e.g. when the disk is full.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        byteCount += bytes.count
        guard let file else {
            buffer.append(contentsOf: bytes)
            return
        }
        if buffer.count + bytes.count > bufferByteCount {
            try flush(to: file)
            if bytes.count > bufferByteCount { return try Self.append(bytes, to: file) }
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
        guard let file else { return }
        try flush(to: file)
        self.file = nil
        do {
            try file.publish(durable: true)
        } catch {
            throw Self.failure("cannot be written", error)
        }
    }

    private func flush(to file: FilePublication) throws {
        try buffer.withUnsafeBytes { try Self.append($0, to: file) }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to file: FilePublication) throws {
        do {
            try file.append(bytes)
        } catch {
            throw failure("cannot be written", error)
        }
    }

    private static func failure(_ what: String, _ error: FileSystemError) -> GGUFError {
        GGUFError(
            .writeFailed, path: error.path,
            message: "\(what): \(error.reason). Check that the folder exists, is writable and has space.")
    }
}
