package import Dispatch

/// Threads for work that takes long and does not suspend: reading files, compiling grammars, rendering and tokenising
/// prompts.
///
/// Tasks must not do that on the cooperative pool, which has one thread for each core.
package enum WorkQueue {
    static let loading = DispatchQueue(label: "open-leap.loading", qos: .userInitiated, attributes: .concurrent)
    package static let prompts = DispatchQueue(label: "open-leap.prompts", qos: .userInitiated, attributes: .concurrent)
}

extension DispatchQueue {
    /// Runs `body` on the queue while the calling task is suspended.
    package func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        let logContext = LogContext.metadata
        return try await withCheckedThrowingContinuation { continuation in
            async {
                let result = LogContext.$metadata.withValue(logContext) { Result(catching: body) }
                continuation.resume(with: result)
            }
        }
    }
}
