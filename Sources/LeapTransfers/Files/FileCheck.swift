import Foundation
import LeapBase
import LeapHashing

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
        let file: OpenFile
        do {
            file = try OpenFile(path, .reading)
        } catch {
            if error.number == ENOENT { return nil }
            throw DownloadError(error)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var hasher = SHA256()
        var offset: Int64 = 0
        while true {
            if isCancelled.isSet { throw CancellationError() }
            let count: Int
            do {
                count = try file.read(into: buffer, at: offset)
            } catch {
                throw DownloadError(error)
            }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(clamping: count)
            if count < buffer.count { break }
        }
        return Hexadecimal.text(of: hasher.finalize())
    }
}
