import LeapBase
package import Logging

/// The lines that are logged in this process, from the first use on; they still go to standard error as well.
package enum CapturedLog {
    /// A line, and what it says besides its text.
    package struct Line: Sendable {
        package let text: String
        package let metadata: Logger.Metadata
    }

    private static let all = Locked<[Line]>([])
    private static let provider = Locked<@Sendable () -> Logger.Metadata>({ [:] })
    private static let bootstrap: Void = LoggingSystem.bootstrap {
        Handler(inner: StreamLogHandler.standardError(label: $0))
    }

    /// The lines that `body` logs, among those of whatever runs at the same time.
    package static func lines<T>(during body: () async throws -> T) async rethrows -> [String] {
        try await events(during: body).map(\.text)
    }

    /// Adds what `body` returns to the metadata of each line from now on.
    package static func provide(_ body: @escaping @Sendable () -> Logger.Metadata) {
        provider.withLock { $0 = body }
    }

    /// The lines that `body` logs, among those of whatever runs at the same time, with their metadata.
    package static func events<T>(during body: () async throws -> T) async rethrows -> [Line] {
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
            let provided = provider.withLock { $0 }()
            let metadata = provided.merging(event.metadata ?? [:]) { $1 }
            all.withLock { $0.append(Line(text: "\(event.message)", metadata: metadata)) }
            if event.level >= inner.logLevel { inner.log(event: event) }
        }
    }
}
