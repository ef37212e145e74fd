/// The name that streams have in version 0.10 of the LEAP SDK.
public typealias SkieSwiftFlow<T> = AsyncThrowingStream<T, any Error>
