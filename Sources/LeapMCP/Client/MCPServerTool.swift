import LeapBase
package import LeapJSON

/// A tool as a server's list has it.
package struct MCPServerTool: Sendable, Hashable {
    package let name: String
    /// A description of the tool's purpose, for the model to read; cut where it is longer than may be.
    package let description: String
    /// A JSON Schema of the arguments.
    package let schema: JSONObject

    /// Reads an entry of a list.
    ///
    /// - Parameter notes: takes what was cut, and why a tool is left out.
    /// - Returns: nil for a tool that cannot be used.
    init?(_ value: JSONValue, limits: MCPLimits, notes: inout [String]) {
        guard let object = value.object, let name = object["name"]?.string else {
            notes.append("a tool without a name is left out")
            return nil
        }
        let shown = ShownText.of(name, limit: 60)
        guard Self.isSuitable(name) else {
            notes.append(
                "the tool '\(shown)' is left out: a name has 1 to 128 letters, digits, '_', '-', '.' and '/' of ASCII")
            return nil
        }
        guard let schema = object["inputSchema"]?.object else {
            notes.append("the tool \(shown) is left out: its inputSchema is not an object")
            return nil
        }
        let count = JSONWriter.bytes(.object(schema)).count
        guard count <= limits.maxSchemaBytes else {
            notes.append(
                "the tool \(shown) is left out: its inputSchema has \(count) bytes; the limit is \(limits.maxSchemaBytes)"
            )
            return nil
        }
        let text = object["description"]?.string ?? object["title"]?.string ?? ""
        let cut = BoundedText.cut(text, maxBytes: limits.maxDescriptionBytes)
        if cut.utf8.count < text.utf8.count {
            notes.append(
                "the description of the tool \(shown) has \(text.utf8.count) bytes: the first \(cut.utf8.count) are used"
            )
        }
        (self.name, description, self.schema) = (name, cut, schema)
    }

    /// Returns whether a name is one of those that the protocol has for tools.
    static func isSuitable(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_-./".utf8.contains(byte)
                }
            }
    }
}

/// Texts with a bounded number of bytes.
package enum BoundedText {
    /// The beginning of a text that has no more than so many bytes, whole characters of Unicode.
    package static func cut(_ text: String, maxBytes: Int) -> String {
        let kept = text.utf8.prefix(max(maxBytes, 0))
        return String(decoding: kept.dropLast(UTF8Bytes.incompleteTail(kept)), as: UTF8.self)
    }
}
