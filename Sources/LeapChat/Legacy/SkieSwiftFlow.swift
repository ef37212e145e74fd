#if LEAPReplies
    /// The name that streams have in version 0.10 of the LEAP SDK.
    public typealias SkieSwiftFlow<T> = AsyncStream<T>
#else
    /// The name that streams have in version 0.10 of the LEAP SDK.
    public typealias SkieSwiftFlow<T> = AsyncThrowingStream<T, any Error>
#endif
