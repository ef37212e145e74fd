import LeapBase
import Logging

/// The lines that are logged in this process, from the first use on; they still go to standard error as well.
package enum CapturedLog {
    private static let all = Locked<[String]>([])
    private static let bootstrap: Void = LoggingSystem.bootstrap {
        Handler(inner: StreamLogHandler.standardError(label: $0))
    }

    /// The lines that `body` logs, among those of whatever runs at the same time.
    package static func lines<T>(during body: () async throws -> T) async rethrows -> [String] {
        _ = bootstrap
        let start = all.withLock { $0.count }
        _ = try await body()
        return all.withLock { Array($0[start...]) }
    }

    private struct Handler: LogHandler {
        var inner: StreamLogHandler
        var metadata: Logger.Metadata {
            get { inner.metadata }
            set { inner.metadata = newValue }
        }
        /// Debug lines are captured too; only what is asked for goes on to standard error.
        var logLevel: Logger.Level {
            get { .debug }
            set { inner.logLevel = newValue }
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { inner[metadataKey: key] }
            set { inner[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) {
            all.withLock { $0.append("\(event.message)") }
            if event.level >= inner.logLevel { inner.log(event: event) }
        }
    }
}
