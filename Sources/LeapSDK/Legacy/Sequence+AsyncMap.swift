extension Sequence where Element: Sendable {
    /// The results of an asynchronous function, in the order of the elements, each after the one before it.
    ///
    /// The LEAP SDK's guide on agents answers the calls of a reply with it.
    @_disfavoredOverload
    public func asyncMap<T>(
        isolation: isolated (any Actor)? = #isolation, _ transform: (Element) async throws -> T
    ) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
