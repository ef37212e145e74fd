/// A parsed JSON document that keeps what schemas need: key order and exact numbers.
package indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(ExactDecimal, isFloatSpelled: Bool)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var number: ExactDecimal? { if case .number(let value, _) = self { value } else { nil } }

    /// "a string", "an object", …: for error messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// An object in document order.
///
/// Of repeated keys the last value counts, as in most parsers.
package struct JSONObject: Sendable {
    package private(set) var keys: [String] = []
    package private(set) var values: [JSONValue] = []
    private var positions: [String: Int] = [:]

    package init() {}

    package var count: Int { keys.count }
    package var isEmpty: Bool { keys.isEmpty }

    package subscript(key: String) -> JSONValue? {
        if positions.isEmpty {
            for index in keys.indices where keys[index].utf8.elementsEqual(key.utf8) { return values[index] }
            return nil
        }
        return positions[key].map { values[$0] }
    }

    package mutating func set(_ key: String, _ value: JSONValue) {
        if let index = index(of: key) {
            values[index] = value
            return
        }
        keys.append(key)
        values.append(value)
        if keys.count == 9 {
            for (index, key) in keys.enumerated() { positions[key] = index }
        } else if keys.count > 9 {
            positions[key] = keys.count - 1
        }
    }

    private func index(of key: String) -> Int? {
        if !positions.isEmpty {
            guard let found = positions[key], keys[found].utf8.elementsEqual(key.utf8) else { return nil }
            return found
        }
        return keys.firstIndex { $0.utf8.elementsEqual(key.utf8) }
    }
}

extension JSONValue: Equatable {
    /// JSON Schema equality: numbers by value, objects without order.
    package static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x, _), .number(let y, _)): x == y
        case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)):
            x.count == y.count && zip(x.keys, x.values).allSatisfy { key, value in y[key] == value }
        default: false
        }
    }
}
