/// A Python dict: keys in insertion order, found by equality.
final class DictBox {
    /// A value with its key.
    struct KeyedValue {
        /// `Text.tag` of a string key, so that a look-up compares one word per key; other keys have a tag no text has.
        let tag: UInt64
        let key: Value
        var value: Value
    }

    let entries: [KeyedValue]
    let depth: Int
    /// Built on the first look-up in a large dict.
    private lazy var table: [DictKey: Int] = makeTable()

    fileprivate static let linearLimit = 24

    fileprivate init(entries: [KeyedValue], depth: Int) {
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

    func index(of key: Value, _ renderer: Renderer) throws(TemplateError) -> Int? {
        try renderer.checkHashable(key)
        if entries.count > Self.linearLimit { return table[DictKey(key)] }
        let tag = key.text?.tag ?? Text.otherTag
        for i in 0..<entries.count where entries[i].tag == tag {
            if try Comparison.equal(entries[i].key, key, renderer) { return i }
        }
        return nil
    }

    func value(for key: Value, _ renderer: Renderer) throws(TemplateError) -> Value? {
        try index(of: key, renderer).map { entries[$0].value }
    }

    private func makeTable() -> [DictKey: Int] {
        var table = [DictKey: Int](minimumCapacity: entries.count)
        for (i, entry) in entries.enumerated() { table[DictKey(entry.key)] = i }
        return table
    }
}

/// Collects the entries of a dict; a repeated key keeps its place and takes the later value, as in Python.
struct DictBuilder {
    private var entries: [DictBox.KeyedValue] = []
    private var table: [DictKey: Int]?
    private var deepest = 0

    init() {}

    init(copying box: DictBox, _ renderer: Renderer) throws(TemplateError) {
        for entry in box.entries { try insert(entry.key, entry.value, renderer) }
    }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    mutating func insert(_ key: Value, _ value: Value, _ renderer: Renderer) throws(TemplateError) {
        try renderer.checkHashable(key)
        try renderer.charge(parts: 1)
        let tag = key.text?.tag ?? Text.otherTag
        deepest = max(deepest, value.depth, key.depth)
        if let i = try find(key, tag, renderer) {
            entries[i].value = value
            return
        }
        if table != nil { table?[DictKey(key)] = entries.count }
        entries.append(DictBox.KeyedValue(tag: tag, key: key, value: value))
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
        entries.append(DictBox.KeyedValue(tag: tag, key: .string(key), value: value))
    }

    private func find(_ key: Value, _ tag: UInt64, _ renderer: Renderer) throws(TemplateError) -> Int? {
        if let table { return table[DictKey(key)] }
        for i in 0..<entries.count where entries[i].tag == tag {
            if try Comparison.equal(entries[i].key, key, renderer) { return i }
        }
        return nil
    }

    func build() throws(TemplateError) -> DictBox {
        DictBox(entries: entries, depth: try Value.deeper(than: deepest))
    }
}

extension Text {
    /// Texts up to this many bytes are their tag.
    static let wholeTagLength = 7

    /// The tag of keys that are not text: no text is 255 bytes of length modulo 255.
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

/// A dict key as Swift's dictionary wants it: hashed so that values equal in Python hash alike (1, 1.0 and True), and
/// unlike ones unlike, so that no choice of keys makes a look-up slow.
///
/// Only for keys that `Renderer.checkHashable` has let pass, which accounts for hashing and for one comparison.
struct DictKey: Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: DictKey, b: DictKey) -> Bool { a.value.isSameKey(as: b.value) }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Value {
    /// Returns whether two hashable values are equal in Python.
    ///
    /// A NaN is one key, whatever the object: it differs from itself, so that each would be looked through for the
    /// next.
    fileprivate func isSameKey(as other: Value) -> Bool {
        switch (self, other) {
        case (.string(let x), .string(let y)), (.string(let x), .markup(let y)), (.markup(let x), .string(let y)),
            (.markup(let x), .markup(let y)):
            return x == y
        case (.none, .none): return true
        case (.undefined, .undefined), (.missing, .missing), (.undefined, .missing), (.missing, .undefined): return true
        case (.tuple(let x), .tuple(let y)):
            guard x.items.count == y.items.count else { return false }
            if x === y { return true }
            for i in x.items.indices where !x.items[i].isSameKey(as: y.items[i]) { return false }
            return true
        case (.object(let x), .object(let y)):
            if let x = x as? RangeObject, let y = y as? RangeObject { return x.isEqual(to: y) }
            return x === y
        case (.float(let x), .float(let y)) where x.isNaN && y.isNaN: return true
        default: return Comparison.numericOrder(self, other) == .some(0)
        }
    }

    fileprivate func hash(into hasher: inout Hasher) {
        switch self {
        case .missing, .undefined: hasher.combine(1)
        case .none: hasher.combine(2)
        case .bool(let b): hasher.combine(b ? 1.0 : 0.0)
        case .int(let i):
            // A float equals an integer only where it says it exactly; the others need not hash like any float.
            if let exact = Double(exactly: i) { hasher.combine(exact) } else { hasher.combine(i) }
        case .big(let b):
            let float = b.value.asDouble
            if float.isFinite, BigInt(truncating: float) == b.value {
                hasher.combine(float)
            } else {
                hasher.combine(b.value)
            }
        case .float(let d): if d.isNaN { hasher.combine(3) } else { hasher.combine(d) }
        case .string(let text), .markup(let text): text.hash(into: &hasher)
        case .tuple(let box): for item in box.items { item.hash(into: &hasher) }
        case .object(let object): object.hash(into: &hasher)
        case .list, .dict: break
        }
    }
}
