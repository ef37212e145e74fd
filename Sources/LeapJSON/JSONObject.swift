/// The members of a JSON object in the order they were given; equality does not look at the order.
///
/// Names are equal where their UTF-8 is. Of two members of one name the last value stays, in the first one's place.
package struct JSONObject: Sendable {
    /// The names in order.
    package private(set) var keys: [String] = []
    /// The values in the order of ``keys``.
    package private(set) var values: [JSONValue] = []
    /// The index of each name; empty while there are so few members that comparing names is faster.
    private var positions: [MemberName: Int] = [:]

    private static let maxUnindexedCount = 8

    /// An object without members.
    package init() {}

    /// An object with these members.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        for (key, value) in members { set(key, value) }
    }

    /// The number of members.
    package var count: Int { keys.count }

    /// True if there are no members.
    package var isEmpty: Bool { keys.isEmpty }

    /// The members in order.
    package var members: [(key: String, value: JSONValue)] {
        zip(keys, values).map { (key: $0, value: $1) }
    }

    /// The value of a member; setting one that is not there puts it last, nil removes it.
    package subscript(key: String) -> JSONValue? {
        get { index(of: key).map { values[$0] } }
        set {
            if let newValue { set(key, newValue) } else { remove(key) }
        }
    }

    /// Sets the value of a member, last if it is new.
    package mutating func set(_ key: String, _ value: JSONValue) {
        if let index = index(of: key) {
            values[index] = value
            return
        }
        keys.append(key)
        values.append(value)
        if !positions.isEmpty {
            positions[MemberName(key)] = keys.count - 1
        } else if keys.count > Self.maxUnindexedCount {
            indexMembers()
        }
    }

    private mutating func remove(_ key: String) {
        guard let index = index(of: key) else { return }
        keys.remove(at: index)
        values.remove(at: index)
        positions = [:]
        if keys.count > Self.maxUnindexedCount { indexMembers() }
    }

    private mutating func indexMembers() {
        positions.reserveCapacity(keys.count * 2)
        for (index, key) in keys.enumerated() { positions[MemberName(key)] = index }
    }

    private func index(of key: String) -> Int? {
        if !positions.isEmpty { return positions[MemberName(key)] }
        return keys.firstIndex { $0.utf8.elementsEqual(key.utf8) }
    }
}

extension JSONObject: Hashable {
    package static func == (a: JSONObject, b: JSONObject) -> Bool {
        a.count == b.count && zip(a.keys, a.values).allSatisfy { key, value in b[key] == value }
    }

    package func hash(into hasher: inout Hasher) {
        // A sum, because the order of members makes no difference.
        var sum = 0
        for (key, value) in zip(keys, values) {
            var member = Hasher()
            member.combine(MemberName(key))
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(keys.count)
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

/// A name compared by its UTF-8: `String` takes composed and decomposed characters for equal.
struct MemberName: Hashable, Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (a: MemberName, b: MemberName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
