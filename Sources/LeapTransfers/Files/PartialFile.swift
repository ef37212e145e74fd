import Foundation

/// A file that is being put together, beside where it will be.
final class PartialFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Opens `path` for reading and writing, and makes it if it is not there.
    ///
    /// A symbolic link is refused.
    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw DownloadError.fileSystem("opening the partial file", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw DownloadError(.fileSystem, "\(path): not a regular file; remove it and start again.", path: path)
        }
    }

    /// Opens a file that is there, for reading only.
    init(reading path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DownloadError.fileSystem("opening", path) }
    }

    deinit {
        close(descriptor)
    }

    /// Bytes in the file.
    func size() throws -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw DownloadError.fileSystem("looking at the partial file", path)
        }
        return Int64(status.st_size)
    }

    func truncate(to size: Int64) throws {
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw DownloadError.fileSystem("shortening the partial file", path)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw DownloadError.fileSystem("writing", path)
            }
        }
    }

    /// Fills `buffer` from `offset`; less than asked for only at the file's end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw DownloadError.fileSystem("reading", path)
            }
        }
        return done
    }

    /// Has the system begin to write out what is there, and does not wait for it.
    func startWriteback() {
        #if os(Linux)
            // Only a hint: where it fails, the next ``synchronize()`` takes longer. 2 is SYNC_FILE_RANGE_WRITE, 0 the file's end.
            _ = Self.syncFileRange?(descriptor, 0, 0, 2)
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
        #if canImport(Darwin)
            // fsync alone leaves the bytes in the drive's own cache there.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw DownloadError.fileSystem("writing to the disk", path) }
    }
}
