import Foundation
import LeapBase
import LeapService

/// The protocol between systemd and a service: sockets that systemd passes, and messages about the state.
package enum ServiceManager {
    /// The first socket that was passed to this process (sd_listen_fds), or nil.
    package static func passedSocket(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Int32? {
        guard environment["LISTEN_PID"].flatMap({ pid_t($0) }) == getpid(),
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count >= 1
        else { return nil }
        return 3
    }

    /// Sends messages such as `READY=1` and `STATUS=…` (sd_notify); does nothing outside of systemd.
    ///
    /// - Returns: whether they were sent.
    @discardableResult
    package static func notify(
        _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return false }
        #if canImport(Darwin)
            let kind: Int32 = SOCK_DGRAM
        #else
            let kind = Int32(SOCK_DGRAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { UnixSocket.close(descriptor) }
        UnixSocket.prepare(descriptor)
        // A line each: a text with an end of line in it would be taken for two.
        let text = words.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }.joined(separator: "\n")
        let bytes = Array(text.utf8)
        return UnixSocket.withAddress(path) { address, length in
            bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, 0, address, length) == $0.count }
        } ?? false
    }
}
