/// Writes JSON values as text.
package struct JSONWriter {
    /// Where spaces go.
    package enum Style: Sendable {
        /// No spaces: `{"a":1,"b":[2,3]}`.
        case compact
        /// Python's `json.dumps`: `{"a": 1, "b": [2, 3]}`, as models see JSON in training.
        case python
    }

    private var text: [UInt8] = []
    private let style: Style

    /// The text of a value; characters outside ASCII stay as they are.
    package static func string(_ value: JSONValue, style: Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        writer.write(value)
        return String(decoding: writer.text, as: UTF8.self)
    }

    /// A string in quotes with its escapes.
    package static func quoted(_ string: String) -> String {
        var writer = JSONWriter(style: .compact)
        writer.write(string)
        return String(decoding: writer.text, as: UTF8.self)
    }

    private init(style: Style) { self.style = style }

    private mutating func put(_ string: StaticString) {
        string.withUTF8Buffer { text.append(contentsOf: $0) }
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: put("null")
        case .bool(true): put("true")
        case .bool(false): put("false")
        case .integer(let value): text.append(contentsOf: String(value).utf8)
        case .number(let value): text.append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
        case .string(let value): write(value)
        case .array(let values):
            put("[")
            for (index, value) in values.enumerated() {
                if index > 0 { separator() }
                write(value)
            }
            put("]")
        case .object(let object):
            put("{")
            for (index, member) in object.members.enumerated() {
                if index > 0 { separator() }
                write(member.key)
                if style == .python { put(": ") } else { put(":") }
                write(member.value)
            }
            put("}")
        }
    }

    private mutating func separator() {
        if style == .python { put(", ") } else { put(",") }
    }

    private mutating func write(_ string: String) {
        put("\"")
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): put("\\\"")
            case UInt8(ascii: "\\"): put("\\\\")
            case 0x08: put("\\b")
            case 0x0C: put("\\f")
            case 0x0A: put("\\n")
            case 0x0D: put("\\r")
            case 0x09: put("\\t")
            case 0..<0x20:
                put("\\u00")
                let digits = Array("0123456789abcdef".utf8)
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            default: text.append(byte)
            }
        }
        put("\"")
    }
}
