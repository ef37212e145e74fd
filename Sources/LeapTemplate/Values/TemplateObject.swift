/// A dict with string keys that keeps the insertion order of the keys.
///
/// As in Python and JSON, keys are compared by their code points, not by canonical equivalence.
public struct TemplateObject: Sendable {
    private var entries: [(key: String, value: TemplateValue)] = []
    /// The index of each key, once there are too many to look through.
    private var table: [Text: Int]?

    private static let linearLimit = 16

    /// Creates an empty object.
    public init() {}

    /// Creates an object of pairs; a repeated key keeps its place and takes the later value.
    public init(_ pairs: some Sequence<(String, TemplateValue)>) {
        for (key, value) in pairs { self[key] = value }
    }

    /// The keys, in order.
    public var keys: [String] { entries.map(\.key) }

    /// The number of keys.
    public var count: Int { entries.count }

    /// A Boolean value that indicates whether there are no keys.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of `key`; setting nil removes the key, setting a new key appends it.
    public subscript(key: String) -> TemplateValue? {
        get { index(of: key).map { entries[$0].value } }
        set {
            if let i = index(of: key) {
                if let newValue {
                    entries[i].value = newValue
                } else {
                    entries.remove(at: i)
                    table = nil
                }
            } else if let newValue {
                if table == nil, entries.count >= Self.linearLimit {
                    var made = [Text: Int]()
                    for (i, entry) in entries.enumerated() { made[Text(entry.key)] = i }
                    table = made
                }
                table?[Text(key)] = entries.count
                entries.append((key, newValue))
            }
        }
    }

    private func index(of key: String) -> Int? {
        if let table { return table[Text(key)] }
        return entries.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }
}

extension TemplateObject: Sequence {
    /// Returns an iterator over the pairs in order.
    public func makeIterator() -> some IteratorProtocol<(key: String, value: TemplateValue)> {
        entries.makeIterator()
    }
}

extension TemplateObject: Hashable {
    /// Returns whether both have the same keys with the same values, in any order.
    public static func == (a: TemplateObject, b: TemplateObject) -> Bool {
        a.count == b.count && a.entries.allSatisfy { b[$0.key] == $0.value }
    }

    /// Hashes the keys, in any order.
    public func hash(into hasher: inout Hasher) {
        var combined = 0
        for entry in entries { combined ^= entry.key.hashValue }
        hasher.combine(combined)
        hasher.combine(count)
    }
}

extension TemplateObject: ExpressibleByDictionaryLiteral {
    /// An object, in the order written; a repeated key takes the later value.
    public init(dictionaryLiteral elements: (String, TemplateValue)...) { self.init(elements) }
}
