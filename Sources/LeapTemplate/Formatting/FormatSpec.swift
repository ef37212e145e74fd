/// Python's format specification mini-language: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`.
struct FormatSpec {
    var fill: Text = " "
    var align: UInt8?
    var sign: UInt8 = 0x2D
    var alternate = false
    var width = 0
    var grouping: UInt8?
    var precision: Int?
    var type: UInt8?
    private var hasFill = false
    private var zeroPads = false
    private var normalizesZero = false

    private static let alignments = Array("<>=^".utf8)

    init(_ text: Text) throws(TemplateError) {
        let points = text.codePoints
        var i = 0
        func ascii(_ at: Int) -> UInt8? { at < points.count && points[at] < 0x80 ? UInt8(points[at]) : nil }
        if points.count > 1, let next = ascii(1), Self.alignments.contains(next) {
            fill = Text(codePoints: [points[0]])
            hasFill = true
            align = next
            i = 2
        } else if let first = ascii(0), Self.alignments.contains(first) {
            align = first
            i = 1
        }
        if let c = ascii(i), c == 0x2B || c == 0x2D || c == 0x20 {
            sign = c
            i += 1
        }
        if ascii(i) == 0x7A {
            normalizesZero = true
            i += 1
        }
        if ascii(i) == 0x23 {
            alternate = true
            i += 1
        }
        if ascii(i) == 0x30 {
            zeroPads = true
            if !hasFill { fill = "0" }
            i += 1
        }
        func number() throws(TemplateError) -> Int? {
            var value: Int?
            while let c = ascii(i), c >= 0x30, c <= 0x39 {
                value = (value ?? 0) * 10 + Int(c - 0x30)
                if value ?? 0 > 1 << 30 { throw .value("Too many decimal digits in format string") }
                i += 1
            }
            return value
        }
        width = try number() ?? 0
        while let c = ascii(i), c == 0x2C || c == 0x5F {
            if grouping != nil { throw .value("Cannot specify both ',' and '_'.") }
            grouping = c
            i += 1
        }
        if ascii(i) == 0x2E {
            i += 1
            guard let digits = try number() else { throw .value("Format specifier missing precision") }
            precision = digits
        }
        if i < points.count {
            guard i == points.count - 1, let c = ascii(i) else { throw .value("Invalid format specifier") }
            type = c
        }
    }

    /// `format(value, spec)`.
    static func format(_ value: Value, _ spec: Text, _ renderer: Renderer) throws(TemplateError) -> Text {
        if spec.isEmpty { return try Repr.str(value, renderer) }
        try renderer.touch(spec, times: TextCost.decode)
        switch value {
        case .string(let text), .markup(let text): return try FormatSpec(spec).format(text, renderer)
        case .int, .bool, .big, .float: return try FormatSpec(spec).format(number: value, renderer)
        default: throw .type("unsupported format string passed to \(value.typeName).__format__")
        }
    }

    private func unknownCode(_ typeName: String) -> TemplateError {
        .value("Unknown format code '\(Text([type ?? 0x3F]).string)' for object of type '\(typeName)'")
    }

    private func format(_ text: Text, _ renderer: Renderer) throws(TemplateError) -> Text {
        guard type == nil || type == 0x73 else { throw unknownCode("str") }
        if sign != 0x2D { throw .value("Sign not allowed in string format specifier") }
        if alternate { throw .value("Alternate form (#) not allowed in string format specifier") }
        if align == 0x3D { throw .value("'=' alignment not allowed in string format specifier") }
        if grouping != nil { throw .value("Cannot specify ',' with 's'.") }
        try renderer.touch(text, times: TextCost.search)
        var shown = text
        if let precision, precision < text.count {
            shown = text.slice(
                SliceBounds(start: 0, stop: precision, step: 1, length: text.count), codePoints: text.count)
        }
        return try aligned([], shown.bytes, defaultAlign: 0x3C, renderer)
    }

    private func format(number value: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
        let kind = type ?? 0
        if precision ?? 0 > 10_000 { throw .limit("a precision of \(precision ?? 0) digits is too large") }
        guard let integer = value.bigInteger, !Array("eEfFgG%".utf8).contains(kind) else {
            let number = try Arithmetic.double(value)
            guard type == nil || Array("eEfFgGn%".utf8).contains(kind) else { throw unknownCode("float") }
            try renderer.touch(floatDigits: precision ?? 0)
            return try format(number, renderer)
        }
        try renderer.touch(textOf: integer)
        if precision != nil { throw .value("Precision not allowed in integer format specifier") }
        var prefix: StaticString = ""
        var digits: [UInt8]
        var group = 3
        switch kind {
        case 0, 0x64, 0x6E: digits = integer.digits(radix: 10)
        case 0x62: (digits, prefix, group) = (integer.digits(radix: 2), "0b", 4)
        case 0x6F: (digits, prefix, group) = (integer.digits(radix: 8), "0o", 4)
        case 0x78: (digits, prefix, group) = (integer.digits(radix: 16), "0x", 4)
        case 0x58:
            (digits, prefix, group) = (integer.digits(radix: 16), "0X", 4)
            digits = digits.map { $0 >= 0x61 ? $0 - 0x20 : $0 }
        case 0x63:
            guard let point = integer.asInt, point >= 0, point < 0x110000 else {
                throw .value("%c arg not in range(0x110000)")
            }
            return try aligned([], Text(codePoints: [UInt32(point)]).bytes, defaultAlign: 0x3C, renderer)
        default: throw unknownCode("int")
        }
        if digits.count > TemplateLimits.maxIntegerDigits, group == 3 {
            throw .value("Exceeds the limit for integer string conversion")
        }
        if grouping == 0x2C, group == 4 { throw .value("Cannot specify ',' with '\(Text([kind]).string)'.") }
        var lead = signBytes(integer.isNegative)
        if alternate { lead.append(ascii: prefix) }
        return try grouped(lead, digits, [], group: group, renderer)
    }

