/// A JSON value whose objects keep their order.
///
/// Tool definitions and arguments go into prompts, where order is part of what a model was trained on; Foundation's
/// dictionaries lose it.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or an integer beyond 64 bits.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in the order they were given; equality does not look at the order.
package struct JSONObject: Sendable {
    /// The names in order.
    package private(set) var keys: [String] = []
    private var values: [String: JSONValue] = [:]

    /// An object without members.
    package init() {}

    /// An object with these members; of two with one name the last value stays, in the first one's place.
    package init(_ members: [(String, JSONValue)]) {
        for (key, value) in members { self[key] = value }
    }

    /// The number of members.
    package var count: Int { keys.count }
    /// Whether there are no members.
    package var isEmpty: Bool { keys.isEmpty }

    /// The members in order.
    package var members: [(key: String, value: JSONValue)] {
        keys.map { (key: $0, value: values[$0] ?? .null) }
    }

    /// The value of a member; setting one that is not there puts it last, nil removes it.
    package subscript(key: String) -> JSONValue? {
        get { values[key] }
        set {
            if let newValue {
                if values.updateValue(newValue, forKey: key) == nil { keys.append(key) }
            } else if values.removeValue(forKey: key) != nil {
                keys.removeAll { $0 == key }
            }
        }
    }
}

extension JSONObject: Hashable {
    package static func == (a: JSONObject, b: JSONObject) -> Bool { a.values == b.values }
    package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONValue {
    /// The string, if it is one.
    package var string: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    /// The elements, if it is an array.
    package var array: [JSONValue]? {
        if case .array(let value) = self { return value }
        return nil
    }

    /// The members, if it is an object.
    package var object: JSONObject? {
        if case .object(let value) = self { return value }
        return nil
    }

    /// The truth value, if it is one.
    package var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The number as an integer, if it is a number without a fraction that fits.
    package var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, if it is one.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// What kind of value it is, in JSON's words, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
