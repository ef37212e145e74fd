/// Thrown when the bytes at hand end before the header does, although the file goes on: at least `needed` bytes from
/// the file's start are required.
struct GGUFIncomplete: Error {
    var needed: Int
}

/// Reads a header front to back; every read is checked against the file's size before it touches memory.
struct GGUFByteReader {
    /// The file's first byte.
    let base: UnsafeRawPointer
    /// Bytes that are in memory, from the file's start.
    let available: Int
    /// Bytes the file has.
    let fileSize: Int
    /// The file's name for errors.
    let path: String?
    /// The next byte to read.
    var offset: Int

    init(base: UnsafeRawPointer, available: Int, fileSize: Int, path: String?, offset: Int = 0) {
        precondition(available <= fileSize && offset <= available)
        self.base = base
        self.available = available
        self.fileSize = fileSize
        self.path = path
        self.offset = offset
    }

    /// A reader of what `storage` holds.
    init(_ storage: GGUFStorage, path: String?, offset: Int = 0) {
        self.init(
            base: storage.base, available: storage.count, fileSize: storage.count, path: path,
            offset: min(offset, storage.count))
    }

    /// Moves past `count` bytes.
    ///
    /// - Returns: where they begin.
    /// - Throws: ``GGUFError`` when the file is too short, ``GGUFIncomplete`` when only the bytes at hand are.
    mutating func take(_ count: UInt64, _ what: @autoclosure () -> String) throws -> Int {
        let start = offset
        guard count <= UInt64(fileSize - start) else { throw truncated(count, what()) }
        guard Int(count) <= GGUFLimits.headerByteCount - start else {
            throw tooLarge(
                "\(what()) takes the metadata and tensor table beyond \(GGUFLimits.headerByteCount >> 20) MiB, the limit "
                    + "of this version.")
        }
        guard Int(count) <= available - start else { throw GGUFIncomplete(needed: start + Int(count)) }
        offset = start + Int(count)
        return start
    }

    /// Reads a little-endian integer.
    mutating func read<T: FixedWidthInteger>(_: T.Type, _ what: @autoclosure () -> String) throws -> T {
        let start = try take(UInt64(MemoryLayout<T>.size), what())
        return T(littleEndian: (base + start).loadUnaligned(as: T.self))
    }

    /// Reads a length and moves past so many bytes.
    ///
    /// - Returns: where the string's bytes are.
    mutating func readString(_ what: @autoclosure () -> String) throws -> Range<Int> {
        let count = try read(UInt64.self, what())
        let start = try take(count, what())
        return start..<offset
    }

    /// The bytes in a range that was read before.
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// The error for something that needs `count` bytes here and finds fewer.
    func truncated(_ count: UInt64, _ what: String) -> GGUFError {
        GGUFError(
            .truncated, path: path, offset: offset,
            message: "the file ends inside \(what), which needs \(count) bytes at byte \(offset), where only "
                + "\(fileSize - offset) are left. The file is truncated or damaged: download or copy it again.")
    }

    /// The error for contents that contradict the format.
    func malformed(_ message: String, field: String? = nil, at position: Int? = nil) -> GGUFError {
        GGUFError(
            .malformed, path: path, field: field, offset: position ?? offset,
            message: "\(message) The file is damaged or was written by a faulty tool: get it again.")
    }

    /// The error for a count or length beyond a limit of the format.
    func tooLarge(_ message: String, field: String? = nil, at position: Int? = nil) -> GGUFError {
        GGUFError(
            .limitExceeded, path: path, field: field, offset: position ?? offset,
            message: "\(message) The file is damaged or was written by a faulty tool: get it again.")
    }
}
