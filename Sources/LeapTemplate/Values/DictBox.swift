/// A Python dict: keys in insertion order, found by equality.
final class DictBox {
    struct Entry {
        /// `Text.tag` of a string key, so that a look-up compares one word per key; other keys have a tag no text has.
        let tag: UInt64
        let key: Value
        var value: Value
    }

    let entries: [Entry]
    let depth: Int
    /// Built on the first look-up in a large dict.
    private lazy var table: [DictKey: Int] = makeTable()

    fileprivate static let linearLimit = 24

    fileprivate init(entries: [Entry], depth: Int) {
        self.entries = entries
        self.depth = depth
    }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    var keys: [Value] { entries.map(\.key) }
    var values: [Value] { entries.map(\.value) }

    /// The value of a string key.
    @inline(__always)
    func value(for key: Text, tag: UInt64) -> Value? {
        if entries.count > Self.linearLimit { return table[DictKey(.string(key))].map { entries[$0].value } }
        for i in 0..<entries.count where entries[i].tag == tag {
            // A tag holds short keys whole.
            if key.bytes.count <= Text.wholeTagLength || entries[i].key.text == key { return entries[i].value }
        }
        return nil
    }

    func value(for key: Text) -> Value? { value(for: key, tag: key.tag) }

    func index(of key: Value) throws(TemplateError) -> Int? {
        if !key.isHashable { throw .type("unhashable type: '\(key.unhashableType)'") }
        if entries.count > Self.linearLimit { return table[DictKey(key)] }
        let tag = key.text?.tag ?? Text.otherTag
        for i in 0..<entries.count where entries[i].tag == tag && Comparison.equal(entries[i].key, key) { return i }
        return nil
    }

    func value(for key: Value) throws(TemplateError) -> Value? { try index(of: key).map { entries[$0].value } }

    private func makeTable() -> [DictKey: Int] {
        var table = [DictKey: Int](minimumCapacity: entries.count)
        for (i, entry) in entries.enumerated() { table[DictKey(entry.key)] = i }
        return table
    }
}

/// Collects the entries of a dict; a repeated key keeps its place and takes the later value, as in Python.
struct DictBuilder {
    private var entries: [DictBox.Entry] = []
    private var table: [DictKey: Int]?
    private var deepest = 0

    init() {}

    init(copying box: DictBox) throws(TemplateError) {
        for entry in box.entries { try insert(entry.key, entry.value) }
    }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    mutating func insert(_ key: Value, _ value: Value) throws(TemplateError) {
        guard key.isHashable else { throw .type("unhashable type: '\(key.unhashableType)'") }
        let tag = key.text?.tag ?? Text.otherTag
        deepest = max(deepest, value.depth, key.depth)
        if let i = find(key, tag) {
            entries[i].value = value
            return
        }
        if table != nil { table?[DictKey(key)] = entries.count }
        entries.append(DictBox.Entry(tag: tag, key: key, value: value))
        if table == nil, entries.count > DictBox.linearLimit {
            var made = [DictKey: Int](minimumCapacity: 64)
            for (i, entry) in entries.enumerated() { made[DictKey(entry.key)] = i }
            table = made
        }
    }

    /// Adds a string key that is known to be new.
    @inline(__always)
    mutating func append(new key: Text, tag: UInt64, _ value: Value) {
        deepest = max(deepest, value.depth)
        entries.append(DictBox.Entry(tag: tag, key: .string(key), value: value))
    }

    private func find(_ key: Value, _ tag: UInt64) -> Int? {
        if let table { return table[DictKey(key)] }
        for i in 0..<entries.count where entries[i].tag == tag && Comparison.equal(entries[i].key, key) { return i }
        return nil
    }

    func build() throws(TemplateError) -> DictBox {
        DictBox(entries: entries, depth: try Value.deeper(than: deepest))
    }
}

extension Text {
    /// Texts up to this many bytes are their tag.
    static let wholeTagLength = 7

    /// The tag of keys that are no text: no text is 255 bytes of length modulo 255.
    static let otherTag: UInt64 = 0xFF << 56

    /// A word that equal texts share: the length (modulo 255) and the first seven bytes.
    var tag: UInt64 { bytes.withUnsafeBufferPointer { Self.tag(of: $0) } }

    static func tag(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var tag = UInt64(bytes.count % 255) << 56
        var shift: UInt64 = 0
        for i in 0..<min(bytes.count, wholeTagLength) {
            tag |= UInt64(bytes[i]) << shift
            shift += 8
        }
        return tag
    }
}

/// A dict key as Swift's dictionary wants it: hashed so that values equal in Python hash alike (1, 1.0 and True).
struct DictKey: Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: DictKey, b: DictKey) -> Bool { Comparison.equal(a.value, b.value) }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Value {
    /// Whether Python can hash the value.
    var isHashable: Bool {
        switch self {
        case .list, .dict: return false
        case .tuple(let box):
            for item in box.items where !item.isHashable { return false }
            return true
        case .object(let object): return object.isHashable
        default: return true
        }
    }

    /// The name of the type that makes the value unhashable.
    var unhashableType: String {
        if case .tuple(let box) = self {
            for item in box.items where !item.isHashable { return item.unhashableType }
        }
        return typeName
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .missing, .undefined: hasher.combine(1)
        case .none: hasher.combine(2)
        case .bool(let b): hasher.combine(b ? 1.0 : 0.0)
        case .int(let i): hasher.combine(Double(i))
        case .big(let b): hasher.combine(b.value.asDouble)
        case .float(let d): hasher.combine(d)
        case .string(let text), .markup(let text): text.hash(into: &hasher)
        case .tuple(let box): for item in box.items { item.hash(into: &hasher) }
        case .object(let object): object.hash(into: &hasher)
        case .list, .dict: break
        }
    }
}
