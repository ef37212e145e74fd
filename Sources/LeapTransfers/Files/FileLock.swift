import Foundation
import LeapBase

/// A lock between processes: `flock` on a file, given back by the system when its holder dies.
final class FileLock: Sendable {
    /// Closing it gives the lock back; nil where the file system has no locks.
    private let file: OpenFile?

    private init(_ file: OpenFile?) {
        self.file = file
    }

    /// Takes the lock if it is free.
    static func attempt(_ path: String) throws -> FileLock? {
        let file: OpenFile
        do {
            file = try OpenFile(path, .updating)
        } catch {
            throw DownloadError(FileSystemError("opening the lock", path, number: error.number))
        }
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(file) }
        let number = errno
        if number == EWOULDBLOCK || number == EINTR { return nil }
        // A file system without locks (some network mounts): one process at a time is then the user's to see to.
        if number == ENOLCK || number == ENOTSUP || number == ENOSYS { return FileLock(nil) }
        throw DownloadError(FileSystemError("locking", path, number: number))
    }

    /// Returns whether a process has the lock now; a lock that was never taken is not made.
    static func isHeld(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, .readingUnlinked) else { return false }
        // Shared, so that two who ask do not take each other for a holder.
        return flock(file.descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
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
