import LeapCore

/// Work that takes long where a request or its answer is large.
enum LongWork {
    /// The number of bytes up to which work takes less than about a millisecond.
    private static let shortByteCount = 16_384

    /// Runs `body`, where it is long on a thread of its own: other requests are answered meanwhile.
    ///
    /// - Parameter byteCount: how much it works on.
    static func run<T: Sendable>(
        on byteCount: Int, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        byteCount <= shortByteCount ? try body() : try await WorkQueue.prompts.run(body)
    }
}
