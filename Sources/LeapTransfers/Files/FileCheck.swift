import Crypto
import Foundation

/// Hashes files that are already there.
package enum FileCheck {
    /// The SHA-256 of a file, read on a thread of its own; nil if there is no such file.
    package static func sha256(_ path: String) async throws -> String? {
        let worker = CancellableHash(path)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global(qos: .utility).async {
                    continuation.resume(with: Result { try worker.run() })
                }
            }
        } onCancel: {
            worker.cancel()
        }
    }
}

private final class CancellableHash: Sendable {
    private let path: String
    private let isCancelled = OneWaySwitch()

    init(_ path: String) {
        self.path = path
    }

    func cancel() { isCancelled.set() }

    func run() throws -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw DownloadError.fileSystem("opening", path)
        }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var hasher = SHA256()
        while true {
            if isCancelled.isSet { throw CancellationError() }
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw DownloadError.fileSystem("reading", path)
            }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return Hexadecimal.text(of: hasher.finalize())
    }
}