    private func format(_ value: Double, _ renderer: Renderer) throws(TemplateError) -> Text {
        var upper = false
        var kind = type ?? 0
        if kind >= 0x41, kind <= 0x5A {
            upper = true
            kind |= 0x20
        }
        var shown = kind == 0x25 ? value * 100 : value
        if normalizesZero, shown == 0 { shown = 0 }
        var body = FloatText.special(shown.magnitude)
        if body == nil {
            switch kind {
            case 0x66, 0x25: body = FloatText.fixed(shown, decimals: precision ?? 6)
            case 0x65: body = Self.scientific(shown, decimals: precision ?? 6)
            case 0x67, 0x6E: body = Self.general(shown, precision: precision ?? 6, keepsZeros: alternate)
            default:
                if let precision {
                    body = Self.general(shown, precision: precision, keepsZeros: false, oneLessForPoint: true)
                } else {
                    body = FloatText.repr(shown.magnitude)
                }
            }
            if alternate, let digits = body, !digits.contains(0x2E) {
                let at = digits.firstIndex(of: 0x65) ?? digits.count
                body?.insert(0x2E, at: at)
            }
        }
        var digits = body ?? []
        if upper { digits = digits.map { $0 >= 0x61 ? $0 - 0x20 : $0 } }
        if kind == 0x25 { digits.append(0x25) }
        let isNegative = shown.sign == .minus && !shown.isNaN
        let whole = digits.prefix { $0 >= 0x30 && $0 <= 0x39 }
        return try grouped(signBytes(isNegative), Array(whole), Array(digits[whole.count...]), group: 3, renderer)
    }

    static func scientific(_ value: Double, decimals: Int) -> [UInt8] {
        let (digits, exponent) = FloatText.significant(value, count: decimals + 1)
        var out = [UInt8]()
        FloatText.appendScientific(digits, exponent, to: &out)
        return out
    }

    /// `%g` without sign; with `oneLessForPoint` as a float's own format with a precision, which always shows a
    /// decimal point.
    static func general(
        _ value: Double, precision: Int, keepsZeros: Bool, oneLessForPoint: Bool = false
    ) -> [UInt8] {
        let count = max(precision, 1)
        var (digits, exponent) = FloatText.significant(value, count: count)
        if !keepsZeros { while digits.count > 1, digits.last == 0x30 { digits.removeLast() } }
        var out = [UInt8]()
        if exponent < -4 || exponent >= (oneLessForPoint ? count - 1 : count) {
            FloatText.appendScientific(digits, exponent, to: &out)
        } else {
            FloatText.appendPositional(digits, exponent, to: &out)
            if oneLessForPoint, !out.contains(0x2E) { out.append(ascii: ".0") }
        }
        return out
    }

    private func signBytes(_ isNegative: Bool) -> [UInt8] {
        isNegative ? [0x2D] : sign == 0x2D ? [] : [sign]
    }

    /// Inserts separators into the whole digits, zero padding included, then aligns.
    private func grouped(
        _ lead: [UInt8], _ whole: [UInt8], _ rest: [UInt8], group: Int, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        let padsBetween = align == 0x3D || align == nil && zeroPads
        guard let grouping, !whole.isEmpty else {
            return try aligned(lead, whole + rest, defaultAlign: padsBetween ? 0x3D : 0x3E, renderer)
        }
        var digits = whole
        if padsBetween, fill == "0" {
            try renderer.charge(bytes: width)
            // n digits have a separator before each group but the first.
            var count = digits.count
            while lead.count + count + (count - 1) / group + rest.count < width { count += 1 }
            digits = [UInt8](repeating: 0x30, count: count - digits.count) + digits
        }
        var out = [UInt8]()
        for (i, digit) in digits.enumerated() {
            if i > 0, (digits.count - i) % group == 0 { out.append(grouping) }
            out.append(digit)
        }
        return try aligned(lead, out + rest, defaultAlign: padsBetween ? 0x3D : 0x3E, renderer)
    }

    private func aligned(
        _ lead: [UInt8], _ body: [UInt8], defaultAlign: UInt8, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        let length = lead.count + body.codePointCount(in: 0..<body.count)
        let missing = max(0, width - length)
        try renderer.charge(bytes: body.count, adding: fill.bytes.count, times: missing)
        func padding(_ count: Int) -> [UInt8] {
            var out = [UInt8]()
            for _ in 0..<count { out += fill.bytes }
            return out
        }
        switch align ?? defaultAlign {
        case 0x3C: return Text(lead + body + padding(missing))
        case 0x3D: return Text(lead + padding(missing) + body)
        case 0x5E: return Text(padding(missing / 2) + lead + body + padding(missing - missing / 2))
        default: return Text(padding(missing) + lead + body)
        }
    }
}
