package import LeapBase

/// The identity of the process at the other end of a socket, as the kernel knows it.
package struct PeerIdentity: Sendable, Hashable {
    package var user: uid_t
    /// 0 where the system does not say.
    package var process: pid_t

    package init(user: uid_t, process: pid_t) {
        self.user = user
        self.process = process
    }
}

/// Sockets in the file system.
package enum UnixSocket {
    #if canImport(Darwin)
        private static let stream: Int32 = SOCK_STREAM
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    // MARK: Making

    /// Connects to the socket at a path, without waiting.
    ///
    /// - Throws: ``FileSystemError``, with `ECONNREFUSED` where nobody listens any more, and `EAGAIN` where too many
    ///   wait.
    package static func connect(_ path: String) throws(FileSystemError) -> Int32 {
        let descriptor = try make(path)
        guard let result = withAddress(path, { systemConnect(descriptor, $0, $1) }) else {
            systemClose(descriptor)
            throw tooLong(path)
        }
        guard result == 0 else {
            let error = FileSystemError("connecting", path)
            systemClose(descriptor)
            throw error
        }
        return descriptor
    }

    /// Listens at a path that is free.
    package static func listen(_ path: String, backlog: Int32 = 512) throws(FileSystemError) -> Int32 {
        let descriptor = try make(path)
        // Nobody else may connect, not even for a moment.
        let mask = umask(0o177)
        let result = withAddress(path) { bind(descriptor, $0, $1) }
        umask(mask)
        guard let result else {
            systemClose(descriptor)
            throw tooLong(path)
        }
        guard result == 0, systemListen(descriptor, backlog) == 0 else {
            let error = FileSystemError("listening", path)
            systemClose(descriptor)
            throw error
        }
        return descriptor
    }

    /// The next connection; nil where none waits.
    package static func accept(_ listener: Int32) -> Int32? {
        while true {
            let descriptor = systemAccept(listener)
            if descriptor >= 0 {
                prepare(descriptor)
                return descriptor
            }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    package static func close(_ descriptor: Int32) { systemClose(descriptor) }

    private static func make(_ path: String) throws(FileSystemError) -> Int32 {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw FileSystemError("making a socket", path) }
        prepare(descriptor)
        return descriptor
    }

    /// No call waits, no child inherits it, and writing to a peer that is gone raises no signal.
    package static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    private static func tooLong(_ path: String) -> FileSystemError {
        FileSystemError(
            path, refused: "a socket's path has at most \(maxPathLength) bytes, and this one \(path.utf8.count)")
    }

    /// Bytes that the path of a socket may have.
    package static let maxPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Calls `body` with the address of a path; nil for a path that is too long.
    package static func withAddress<R>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count <= maxPathLength, !bytes.contains(0), !bytes.isEmpty else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // Of abstract names, which begin with a zero in place of the `@`, the length counts.
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { withUnsafeMutableBytes(of: &address.sun_path) { $0[0] = 0 } }
        let offset = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let length = isAbstract ? offset + bytes.count : MemoryLayout<sockaddr_un>.size
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    // MARK: Who is there

    /// Returns the identity of the process at the other end; nil where the system does not say.
    package static func peer(of descriptor: Int32) -> PeerIdentity? {
        #if canImport(Darwin)
            var (user, group): (uid_t, gid_t) = (0, 0)
            guard getpeereid(descriptor, &user, &group) == 0 else { return nil }
            var process: pid_t = 0
            var size = socklen_t(MemoryLayout<pid_t>.size)
            // SOL_LOCAL and LOCAL_PEERPID.
            let isKnown = getsockopt(descriptor, 0, 0x002, &process, &size) == 0
            return PeerIdentity(user: user, process: isKnown ? process : 0)
        #else
            // struct ucred: process, user, group.
            var credentials: [UInt32] = [0, 0, 0]
            var size = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12 else {
                return nil
            }
            return PeerIdentity(user: credentials[1], process: pid_t(bitPattern: credentials[0]))
        #endif
    }

    // MARK: Bytes

    /// The result of a call that reads or writes.
    package enum Transfer: Sendable {
        case bytes(Int)
        /// No byte can be moved at the moment.
        case wouldBlock
        /// The peer is gone.
        case ended
    }

    package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Transfer {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }

    package static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Transfer {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }
}

// The system calls, out of reach of the functions named like them.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    while true {
        let result = connect(descriptor, address, length)
        if result == 0 || errno != EINTR { return result }
    }
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func systemAccept(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
