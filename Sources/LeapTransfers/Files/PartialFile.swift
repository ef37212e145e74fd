import LeapBase

/// A file that is being put together, next to its final place.
final class PartialFile: Sendable {
    private let file: OpenFile

    /// The path of the file.
    var path: String { file.path }

    /// Opens `path` for reading and writing, and makes it if it is not there.
    ///
    /// A symbolic link is refused.
    init(_ path: String) throws {
        file = try Self.mapped { () throws(FileSystemError) in try OpenFile(path, .updating) }
        let status = try Self.mapped { () throws(FileSystemError) in try file.status() }
        guard status.isRegular else {
            throw DownloadError(.fileSystem, "\(path): not a regular file; remove it and start again.", path: path)
        }
    }

    /// Opens a file that is there, for reading only.
    init(reading path: String) throws {
        file = try Self.mapped { () throws(FileSystemError) in try OpenFile(path, .reading) }
    }

    private static func mapped<R>(_ body: () throws(FileSystemError) -> R) throws -> R {
        do {
            return try body()
        } catch {
            throw DownloadError(error)
        }
    }

    /// Bytes in the file.
    func size() throws -> Int64 {
        try Self.mapped { () throws(FileSystemError) in try file.status() }.byteCount
    }

    func truncate(to size: Int64) throws {
        try Self.mapped { () throws(FileSystemError) in try file.truncate(to: size) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        try Self.mapped { () throws(FileSystemError) in try file.write(bytes, at: offset) }
    }

    /// Fills `buffer` from `offset`; less than asked for only at the file's end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try Self.mapped { () throws(FileSystemError) in try file.read(into: buffer, at: offset) }
    }

    /// Has the system begin to write out what is there, and does not wait for it.
    func startWriteback() {
        #if os(Linux)
            // Only a hint: where it fails, the next ``synchronize()`` takes longer. 2 is SYNC_FILE_RANGE_WRITE, 0 the
            // file's end.
            _ = Self.syncFileRange?(file.descriptor, 0, 0, 2)
        #endif
    }

    #if os(Linux)
        private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

        /// `sync_file_range`, which the C library has and its module does not show.
        private static let syncFileRange: SyncFileRange? = dlsym(nil, "sync_file_range").map {
            unsafeBitCast($0, to: SyncFileRange.self)
        }
    #endif

    /// Waits until what was written is on the disk itself.
    func synchronize() throws {
        try Self.mapped { () throws(FileSystemError) in try file.synchronize() }
    }
}
