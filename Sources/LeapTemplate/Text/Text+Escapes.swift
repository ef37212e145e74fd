import LeapBase
import LeapJSON

extension [UInt8] {
    /// Appends Python's `repr` of a string: single quotes unless only those would need escaping.
    mutating func append(reprOf text: Text, asciiOnly: Bool = false) {
        let source = text.bytes
        let quote: UInt8 = source.contains(0x27) && !source.contains(0x22) ? 0x22 : 0x27
        append(quote)
        var i = 0
        while i < source.count {
            let start = i
            let c = source.codePoint(at: &i)
            switch c {
            case UInt32(quote), 0x5C:
                append(0x5C)
                append(UInt8(c))
            case 0x0A: append(ascii: "\\n")
            case 0x0D: append(ascii: "\\r")
            case 0x09: append(ascii: "\\t")
            default:
                if asciiOnly ? (c >= 0x20 && c < 0x7F) : CharacterClasses.isPrintable(c) {
                    append(contentsOf: source[start..<i])
                } else if c < 0x100 {
                    append(ascii: "\\x")
                    append(hex: c, digits: 2)
                } else if c < 0x10000 {
                    append(ascii: "\\u")
                    append(hex: c, digits: 4)
                } else {
                    append(ascii: "\\U")
                    append(hex: c, digits: 8)
                }
            }
        }
        append(quote)
    }

    /// Appends a JSON string literal as `json.dumps` writes it.
    mutating func append(jsonOf text: Text, asciiOnly: Bool) {
        let source = text.bytes
        append(0x22)
        var run = 0
        var i = 0
        while i < source.count {
            if JSONEscape.isPlain(source[i], escapesNonASCII: asciiOnly) {
                i += 1
                continue
            }
            append(contentsOf: source[run..<i])
            JSONEscape.append(source.codePoint(at: &i), to: &self, escapesNonASCII: asciiOnly)
            run = i
        }
        append(contentsOf: source[run...])
        append(0x22)
    }

    mutating func append(hex value: UInt32, digits: Int) {
        for place in (0..<digits).reversed() {
            append(HexDigit.ascii(value >> UInt32(place * 4)))
        }
    }

    /// Appends `text` with HTML's special characters as entities, as MarkupSafe writes them.
    mutating func append(htmlEscaped text: Text) {
        for byte in text.bytes {
            switch byte {
            case 0x26: append(ascii: "&amp;")
            case 0x3C: append(ascii: "&lt;")
            case 0x3E: append(ascii: "&gt;")
            case 0x27: append(ascii: "&#39;")
            case 0x22: append(ascii: "&#34;")
            default: append(byte)
            }
        }
    }
}

extension Text {
    var htmlEscaped: Text {
        var out = [UInt8]()
        out.reserveCapacity(bytes.count)
        out.append(htmlEscaped: self)
        return Text(out)
    }
}
