extension Sequence where Element: Sendable {
    /// Returns the results of an asynchronous function, called for one element after the other, in their order.
    ///
    /// The LEAP SDK's guide on agents uses it to answer the calls of a reply.
    @_disfavoredOverload
    public func asyncMap<T>(
        isolation: isolated (any Actor)? = #isolation, _ transform: (Element) async throws -> T
    ) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
