/// Values by name, of which the oldest give way where there are too many of them, or too many bytes.
struct RecentValues<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let byteCount: Int
    }

    let maxCount: Int
    let maxByteCount: Int
    private var entries: [String: Entry] = [:]
    /// The names, those of the oldest values first.
    private(set) var names: [String] = []
    private(set) var byteCount = 0

    init(maxCount: Int, maxByteCount: Int) {
        self.maxCount = maxCount
        self.maxByteCount = maxByteCount
    }

    subscript(name: String) -> Value? { entries[name]?.value }

    /// Sets a value, which is the newest then.
    ///
    /// - Returns: the names of the values that gave way; nil where this one is larger than all may be together: then
    ///   nothing changes.
    @discardableResult
    mutating func set(_ name: String, _ value: Value, byteCount count: Int) -> [String]? {
        guard count <= maxByteCount else { return nil }
        remove(name)
        entries[name] = Entry(value: value, byteCount: count)
        names.append(name)
        byteCount += count
        var gone: [String] = []
        while names.count > maxCount || byteCount > maxByteCount, let first = names.first {
            remove(first)
            gone.append(first)
        }
        return gone
    }

    /// Removes a value; false where there is none.
    @discardableResult
    mutating func remove(_ name: String) -> Bool {
        guard let entry = entries.removeValue(forKey: name) else { return false }
        names.removeAll { $0 == name }
        byteCount -= entry.byteCount
        return true
    }
}
