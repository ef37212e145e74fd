import Foundation
import LeapBase

/// Writes to a file descriptor, and ends the program in order where that cannot be done.
package enum OutputChannel {
    /// The status of a program whose output was refused (`EX_IOERR` of sysexits.h).
    static let failureStatus: Int32 = 74
    /// The status that shells report of a program whose reader went away.
    static let brokenPipeStatus: Int32 = 128 + 13

    /// Sees to it that writing to a closed pipe is an error and not a signal, and that no file which is opened later takes the place of
    /// an output that was closed: what is printed would end up in it.
    static func prepare() {
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

    /// Writes all of it; where that fails, tells why in one line and ends the program.
    static func put(_ text: String, on descriptor: Int32) {
        var text = text
        text.withUTF8 { put(UnsafeRawBufferPointer($0), on: descriptor) }
    }

    /// The same for bytes.
    package static func put(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32) {
        guard let number = deliver(bytes, to: descriptor) else { return }
        // There is no place to report an error of standard error to.
        if descriptor == 2 { return }
        let reason = String(cString: strerror(number))
        let advice =
            switch number {
            case EPIPE: "its reader has gone"
            case ENOSPC, EDQUOT, EFBIG: "\(reason); free some space and run the command again"
            default: reason
            }
        let line = Array("leap: standard output cannot be written to: \(advice)\n".utf8)
        _ = line.withUnsafeBytes { deliver($0, to: 2) }
        KeyboardMode.end()
        // Not `exit`: other threads still compute, and what they use must not be taken from under them.
        _exit(number == EPIPE ? brokenPipeStatus : failureStatus)
    }

    /// - Returns: the number of the error that stopped it, or nil.
    private static func deliver(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var done = 0
        while done < bytes.count {
            let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                // Somebody made it non-blocking.
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = waitFor(&poll)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    private static func waitFor(_ descriptor: inout pollfd) -> Int32 {
        poll(&descriptor, 1, 1000)
    }
}
