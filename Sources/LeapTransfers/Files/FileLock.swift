import Foundation

/// A lock between processes: `flock` on a file, given back by the system when its holder dies.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing the last descriptor gives the lock back.
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes the lock if nobody has it.
    static func attempt(_ path: String) throws -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw DownloadError.fileSystem("opening the lock", path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor) }
        let number = errno
        close(descriptor)
        if number == EWOULDBLOCK || number == EINTR { return nil }
        // A file system without locks (some network mounts): one process at a time is then the user's to see to.
        if number == ENOLCK || number == ENOTSUP || number == ENOSYS { return FileLock(-1) }
        throw DownloadError.fileSystem("locking", path, number)
    }

    /// Whether a process has the lock now; a lock that was never taken is not made.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Shared, so that two who ask do not take each other for a holder.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Waits for the lock, without a thread.
    ///
    /// - Parameter waiting: called about four times a second while another process has it.
    static func acquire(_ path: String, waiting: @Sendable () -> Void) async throws -> FileLock {
        while true {
            if let lock = try attempt(path) { return lock }
            waiting()
            try await Task.sleep(nanoseconds: 250_000_000)
        }
    }
}
