/// A JSON value (RFC 8259) that keeps the order of members and the spelling of numbers.
///
/// Tool definitions, arguments and schemas go into prompts, where order and spelling are part of what a model was
/// trained on. Equality is that of JSON Schema: numbers by value, strings by their bytes, objects without order.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(MemberName(value))
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}

// MARK: Making

extension JSONValue {
    /// A whole number.
    package static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

    /// A number; null for infinities and NaN, which JSON has not.
    package static func double(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

// MARK: Looking inside

extension JSONValue {
    /// The string, if it is one.
    package var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, if it is an array.
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if it is an object.
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The truth value, if it is one.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if it is one.
    package var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

    /// The number as an integer, if it is a number without a fraction that fits.
    package var integer: Int? { number?.integer }

    /// The number as the nearest `Double`, if it is one.
    package var double: Double? { number?.double }

    /// The member of that name, if it is an object that has one.
    package subscript(key: String) -> JSONValue? { object?[key] }

    /// The number of values, those inside of others included, as the parser counts them.
    package var valueCount: Int {
        switch self {
        case .null, .bool, .number, .string: 1
        case .array(let values): values.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.values.reduce(1) { $0 + $1.valueCount }
        }
    }

    /// The kind of value, in JSON's words, for messages: "a string", "an object".
    package var kind: String {
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
