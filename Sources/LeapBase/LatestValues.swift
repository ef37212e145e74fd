/// Keeps the values that were used last, up to a number of bytes; the latest one whatever its size.
package struct LatestValues<Key: Equatable, Value> {
    /// The one that was used last is at the end.
    private var entries: [(key: Key, value: Value, byteCount: Int)] = []
    private var byteCount = 0
    private let maxBytes: Int
    private let size: @Sendable (Value) -> Int

    /// - Parameter size: the bytes of a value.
    package init(maxBytes: Int, _ size: @escaping @Sendable (Value) -> Int) {
        self.maxBytes = maxBytes
        self.size = size
    }

    /// True if nothing is kept.
    package var isEmpty: Bool { entries.isEmpty }

    /// The value for a key, which is the one that was used last now.
    package mutating func use(_ key: Key) -> Value? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries.append(entries.remove(at: index))
        return entries[entries.count - 1].value
    }

    /// Keeps a value for a key that has none yet.
    package mutating func keep(_ value: Value, for key: Key) {
        guard use(key) == nil else { return }
        entries.append((key, value, size(value)))
        byteCount += size(value)
        while entries.count > 1, byteCount > maxBytes { byteCount -= entries.removeFirst().byteCount }
    }

    /// Forgets all.
    package mutating func removeAll() {
        entries.removeAll()
        byteCount = 0
    }
}
