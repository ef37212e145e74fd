import Dispatch
package import LeapBase
package import LeapService

/// Listens at the service's socket.
package final class ServiceListener: @unchecked Sendable {
    // Sendable: what changes is used on `queue` only.
    private let descriptor: Int32
    private let place: ServicePlace?
    private let lock: Int32
    private let queue = DispatchQueue(label: "open-leap.service.listener")
    private let source: any DispatchSourceRead
    private var isClosed = false

    /// Listens at a place; a socket that a dead process left there is replaced, and one that answers is not.
    ///
    /// - Throws: ``FileSystemError`` that says why not.
    package convenience init(_ place: ServicePlace, host: ServiceHost) throws(FileSystemError) {
        try place.makeFolder()
        // Two that start at the same time would each take the other's socket for one that a dead process left.
        let lock = open(place.lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw FileSystemError("locking", place.lockPath) }
        do throws(FileSystemError) {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
                throw FileSystemError(place.path, refused: "a model service is already running there")
            }
            try Self.removeStale(place)
            self.init(try UnixSocket.listen(place.path), place: place, lock: lock, host: host)
        } catch {
            UnixSocket.close(lock)
            throw error
        }
    }

    /// Listens at a socket that the system has made.
    package convenience init(activated descriptor: Int32, host: ServiceHost) {
        UnixSocket.prepare(descriptor)
        self.init(descriptor, place: nil, lock: -1, host: host)
    }

    private init(_ descriptor: Int32, place: ServicePlace?, lock: Int32, host: ServiceHost) {
        self.descriptor = descriptor
        self.place = place
        self.lock = lock
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [descriptor] in
            while let connection = UnixSocket.accept(descriptor) { host.accept(connection) }
        }
        source.setCancelHandler { [descriptor, lock] in
            UnixSocket.close(descriptor)
            if lock >= 0 { UnixSocket.close(lock) }
        }
        source.activate()
    }

    /// Removes a socket file without a process that listens at it.
    private static func removeStale(_ place: ServicePlace) throws(FileSystemError) {
        var info = stat()
        guard lstat(place.path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else {
            throw FileSystemError(place.path, refused: "something other than a socket is there: remove it")
        }
        guard info.st_uid == geteuid() else {
            throw FileSystemError(place.path, refused: "the socket there belongs to the user \(info.st_uid)")
        }
        do throws(FileSystemError) {
            UnixSocket.close(try UnixSocket.connect(place.path))
        } catch {
            guard error.number == ECONNREFUSED else { throw error }
            FileSystem.remove(place.path)
            return
        }
        throw FileSystemError(place.path, refused: "another process answers there already")
    }

    /// Takes no more connections, and removes the socket.
    package func close() {
        queue.sync {
            guard !isClosed else { return }
            isClosed = true
            if let place { FileSystem.remove(place.path) }
            source.cancel()
        }
    }
}
