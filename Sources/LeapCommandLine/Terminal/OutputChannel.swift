import Foundation
import LeapBase

/// Writes to a file descriptor, and ends the program in order where that cannot be done.
package enum OutputChannel {
    /// The status of a program whose output was refused (`EX_IOERR` of sysexits.h).
    static let failureStatus: Int32 = 74
    /// The status that shells report of a program whose reader went away.
    static let brokenPipeStatus: Int32 = 128 + 13

    /// Writes all of it; where that fails, tells why in one line and ends the program.
    static func put(_ text: String, on descriptor: Int32) {
        var text = text
        text.withUTF8 { put(UnsafeRawBufferPointer($0), on: descriptor) }
    }

    /// The same for bytes.
    package static func put(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32) {
        guard let number = StandardStreams.write(bytes, to: descriptor) else { return }
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
        _ = line.withUnsafeBytes { StandardStreams.write($0, to: 2) }
        KeyboardMode.end()
        // Not `exit`: other threads still compute, and what they use must not be taken from under them.
        _exit(number == EPIPE ? brokenPipeStatus : failureStatus)
    }
}
