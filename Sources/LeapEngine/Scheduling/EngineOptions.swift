/// How an engine runs its model.
package struct EngineOptions: Sendable, Hashable {
    /// Threads that compute; nil takes ``ThreadAdvisor/recommended``.
    package var threads: Int?
    /// The most positions a sequence may have; nil takes the length that the model was trained on, and more than that
    /// is cut to it.
    ///
    /// Memory is used only for positions that are computed.
    package var contextSize: Int?
    /// Element type of cached keys and values.
    package var keyValueType: KeyValueType = .f16
    /// Bytes of computed text beginnings that are kept for other sessions to begin with; 0 keeps none.
    package var prefixCacheBytes = 0
    /// The most texts among these that are not the beginning of others.
    package var prefixCacheTexts = 256
    /// A folder that keeps them beyond the life of the process too; nil keeps them in memory only.
    package var prefixCacheFolder: String?
    /// The most texts in the folder that are not the beginning of others.
    package var prefixCacheDiskTexts = 4096
    /// Prompt tokens that are computed in one pass while no other session waits for its next token.
    package var prefillChunk = 512

    /// The defaults.
    package init() {}

    /// Checks every value against its range.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption` that names the option, the value and the range.
    package func validated() throws(EngineError) -> EngineOptions {
        func check(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws(EngineError) {
            guard let value, !range.contains(value) else { return }
            throw EngineError(
                .invalidOption, "\(name) is \(value): it has to be between \(range.lowerBound) and \(range.upperBound)",
                field: name)
        }
        try check(threads, "threads", 1...1024)
        try check(contextSize, "contextSize", 1...Int(Int32.max))
        try check(prefixCacheBytes, "prefixCacheBytes", 0...Int.max)
        try check(prefixCacheTexts, "prefixCacheTexts", 1...Int.max)
        try check(prefixCacheDiskTexts, "prefixCacheDiskTexts", 1...Int.max)
        try check(prefillChunk, "prefillChunk", 1...65536)
        return self
    }
}
