import Foundation
import LeapGGUF

/// Ends exchanges whose server takes too long to begin, or drips.
struct Watchdog: Sendable {
    private let configuration: TransferConfiguration

    init(_ configuration: TransferConfiguration) {
        self.configuration = configuration
    }

    private struct Progress {
        var hasHead = false
        var bytes: Int64 = 0
        /// When the current stretch of time began, and the bytes that were there then.
        var since = DispatchTime.now().uptimeNanoseconds
        var bytesThen: Int64 = 0
    }

    /// Runs `exchange` with a receiver that is watched.
    func watch(
        _ url: URL, _ receiver: HTTPReceiver, exchange: @escaping @Sendable (HTTPReceiver) async throws -> HTTPHead
    ) async throws -> HTTPHead {
        let progress = Locked(Progress())
        let watched = HTTPReceiver(
            head: { head in
                progress.withLock {
                    $0.hasHead = true
                    $0.since = DispatchTime.now().uptimeNanoseconds
                }
                return try receiver.head(head)
            },
            body: { bytes in
                progress.withLock { $0.bytes += Int64(bytes.count) }
                return try receiver.body(bytes)
            })
        return try await withThrowingTaskGroup(of: HTTPHead?.self) { group in
            group.addTask { try await exchange(watched) }
            group.addTask {
                while true {
                    let interval = min(1, min(configuration.responseTimeout, configuration.stallTimeout) / 4)
                    try await Task.sleep(nanoseconds: UInt64(interval * 1e9))
                    if let error = progress.withLock({ check(&$0, url) }) { throw error }
                }
            }
            defer { group.cancelAll() }
            while let head = try await group.next() {
                if let head { return head }
            }
            throw CancellationError()
        }
    }

    private func check(_ progress: inout Progress, _ url: URL) -> DownloadError? {
        let now = DispatchTime.now().uptimeNanoseconds
        let elapsed = Double(now - progress.since) / 1e9
        guard progress.hasHead else {
            guard elapsed >= configuration.responseTimeout else { return nil }
            return DownloadError(
                .stalled,
                "\(url.shown): the server sent no complete answer within \(Int(configuration.responseTimeout.rounded(.up))) seconds.",
                url: url)
        }
        guard elapsed >= configuration.stallTimeout else { return nil }
        let received = progress.bytes - progress.bytesThen
        guard received >= configuration.minimumBytes else {
            return DownloadError(
                .stalled,
                "\(url.shown): the server sent \(received) bytes in \(Int(configuration.stallTimeout.rounded(.up))) seconds and was given up.",
                url: url)
        }
        progress.since = now
        progress.bytesThen = progress.bytes
        return nil
    }
}
