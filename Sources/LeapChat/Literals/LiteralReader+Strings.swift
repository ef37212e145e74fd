import LeapBase

extension LiteralReader {
    /// True if a string with a prefix such as `r` or `f` comes next.
    var startsPrefixedString: Bool {
        stringPrefix != nil
    }

    /// The length of a string's prefix and whether it is a raw string; nil where no string begins.
    private var stringPrefix: (length: Int, isRaw: Bool)? {
        var length = 0
        var isRaw = false
        while length < 3, position + length < bytes.count {
            switch bytes[position + length] {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): return (length, isRaw)
            case UInt8(ascii: "r"), UInt8(ascii: "R"): isRaw = true
            case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "f"),
                UInt8(ascii: "F"):
                break
            default: return nil
            }
            length += 1
        }
        return nil
    }

    /// Reads a string and those that follow it with nothing but space between.
    mutating func strings() throws(FunctionCallSyntaxError) -> String {
        var decoded: [UInt8] = []
        while let prefix = stringPrefix {
            position += prefix.length
            try string(isRaw: prefix.isRaw, into: &decoded)
            let end = position
            skipSpace()
            if stringPrefix == nil { position = end }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private mutating func string(isRaw: Bool, into decoded: inout [UInt8]) throws(FunctionCallSyntaxError) {
        let quote = bytes[position]
        let isTripled = bytes[position...].prefix(3).elementsEqual([quote, quote, quote])
        position += isTripled ? 3 : 1
        while let byte = current {
            if byte == quote {
                if !isTripled {
                    position += 1
                    return
                }
                if bytes[position...].prefix(3).elementsEqual([quote, quote, quote]) {
                    position += 3
                    return
                }
                // The end of the text may hold the first of three.
            }
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                decoded.append(byte)
                continue
            }
            if isRaw {
                decoded.append(byte)
                if let next = current {
                    decoded.append(next)
                    position += 1
                }
            } else {
                try escape(into: &decoded)
            }
        }
        throw failure("the string does not end")
    }

    private mutating func escape(into decoded: inout [UInt8]) throws(FunctionCallSyntaxError) {
        guard let byte = current else { throw failure("the string does not end") }
        position += 1
        switch byte {
        case 0x0A: break
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "a"): decoded.append(0x07)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "v"): decoded.append(0x0B)
        case UInt8(ascii: "x"): append(try code(digits: 2), to: &decoded)
        case UInt8(ascii: "u"): append(try unit(), to: &decoded)
        case UInt8(ascii: "U"): append(try code(digits: 8), to: &decoded)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = UInt32(byte - UInt8(ascii: "0"))
            for _ in 0..<2 {
                guard let next = current, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(next) else { break }
                value = value << 3 | UInt32(next - UInt8(ascii: "0"))
                position += 1
            }
            append(value, to: &decoded)
        default:
            // Python keeps the backslash of an escape that it does not know.
            decoded.append(UInt8(ascii: "\\"))
            decoded.append(byte)
        }
    }

    /// Reads `\uXXXX`, and the second half of a pair, as JSON writes characters beyond the first plane.
    private mutating func unit() throws(FunctionCallSyntaxError) -> UInt32 {
        let high = try code(digits: 4)
        guard (0xD800..<0xDC00).contains(high), bytes[position...].starts(with: Array("\\u".utf8)) else { return high }
        let mark = position
        position += 2
        let low = try code(digits: 4)
        if (0xDC00..<0xE000).contains(low) { return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00) }
        position = mark
        return high
    }

    private mutating func code(digits: Int) throws(FunctionCallSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = current else { throw failure("the string does not end") }
            guard let digit = HexDigit.value(byte) else {
                throw failure("expected \(digits) hexadecimal digits")
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    /// A number that is no character becomes U+FFFD.
    private func append(_ code: UInt32, to decoded: inout [UInt8]) {
        decoded.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    }
}
