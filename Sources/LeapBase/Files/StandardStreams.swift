/// Standard input, output and error of a program, written to so that no failure ends the program.
///
/// `FileHandle.write(_:)` traps where a write fails, and a closed pipe is a signal: a log whose disk is full or whose
/// reader has gone would end a server.
package enum StandardStreams {
    /// Makes errors of what would be signals, and keeps closed standard descriptors taken.
    ///
    /// A file that is opened later would get the number of a closed one, and what is printed would end up in it. To be
    /// called first.
    package static func prepare() {
        BrokenPipes.becomeErrors()
        // A limit on the sizes of files is an error of writing, too.
        signal(SIGXFSZ, SIG_IGN)
        while true {
            // For reading only, so that writing to it fails as it does on a closed descriptor.
            let descriptor = open("/dev/null", O_RDONLY)
            guard (0...2).contains(descriptor) else {
                if descriptor > 2 { close(descriptor) }
                return
            }
        }
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: the number of the error that stopped it; nil where all was written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var done = 0
        while done < bytes.count {
            let count = systemWrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                // Somebody made it non-blocking.
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&polled, 1, 1000)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Writes a line of the log to standard error; it is lost where that cannot be written, as there is no other place
    /// to say so.
    package static func log(_ line: [UInt8]) { _ = line.withUnsafeBytes { write($0, to: 2) } }

    /// Writes a text and a line end to standard error, as ``log(_:)-([UInt8])`` does.
    package static func log(_ text: String) { log(Array((text + "\n").utf8)) }
}

/// The system call, out of reach of the method named like it.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
