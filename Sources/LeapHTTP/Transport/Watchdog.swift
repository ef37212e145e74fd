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
        /// The reason for which nothing can arrive; the time until then is not the server's.
        var wait: TransferWait?
        /// True if the system carries the request: silence is its decision, and it starts again what broke.
        var isHandedOver = false

        /// Notes that something arrived.
        ///
        /// - Returns: whether that ends a wait.
        mutating func arrive() -> Bool {
            let waited = wait != nil
            wait = nil
            if !hasBegun || waited {
                hasBegun = true
                elapsed = 0
                bytesThen = bytes
            }
            return waited
        }
    }

    /// Runs `exchange` with a receiver that is watched.
    package func watch(
        _ url: URL, _ receiver: HTTPReceiver, exchange: @escaping @Sendable (HTTPReceiver) async throws -> HTTPHead
    ) async throws -> HTTPHead {
        let progress = Locked(Progress())
        var watched = HTTPReceiver(
            head: { head in
                if progress.withLock({ $0.arrive() }) { receiver.waiting(nil) }
                return try receiver.head(head)
            },
            body: { bytes in
                let waited = progress.withLock { progress in
                    defer { progress.bytes += Int64(clamping: bytes.count) }
                    progress.isReceiving = true
                    return progress.arrive()
                }
                if waited { receiver.waiting(nil) }
                defer { progress.withLock { $0.isReceiving = false } }
                return try receiver.body(bytes)
            })
        watched.arriving = { bytes in
            let waited = progress.withLock { progress in
                defer { progress.bytes += bytes }
                return progress.arrive()
            }
            if waited { receiver.waiting(nil) }
        }
        watched.waiting = { reason in
            progress.withLock { $0.wait = reason }
            receiver.waiting(reason)
        }
        watched.handedOver = { progress.withLock { $0.isHandedOver = true } }
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
                    switch progress.withLock({ verdict(&$0, passed, url) }) {
                    case .goesOn: continue
                    case .paused: receiver.waiting(.system)
                    case .ended(let failure): throw failure
                    }
                }
            }
            defer { group.cancelAll() }
            while let head = try await group.next() {
                if let head { return head }
            }
            throw CancellationError()
        }
    }

    private enum Verdict {
        case goesOn
        /// The system has paused the request.
        case paused
        case ended(HTTPFailure)
    }

    private func verdict(_ progress: inout Progress, _ passed: Double, _ url: URL) -> Verdict {
        guard let failure = check(&progress, passed, url) else { return .goesOn }
        guard progress.isHandedOver, progress.total < totalTimeout else { return .ended(failure) }
        progress.wait = .system
        return .paused
    }

    private func check(_ progress: inout Progress, _ passed: Double, _ url: URL) -> HTTPFailure? {
        guard !progress.isReceiving, progress.wait == nil else { return nil }
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
