/// A file that appears under its name only once it is whole.
///
/// It is written next to its place under a temporary name that no other writer has, and renamed by
/// ``publish(durable:)``. Whoever opens the path sees the old file or the new one, never a part. Without
/// ``publish(durable:)`` nothing is left.
package final class FilePublication {
    /// The end of the temporary names.
    package static let temporarySuffix = ".tmp"

    /// The path that the file will have.
    package let path: String
    private let temporaryPath: String
    private let file: OpenFile
    private var isFinished = false

    /// Bytes written so far.
    package private(set) var byteCount: Int64 = 0

    private static let count = Locked(0)

    /// Begins a file that will be at `path`.
    ///
    /// - Parameter permissions: those of the file, before the process's mask.
    package init(path: String, permissions: mode_t = 0o644) throws(FileSystemError) {
        self.path = path
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        temporaryPath = "\(path).\(getpid())-\(number)\(Self.temporarySuffix)"
        // Left by a process that died, whose number this one has now.
        unlink(temporaryPath)
        do {
            file = try OpenFile(temporaryPath, .creating, permissions: permissions)
        } catch {
            throw FileSystemError("creating", path, number: error.number)
        }
    }

    deinit {
        if !isFinished { unlink(temporaryPath) }
    }

    /// Appends bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        do {
            try file.write(bytes, at: byteCount)
        } catch {
            throw FileSystemError(error.operation, path, number: error.number)
        }
        byteCount += Int64(bytes.count)
    }

    /// Gives the file its name, in place of one that has it.
    ///
    /// - Parameter durable: whether to wait until the bytes, and then the name, are on the disk itself, so that a power
    ///   failure leaves the old file or the new one too.
    package func publish(durable: Bool) throws(FileSystemError) {
        do {
            if durable { try file.synchronize() }
            try FileSystem.rename(temporaryPath, to: path)
        } catch {
            throw FileSystemError(error.operation, path, number: error.number)
        }
        isFinished = true
        if durable { FileSystem.synchronizeFolder(of: path) }
    }
}
