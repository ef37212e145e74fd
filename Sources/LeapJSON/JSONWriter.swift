import LeapBase

/// Writes JSON values as text.
package struct JSONWriter {
    /// The places of spaces, the order of members and the spelling of numbers.
    package struct Style: Sendable {
        /// The text between a name and its value.
        package var keySeparator = ":"
        /// The text between two elements on one line.
        package var itemSeparator = ","
        /// The spaces of one level, where every element has a line of its own; nil for one line.
        package var indent: Int?
        /// True if members are sorted by their names' UTF-8 instead of standing in their order.
        package var sortsMembers = false
        /// True if numbers are spelled as Python spells them instead of as they were written.
        package var normalizesNumbers = false

        /// No spaces: `{"a":1,"b":[2,3]}`.
        package static let compact = Style()
        /// Python's `json.dumps` with `ensure_ascii=False`: `{"a": 1, "b": [2, 3]}`, as models see JSON in training.
        package static let python = Style(keySeparator: ": ", itemSeparator: ", ", normalizesNumbers: true)
        /// A line for every element, members sorted: files that people read.
        package static let file = Style(keySeparator: ": ", indent: 2, sortsMembers: true)
        /// No spaces, members sorted: lines that programs compare.
        package static let sorted = Style(sortsMembers: true)
    }

    private var text: [UInt8] = []
    private let style: Style

    /// The text of a value; characters outside ASCII stay as they are.
    package static func string(_ value: JSONValue, style: Style = .compact) -> String {
        String(decoding: bytes(value, style: style), as: UTF8.self)
    }

    /// The UTF-8 of a value's text; characters outside ASCII stay as they are.
    package static func bytes(_ value: JSONValue, style: Style = .compact) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(value, level: 0)
        return writer.text
    }

    /// A string in quotes with its escapes.
    package static func quoted(_ string: String) -> String { Self.string(.string(string)) }

    private init(style: Style) { self.style = style }

    private mutating func put(_ string: String) { text.append(contentsOf: string.utf8) }

    private mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: put("null")
        case .bool(let value): put(value ? "true" : "false")
        case .number(let number):
            if style.normalizesNumbers { text += number.pythonSpelling } else { put(number.spelling) }
        case .string(let value): write(value)
        case .array(let values):
            list("[", "]", values, level: level) { writer, value in writer.write(value, level: level + 1) }
        case .object(let object):
            var members = object.members
            if style.sortsMembers { members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
            list("{", "}", members, level: level) { writer, member in
                writer.write(member.key)
                writer.put(writer.style.keySeparator)
                writer.write(member.value, level: level + 1)
            }
        }
    }

    private mutating func list<Element>(
        _ open: String, _ close: String, _ elements: [Element], level: Int,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        put(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { put(style.itemSeparator) }
            newLine(level + 1)
            write(&self, element)
        }
        if !elements.isEmpty { newLine(level) }
        put(close)
    }

    private mutating func newLine(_ level: Int) {
        guard let indent = style.indent else { return }
        text.append(0x0A)
        text.append(contentsOf: repeatElement(0x20, count: indent * level))
    }

    private mutating func write(_ string: String) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 { JSONEscape.append(byte, to: &text) }
        text.append(UInt8(ascii: "\""))
    }
}
