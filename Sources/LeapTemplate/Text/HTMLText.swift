import LeapBase

/// MarkupSafe's `striptags` and Python's `html.unescape`.
enum HTMLText {
    /// Drops comments and tags, folds white space and resolves entities.
    static func stripTags(_ text: Text, _ renderer: Renderer) throws(TemplateError) -> Text {
        let bytes = text.bytes
        let all = 0..<bytes.count
        var kept = [UInt8]()
        var position = 0
        var from = 0
        while let start = bytes.firstOffset(of: [0x3C], in: from..<all.upperBound) {
            let isComment = bytes.matches(Array("<!--".utf8), at: start)
            let close =
                isComment
                ? bytes.firstOffset(of: Array("-->".utf8), in: min(start + 4, bytes.count)..<bytes.count).map { $0 + 3 }
                : bytes.firstOffset(of: [0x3E], in: start..<bytes.count).map { $0 + 1 }
            guard let close else { break }
            kept += bytes[position..<start]
            position = close
            from = close
        }
        kept += bytes[position...]
        var folded = [UInt8]()
        for (i, word) in try Text(kept).splitOnSpace(limit: -1, renderer).enumerated() {
            if i > 0 { folded.append(0x20) }
            folded += word.bytes
        }
        return unescape(Text(folded))
    }

    /// Numeric references and the named ones of HTML 4's Latin-1 set and XML; others stay as they are.
    static func unescape(_ text: Text) -> Text {
        let bytes = text.bytes
        guard bytes.contains(0x26) else { return text }
        var out = [UInt8]()
        var i = 0
        while i < bytes.count {
            if bytes[i] == 0x26, let (replacement, end) = reference(bytes, i + 1) {
                out += replacement
                i = end
            } else {
                out.append(bytes[i])
                i += 1
            }
        }
        return Text(out)
    }

    private static func reference(_ bytes: [UInt8], _ start: Int) -> ([UInt8], Int)? {
        guard start < bytes.count else { return nil }
        if bytes[start] == 0x23 { return numeric(bytes, start + 1) }
        var end = start
        while end < bytes.count, end - start < 8, isAlphanumeric(bytes[end]) { end += 1 }
        while end > start {
            let name = String(decoding: bytes[start..<end], as: UTF8.self)
            let hasSemicolon = end < bytes.count && bytes[end] == 0x3B
            if let point = points[name], hasSemicolon || name != "apos" {
                return (Text(codePoints: [point]).bytes, hasSemicolon ? end + 1 : end)
            }
            end -= 1
        }
        return nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39 || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
    }

    private static func numeric(_ bytes: [UInt8], _ start: Int) -> ([UInt8], Int)? {
        var i = start
        let isHex = i < bytes.count && bytes[i] | 0x20 == 0x78
        if isHex { i += 1 }
        var value: UInt32 = 0
        let first = i
        while i < bytes.count, let digit = HexDigit.value(bytes[i]), isHex || digit < 10 {
            value = min(value * (isHex ? 16 : 10) + digit, 0x0011_0000)
            i += 1
        }
        guard i > first else { return nil }
        if i < bytes.count, bytes[i] == 0x3B { i += 1 }
        switch value {
        case 0, 0xD800...0xDFFF, 0x110000...: return (Text(codePoints: [0xFFFD]).bytes, i)
        case 0x80...0x9F: return (Text(codePoints: [windows1252[Int(value - 0x80)]]).bytes, i)
        case 0x0D: return ([0x0D], i)
        case 1...8, 0x0B, 0x0E...0x1F, 0x7F, 0xFDD0...0xFDEF: return ([], i)
        default: return value & 0xFFFE == 0xFFFE ? ([], i) : (Text(codePoints: [value]).bytes, i)
        }
    }

    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private static let points: [String: UInt32] = {
        var points: [String: UInt32] = [
            "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "AMP": 0x26, "LT": 0x3C, "GT": 0x3E, "QUOT": 0x22,
            "apos": 0x27,
        ]
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 \
            acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde \
            Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute \
            Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde \
            auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
            ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        for (i, name) in latin.split(separator: " ").enumerated() { points[String(name)] = 0xA0 + UInt32(i) }
        return points
    }()
}
