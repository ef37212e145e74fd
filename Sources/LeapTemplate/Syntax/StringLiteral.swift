import LeapBase

/// The escapes of string literals, as Python's `unicode-escape` codec reads them.
enum StringLiteral {
    static func unescape(_ source: [UInt8]) throws(TemplateError) -> Text {
        let bytes = Lexer.normalizeNewlines(source)
        guard bytes.contains(0x5C) else { return Text(bytes) }
        var out = [UInt8]()
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            guard bytes[i] == 0x5C else {
                out.append(bytes[i])
                i += 1
                continue
            }
            guard i + 1 < bytes.count else { throw TemplateError(.syntax, "\\ at end of string") }
            let c = bytes[i + 1]
            i += 2
            switch c {
            case 0x0A: break
            case 0x5C, 0x27, 0x22: out.append(c)
            case 0x61: out.append(7)
            case 0x62: out.append(8)
            case 0x66: out.append(12)
            case 0x6E: out.append(10)
            case 0x72: out.append(13)
            case 0x74: out.append(9)
            case 0x76: out.append(11)
            case 0x30...0x37:
                var value = UInt32(c - 0x30)
                var digits = 1
                while digits < 3, i < bytes.count, bytes[i] >= 0x30, bytes[i] <= 0x37 {
                    value = value * 8 + UInt32(bytes[i] - 0x30)
                    i += 1
                    digits += 1
                }
                out.append(codePoint: value)
            case 0x78: out.append(codePoint: try hex(bytes, &i, 2, "truncated \\xXX escape"))
            case 0x75: out.append(codePoint: try hex(bytes, &i, 4, "truncated \\uXXXX escape"))
            case 0x55:
                let value = try hex(bytes, &i, 8, "truncated \\UXXXXXXXX escape")
                guard value < 0x110000 else { throw TemplateError(.syntax, "illegal Unicode character") }
                out.append(codePoint: value)
            case 0x4E: out.append(codePoint: try named(bytes, &i))
            case 0x80...:
                // Jinja first turns what is not ASCII into escapes, so that the backslash escapes the escape.
                i -= 1
                let point = bytes.codePoint(at: &i)
                out.append(ascii: point < 0x100 ? "\\x" : point < 0x10000 ? "\\u" : "\\U")
                out.append(hex: point, digits: point < 0x100 ? 2 : point < 0x10000 ? 4 : 8)
            default:
                // Not an escape: the backslash stays.
                out.append(0x5C)
                i -= 1
            }
        }
        return Text(out)
    }

    private static func hex(
        _ bytes: [UInt8], _ i: inout Int, _ count: Int, _ message: String
    ) throws(TemplateError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard i < bytes.count, let digit = HexDigit.value(bytes[i]) else { throw TemplateError(.syntax, message) }
            value = value << 4 | digit
            i += 1
        }
        return value
    }

    /// `\N{NAME}`.
    private static func named(_ bytes: [UInt8], _ i: inout Int) throws(TemplateError) -> UInt32 {
        guard i < bytes.count, bytes[i] == 0x7B, let end = bytes[i...].firstIndex(of: 0x7D), end > i + 1 else {
            throw TemplateError(.syntax, "malformed \\N character escape")
        }
        let name = String(decoding: bytes[(i + 1)..<end], as: UTF8.self).uppercased()
        i = end + 1
        for c in UInt32(0)..<0x110000 {
            guard let properties = Unicode.Scalar(c)?.properties else { continue }
            if properties.name == name || properties.nameAlias == name { return c }
        }
        throw TemplateError(.syntax, "unknown Unicode character name")
    }
}
