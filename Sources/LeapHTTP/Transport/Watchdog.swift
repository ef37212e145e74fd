package import Foundation
import LeapBase

/// Ends exchanges whose server takes too long to begin, or drips.
package struct Watchdog: Sendable {
    /// Seconds until an answer begins.
    private let responseTimeout: Double
    /// Seconds over which an answer must bring ``minimumBytes``.
    private let stallTimeout: Double
    private let minimumBytes: Int64
    /// Seconds that an answer may take from its beginning to its end.
    private let totalTimeout: Double

    package init(
        responseTimeout: Double, stallTimeout: Double, minimumBytes: Int64, totalTimeout: Double = .infinity
    ) {
        self.responseTimeout = responseTimeout
        self.stallTimeout = stallTimeout
        self.minimumBytes = minimumBytes
        self.totalTimeout = totalTimeout
    }

    private struct Progress {
        var hasBegun = false
        var bytes: Int64 = 0
        /// Seconds of the current stretch, and the bytes that were there when it began.
        var elapsed: Double = 0
        /// Seconds since the answer began.
        var total: Double = 0
        var bytesThen: Int64 = 0
        /// True if the receiver has a piece in hand: the time it takes is not the server's.
        var isReceiving = false

        mutating func begin() {
            guard !hasBegun else { return }
            hasBegun = true
            elapsed = 0
        }
    }

    /// Runs `exchange` with a receiver that is watched.
    package func watch(
        _ url: URL, _ receiver: HTTPReceiver, exchange: @escaping @Sendable (HTTPReceiver) async throws -> HTTPHead
    ) async throws -> HTTPHead {
        let progress = Locked(Progress())
        var watched = HTTPReceiver(
            head: { head in
                progress.withLock { $0.begin() }
                return try receiver.head(head)
            },
            body: { bytes in
                progress.withLock {
                    $0.bytes += Int64(clamping: bytes.count)
                    $0.isReceiving = true
                }
                defer { progress.withLock { $0.isReceiving = false } }
                return try receiver.body(bytes)
            })
        watched.arriving = { bytes in
            progress.withLock {
                $0.begin()
                $0.bytes += bytes
            }
        }
        return try await withThrowingTaskGroup(of: HTTPHead?.self) { [watched] group in
            group.addTask { try await exchange(watched) }
            group.addTask {
                let interval = min(1, min(responseTimeout, stallTimeout) / 4)
                var last = DispatchTime.now().uptimeNanoseconds
                while true {
                    try await Task.sleep(nanoseconds: UInt64(interval * 1e9))
                    let now = DispatchTime.now().uptimeNanoseconds
                    // A process that was suspended, or a machine that is overloaded, did not listen: that is not the
                    // server's time.
                    let passed = min(Double(now - last) / 1e9, interval * 2)
                    last = now
                    if let error = progress.withLock({ check(&$0, passed, url) }) { throw error }
                }
            }
            defer { group.cancelAll() }
            while let head = try await group.next() {
                if let head { return head }
            }
            throw CancellationError()
        }
    }

    private func check(_ progress: inout Progress, _ passed: Double, _ url: URL) -> HTTPFailure? {
        guard !progress.isReceiving else { return nil }
        progress.elapsed += passed
        guard progress.hasBegun else {
            guard progress.elapsed >= responseTimeout else { return nil }
            return HTTPFailure(
                .stalled,
                "\(url.shown): the server sent no complete answer within \(WaitText.of(responseTimeout)).",
                url: url)
        }
        progress.total += passed
        guard progress.total < totalTimeout else {
            return HTTPFailure(
                .stalled,
                "\(url.shown): the server sent \(progress.bytes) bytes in \(WaitText.of(totalTimeout)) and did not finish; the request was stopped.",
                url: url)
        }
        guard progress.elapsed >= stallTimeout else { return nil }
        let received = progress.bytes - progress.bytesThen
        guard received >= minimumBytes else {
            return HTTPFailure(
                .stalled,
                "\(url.shown): the server sent \(received) bytes in \(WaitText.of(stallTimeout)); the request was stopped.",
                url: url)
        }
        progress.elapsed = 0
        progress.bytesThen = progress.bytes
        return nil
    }
}
