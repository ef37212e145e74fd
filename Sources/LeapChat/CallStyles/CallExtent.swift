/// Finds the end of a call that has no end mark, byte by byte.
package protocol CallExtent: Sendable {
    /// Takes the next byte.
    mutating func consume(_ byte: UInt8) -> CallProgress
}

/// The state of a call after one more byte.
package enum CallProgress: Sendable {
    /// More is needed.
    case goesOn
    /// The call ends with this byte.
    case ends
    /// This is no call.
    case fails
}

/// One JSON object or list, as far as brackets and strings tell.
struct JSONExtent: CallExtent {
    private var depth = 0
    private var quote: UInt8?
    private var isEscaped = false

    mutating func consume(_ byte: UInt8) -> CallProgress {
        if let quote {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == quote {
                self.quote = nil
            }
            return .goesOn
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth <= 0 { return depth == 0 ? .ends : .fails }
        case _ where ASCIIByte.isSpace(byte): break
        case _ where depth == 0: return .fails
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        default: break
        }
        return .goesOn
    }
}

/// An object that begins as calls do: with `"name"`, or with `"type"` or `"function"`, which may come before it.
struct BareObjectExtent: CallExtent {
    private var json = JSONExtent()
    private var key: [UInt8]? = []
    private var position = 0
    private static let keys = ["name", "type", "function"].map { Array(("\"" + $0 + "\"").utf8) }

    mutating func consume(_ byte: UInt8) -> CallProgress {
        if var key, position > 0, !(key.isEmpty && ASCIIByte.isSpace(byte)) {
            key.append(byte)
            guard Self.keys.contains(where: { $0.starts(with: key) }) else { return .fails }
            self.key = Self.keys.contains(key) ? nil : key
        }
        if !ASCIIByte.isSpace(byte) { position += 1 }
        return json.consume(byte)
    }
}
