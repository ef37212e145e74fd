import Dispatch
import Foundation
import LeapBase

/// The lock by which one server at a time uses a store's file.
///
/// The system holds it for the open file, and gives it back when the last descriptor of it is closed. A program that is
/// being started has copies of all descriptors for a moment, so a lock may last a little longer than whoever took it.
enum StoreLock {
    /// Takes the lock.
    ///
    /// Where another process has it, a thread of its own waits for the system to hand it over; this thread waits for
    /// that one.
    ///
    /// - Parameter end: when the wait is over.
    /// - Returns: whether it was taken.
    static func take(_ file: OpenFile, until end: ContinuousClock.Instant) -> Bool {
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let seconds = (end - .now) / .seconds(1)
        guard errno == EWOULDBLOCK || errno == EINTR, seconds > 0 else { return false }
        let isTaken = DispatchSemaphore(value: 0)
        // It keeps the file open. A lock that comes too late goes with the last reference.
        Thread.detachNewThread {
            var result: Int32
            repeat { result = flock(file.descriptor, LOCK_EX) } while result != 0 && errno == EINTR
            if result == 0 { isTaken.signal() }
        }
        return isTaken.wait(timeout: .now() + seconds) == .success
    }

    /// Returns true if the file is the one at its path.
    static func isAtItsPath(_ file: OpenFile) -> Bool {
        var (own, found) = (stat(), stat())
        guard fstat(file.descriptor, &own) == 0, stat(file.path, &found) == 0 else { return false }
        return own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }
}
