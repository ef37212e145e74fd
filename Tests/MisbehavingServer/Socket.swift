import LeapBase

/// A TCP socket of this machine; the one who closes it has to be the last who uses it.
struct Socket: Sendable {
    let descriptor: Int32

    /// A refusal of the system.
    struct Failure: Error {
        let operation: String
        let code: Int32

        init(_ operation: String, code: Int32 = errno) {
            self.operation = operation
            self.code = code
        }
    }

    /// Listens at a free port of an address.
    static func listening(host: String) throws -> Socket {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "0", &hints, &found) == 0, let found else { throw Failure("getaddrinfo") }
        defer { freeaddrinfo(found) }
        let socket = Socket(descriptor: LeapBase.socket(found.pointee.ai_family, found.pointee.ai_socktype, 0))
        guard socket.descriptor >= 0 else { throw Failure("socket") }
        var one: Int32 = 1
        setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(socket.descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
            listen(socket.descriptor, 64) == 0
        else {
            let failure = Failure("bind")
            socket.close()
            throw failure
        }
        return socket
    }

    /// The next connection; nil if there is none, or no longer.
    func accept() -> Socket? {
        while true {
            let descriptor = LeapBase.accept(descriptor, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard descriptor >= 0 else { return nil }
            let socket = Socket(descriptor: descriptor)
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            #if canImport(Darwin)
                setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
            #endif
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            return socket
        }
    }

    #if canImport(Darwin)
        /// Connects to a listening socket and closes that connection at once.
        func connectToItself() -> Int32 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return withUnsafeMutableBytes(of: &storage) { bytes in
                guard let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                    getsockname(descriptor, address, &length) == 0
                else { return -1 }
                let client = LeapBase.socket(Int32(address.pointee.sa_family), SOCK_STREAM, 0)
                defer { _ = LeapBase.close(client) }
                return connect(client, address, length)
            }
        }
    #endif

    /// The port of an end of it.
    func port(ofPeer: Bool) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutableBytes(of: &storage) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return address.map { ofPeer ? getpeername(descriptor, $0, &length) : getsockname(descriptor, $0, &length) }
                ?? -1
        }
        guard status == 0 else { return 0 }
        // IPv4 and IPv6 have the port at the same place.
        return withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) }
    }

    /// Ends both directions, which wakes whoever waits for it.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { _ = LeapBase.close(descriptor) }

    /// The result of reading.
    enum Reading {
        case bytes([UInt8])
        case nothingYet
        case end
    }

    /// Reads the bytes that have arrived.
    func read() -> Reading {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, initialized in
            repeat { count = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .nothingYet : .end
    }

    /// Hands bytes to the system; how many it took, or nil where the connection is gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : nil
    }

    /// Waits until something has arrived, or there is room to write, or the time is over; whether one of the first two
    /// is true.
    @discardableResult
    func wait(toWrite: Bool, milliseconds: Int64) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0), revents: 0)
        return poll(&entry, 1, Int32(clamping: milliseconds)) > 0
    }
}
