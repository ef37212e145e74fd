import Foundation
import LeapJSON

extension JSONValue {
    /// A value from Foundation's and Swift's own types.
    ///
    /// Numbers, booleans, strings, `nil`, `NSNull`, arrays and dictionaries with string keys (sorted, as a dictionary
    /// has no order) become what they are in JSON; a value of any other type becomes the string that describes it.
    package init(any value: Any?, depth: Int = 0) {
        guard depth < JSONParser.maximumDepth, let value, !(value is NSNull) else {
            self = .null
            return
        }
        switch value {
        case let value as JSONValue: self = value
        case let value as String: self = .string(value)
        case let value as [Any?]: self = .array(value.map { JSONValue(any: $0, depth: depth + 1) })
        case let value as [String: Any?]:
            self = .object(
                JSONObject(
                    value.sorted { $0.key < $1.key }.map { ($0.key, JSONValue(any: $0.value, depth: depth + 1)) }))
        default: self = JSONValue(number: value) ?? .string(String(describing: value))
        }
    }

    /// A boolean or a number; the exact type is looked at, because casts between them succeed where bridging exists.
    private init?(number value: Any) {
        if type(of: value) == Bool.self, let value = value as? Bool {
            self = .bool(value)
        } else if let value = value as? any BinaryInteger {
            self = .number(JSONNumber(value))
        } else if let value = value as? any BinaryFloatingPoint {
            self = .double(Double(value))
        } else if let value = value as? NSNumber {
            self.init(boxed: value)
        } else {
            return nil
        }
    }

    private init(boxed value: NSNumber) {
        if value.isBoolean {
            self = .bool(value.boolValue)
            return
        }
        switch UInt8(bitPattern: value.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(value.doubleValue)
        default: self = .integer(value.int64Value)
        }
    }

    /// The value as Foundation's JSON types: `String`, `Int`, `Double`, `Bool`, `[Any]`, `[String: Any]`, `NSNull`.
    package var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let value):
            if !value.isFloatSpelled, let integer = value.integer { integer } else { value.double }
        case .string(let value): value
        case .array(let values): values.map(\.foundationObject)
        case .object(let object):
            Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, $0.value.foundationObject) })
        }
    }
}
