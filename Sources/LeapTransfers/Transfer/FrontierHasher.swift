import Foundation
import LeapBase
import LeapHashing

/// Hashes a file in order while its parts arrive in any order.
///
/// It follows the frontier (the bytes from the start up to the first gap), reading them back out of the system's page
/// cache on a thread of its own, so that the check is done as soon as the last byte is there.
final class FrontierHasher: Sendable {
    private let file: PartialFile
    private let queue = DispatchQueue(label: "open-leap.hash", qos: .utility)
    private let state = Locked(State())

    private struct State {
        var target: Int64 = 0
        var isScheduled = false
        var failure: (any Error)?
    }

    /// Touched on ``queue`` only.
    private final class Progress: @unchecked Sendable {
        var hasher = SHA256()
        var position: Int64 = 0
        // Small enough to stay in the processor's cache between reading and hashing.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        deinit { buffer.deallocate() }
    }
    private let progress = Progress()

    init(_ file: PartialFile) {
        self.file = file
    }

    /// Says that the file is whole up to `frontier`; cheap, and may be called as often as one likes.
    func advance(to frontier: Int64) {
        let schedules = state.withLock { state in
            // Not for every 16 KiB: a wake-up costs more than that.
            guard frontier >= state.target + 4 << 20, !state.isScheduled else { return false }
            state.target = frontier
            state.isScheduled = true
            return true
        }
        guard schedules else { return }
        queue.async { [self] in
            state.withLock { $0.isScheduled = false }
            hash(upTo: state.withLock { $0.target })
        }
    }

    /// Says that the bytes from `offset` on turned out to be wrong: what was hashed of them is hashed again.
    func retreat(to offset: Int64) {
        state.withLock { $0.target = min($0.target, offset) }
        queue.async { [progress] in
            guard progress.position > offset else { return }
            // A hash cannot be taken back in part; reading the file again costs less than a wrong verdict on it.
            progress.hasher = SHA256()
            progress.position = 0
        }
    }

    /// The SHA-256 of the first `size` bytes, which must all be there.
    func finish(size: Int64) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                hash(upTo: size)
                if let error = state.withLock({ $0.failure }) {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: Hexadecimal.text(of: progress.hasher.finalize()))
                }
            }
        }
    }

    private func hash(upTo end: Int64) {
        guard state.withLock({ $0.failure == nil }) else { return }
        do {
            while progress.position < end {
                let wanted = Int(clamping: min(Int64(clamping: progress.buffer.count), end - progress.position))
                let part = UnsafeMutableRawBufferPointer(rebasing: progress.buffer[..<wanted])
                let count = try file.read(into: part, at: progress.position)
                guard count == wanted else {
                    throw DownloadError(
                        .fileSystem, "\(file.path): shorter than what was written to it; another program changes it.",
                        path: file.path)
                }
                progress.hasher.update(UnsafeRawBufferPointer(part))
                progress.position += Int64(clamping: count)
            }
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
