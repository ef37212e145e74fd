/// An open file, closed with its last reference.
///
/// Every call is repeated where a signal interrupts it, and no child process inherits the descriptor. Reads and writes
/// name their offset, so one file may be used from several threads.
package final class OpenFile: Sendable {
    /// The purpose for which a file is opened.
    package struct Mode: Sendable {
        fileprivate let flags: Int32

        /// Reading a file that exists.
        package static let reading = Mode(flags: O_RDONLY)
        /// Reading a file that exists, without waiting where it is a pipe or a device.
        package static let readingWithoutWaiting = Mode(flags: O_RDONLY | O_NONBLOCK)
        /// Reading a file that exists; a symbolic link is refused.
        package static let readingUnlinked = Mode(flags: O_RDONLY | O_NOFOLLOW)
        /// Reading and writing; the file is made where there is none, and a symbolic link is refused.
        package static let updating = Mode(flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        /// Writing a file that must not exist yet; a symbolic link is refused.
        package static let creating = Mode(flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    /// The status of a file.
    package struct Status: Sendable {
        /// True if it is a regular file.
        package let isRegular: Bool
        /// Bytes in it.
        package let byteCount: Int64
        /// The time of its last change, in nanoseconds since 1970.
        package let modified: Int64
        /// The device that it lies on, as the system numbers them.
        package let device: UInt64
    }

    /// The path it was opened by.
    package let path: String
    /// The system's number for it, for calls that this class has not.
    package let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter permissions: those of a file that is made, before the process's mask.
    package init(_ path: String, _ mode: Mode, permissions: mode_t = 0o644) throws(FileSystemError) {
        self.path = path
        descriptor = Self.retry { open(path, mode.flags | O_CLOEXEC, permissions) }
        guard descriptor >= 0 else { throw FileSystemError("opening", path) }
    }

    deinit { close(descriptor) }

    /// Repeats a call while signals interrupt it.
    private static func retry<R: SignedInteger>(_ call: () -> R) -> R {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// One call moves at most 2 GiB on Linux and fails above that on macOS.
    private static let maxTransfer = 1 << 30

    /// The file's kind, size and time.
    package func status() throws(FileSystemError) -> Status {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileSystemError("reading the attributes", path) }
        return Status(info)
    }

    /// Fills `buffer` from `offset` on.
    ///
    /// - Returns: the bytes read, fewer than asked for only at the file's end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileSystemError) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var done = 0
        while done < buffer.count {
            let length = min(buffer.count - done, Self.maxTransfer)
            let count = Self.retry { pread(descriptor, base + done, length, off_t(offset) + off_t(done)) }
            guard count >= 0 else { throw FileSystemError("reading", path) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads the next bytes of a file that has no offsets, such as those under `/proc`, until it ends or `buffer` is
    /// full.
    package func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(FileSystemError) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var done = 0
        while done < buffer.count {
            let length = min(buffer.count - done, Self.maxTransfer)
            let count = Self.retry { systemRead(descriptor, base + done, length) }
            guard count >= 0 else { throw FileSystemError("reading", path) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileSystemError) {
        guard let base = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let length = min(bytes.count - done, Self.maxTransfer)
            let count = Self.retry { pwrite(descriptor, base + done, length, off_t(offset) + off_t(done)) }
            guard count >= 0 else { throw FileSystemError("writing", path) }
            done += count
        }
    }

    /// Writes all bytes, as the function for a buffer does.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(FileSystemError) {
        let result: Result<Void, FileSystemError> = bytes.withUnsafeBytes { bytes in
            do throws(FileSystemError) { return .success(try write(bytes, at: offset)) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Makes the file `byteCount` bytes long.
    package func truncate(to byteCount: Int64) throws(FileSystemError) {
        guard Self.retry({ ftruncate(descriptor, off_t(byteCount)) }) == 0 else {
            throw FileSystemError("changing the length", path)
        }
    }

    /// Waits until what was written is on the disk itself.
    package func synchronize() throws(FileSystemError) {
        #if canImport(Darwin)
            // fsync alone leaves the bytes in the drive's own cache there.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard Self.retry({ fsync(descriptor) }) == 0 else { throw FileSystemError("writing to the disk", path) }
    }
}

/// The system call, out of reach of the methods named like it.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

extension OpenFile.Status {
    init(_ info: stat) {
        isRegular = info.st_mode & S_IFMT == S_IFREG
        byteCount = Int64(info.st_size)
        #if canImport(Darwin)
            let time = info.st_mtimespec
        #else
            let time = info.st_mtim
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        device = UInt64(truncatingIfNeeded: info.st_dev)
    }
}
