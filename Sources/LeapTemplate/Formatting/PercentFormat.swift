/// Python's `format % values`.
struct PercentFormat {
    private let values: Value
    private let renderer: Renderer
    private let escaping: Bool
    private var position = 0
    private var usedMapping = false

    /// - Parameter escaping: whether the format is markup, so that inserted text is escaped.
    static func apply(
        _ format: Text, _ values: Value, escaping: Bool, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        var state = PercentFormat(values: values, renderer: renderer, escaping: escaping)
        let out = try state.run(format)
        try renderer.charge(bytes: out.count)
        return Text(out)
    }

    private init(values: Value, renderer: Renderer, escaping: Bool) {
        self.values = values
        self.renderer = renderer
        self.escaping = escaping
    }

    private mutating func run(_ format: Text) throws(TemplateError) -> [UInt8] {
        try renderer.touch(format, times: TextCost.search)
        let source = format.bytes
        var out = [UInt8]()
        var i = 0
        while i < source.count {
            if source[i] != 0x25 {
                out.append(source[i])
                i += 1
                continue
            }
            i += 1
            try directive(source, &i, &out)
            try renderer.checkSize(out.count)
        }
        if !usedMapping, !isConsumed { throw .type("not all arguments converted during string formatting") }
        return out
    }

    /// True if no argument is left over.
    ///
    /// Anything with items, other than a tuple or a string, counts as a mapping and may be left alone.
    private var isConsumed: Bool {
        switch values {
        case .tuple(let box): position >= box.items.count
        case .dict, .list: true
        case .object(let object): object.isSubscriptable || position > 0
        default: position > 0
        }
    }

    private mutating func nextArgument() throws(TemplateError) -> Value {
        defer { position += 1 }
        if case .tuple(let box) = values {
            guard position < box.items.count else { throw .type("not enough arguments for format string") }
            return box.items[position]
        }
        guard position == 0 else { throw .type("not enough arguments for format string") }
        return values
    }

    private struct Directive {
        var left = false
        var plus = false
        var space = false
        var alternate = false
        var zero = false
        var width = 0
        var precision: Int?
    }

    private mutating func directive(_ source: [UInt8], _ i: inout Int, _ out: inout [UInt8]) throws(TemplateError) {
        try renderer.step(4)
        if i < source.count, source[i] == 0x25 {
            out.append(0x25)
            i += 1
            return
        }
        var directive = Directive()
        var keyed: Value?
        if i < source.count, source[i] == 0x28 {
            keyed = try mappedValue(source, &i)
        }
        flags: while i < source.count {
            switch source[i] {
            case 0x2D: directive.left = true
            case 0x2B: directive.plus = true
            case 0x20: directive.space = true
            case 0x23: directive.alternate = true
            case 0x30: directive.zero = true
            default: break flags
            }
            i += 1
        }
        if let width = try number(source, &i) {
            directive.width = Int(width.magnitude)
            if width < 0 { directive.left = true }
        }
        if i < source.count, source[i] == 0x2E {
            i += 1
            directive.precision = max(0, try number(source, &i) ?? 0)
        }
        if i < source.count, source[i] == 0x68 || source[i] == 0x6C || source[i] == 0x4C { i += 1 }
        guard i < source.count else { throw .value("incomplete format") }
        let type = source[i]
        i += 1
        if directive.precision ?? 0 > 10_000 || directive.width > 1 << 30 {
            throw .limit("a format width or precision is too large")
        }
        let value = if let keyed { keyed } else { try nextArgument() }
        let (lead, body) = try convert(value, type, directive)
        let isNumber = Array("diouxXeEfFgG".utf8).contains(type)
        let missing = max(0, directive.width - lead.count - body.codePointCount(in: 0..<body.count))
        try renderer.charge(bytes: body.count, adding: 1, times: missing)
        if directive.left {
            out += lead + body + [UInt8](repeating: 0x20, count: missing)
        } else if directive.zero, isNumber {
            out += lead + [UInt8](repeating: 0x30, count: missing) + body
        } else {
            out += [UInt8](repeating: 0x20, count: missing) + lead + body
        }
    }

    private mutating func mappedValue(_ source: [UInt8], _ i: inout Int) throws(TemplateError) -> Value {
        var depth = 1
        let start = i + 1
        i = start
        while i < source.count {
            if source[i] == 0x28 { depth += 1 }
            if source[i] == 0x29 {
                depth -= 1
                if depth == 0 { break }
            }
            i += 1
        }
        guard i < source.count else { throw .value("incomplete format key") }
        guard case .dict(let box) = values else { throw .type("format requires a mapping") }
        let key = Text(source[start..<i])
        i += 1
        usedMapping = true
        try renderer.touch(key, times: TextCost.search)
        guard let value = box.value(for: key) else { throw .value("KeyError: \(Repr.string(key))") }
        return value
    }

    private mutating func number(_ source: [UInt8], _ i: inout Int) throws(TemplateError) -> Int? {
        if i < source.count, source[i] == 0x2A {
            i += 1
            guard let width = try nextArgument().index else { throw .type("* wants int") }
            return max(-(1 << 31), min(width, 1 << 31))
        }
        var value: Int?
        while i < source.count, source[i] >= 0x30, source[i] <= 0x39 {
            value = min((value ?? 0) * 10 + Int(source[i] - 0x30), 1 << 31)
            i += 1
        }
        return value
    }

    private func convert(
        _ value: Value, _ type: UInt8, _ directive: Directive
    ) throws(TemplateError) -> (lead: [UInt8], body: [UInt8]) {
        func sign(_ isNegative: Bool) -> [UInt8] {
            isNegative ? [0x2D] : directive.plus ? [0x2B] : directive.space ? [0x20] : []
        }
        switch type {
        case 0x73, 0x72, 0x61:  // s r a
            var text = try shown(value, type)
            try renderer.touch(text, times: TextCost.search)
            if let precision = directive.precision, precision < text.count {
                let length = text.count
                text = text.slice(
                    SliceBounds(start: 0, stop: precision, step: 1, length: length), codePoints: length)
            }
            return ([], text.bytes)
        case 0x64, 0x69, 0x75, 0x6F, 0x78, 0x58:  // d i u o x X
            let integer = try integer(value, type)
            try renderer.touch(textOf: integer)
            try renderer.touch(bytes: directive.precision ?? 0)
            let radix: UInt32 = type == 0x6F ? 8 : type | 0x20 == 0x78 ? 16 : 10
            var digits = integer.digits(radix: radix)
            if radix == 10, digits.count > TemplateLimits.maxIntegerDigits {
                throw .value("Exceeds the limit for integer string conversion")
            }
            if type == 0x58 { digits = digits.map { $0 >= 0x61 ? $0 - 0x20 : $0 } }
            if let precision = directive.precision, precision > digits.count {
                digits = [UInt8](repeating: 0x30, count: precision - digits.count) + digits
            }
            var lead = sign(integer.isNegative)
            if directive.alternate, radix != 10 { lead += [0x30, type] }
            return (lead, digits)
        case 0x65, 0x45, 0x66, 0x46, 0x67, 0x47:  // e E f F g G
            return try float(value, type, directive, sign)
        case 0x63:  // c
            if let text = value.text, text.count == 1 { return ([], text.bytes) }
            guard let point = value.smallInteger else { throw .type("%c requires int or char") }
            guard point >= 0, point < 0x110000 else { throw .value("%c arg not in range(0x110000)") }
            return ([], Text(codePoints: [UInt32(point)]).bytes)
        default:
            throw .value("unsupported format character '\(Text([type]).string)' (0x\(String(type, radix: 16)))")
        }
    }

    private func float(
        _ value: Value, _ type: UInt8, _ directive: Directive, _ sign: (Bool) -> [UInt8]
    ) throws(TemplateError) -> (lead: [UInt8], body: [UInt8]) {
        if case .undefined(let u) = value { throw u.error }
        let number = try Arithmetic.double(value)
        let precision = directive.precision ?? 6
        try renderer.touch(floatDigits: precision)
        var body: [UInt8]
        if let special = FloatText.special(number.magnitude) {
            body = special
        } else {
            switch type | 0x20 {
            case 0x66: body = FloatText.fixed(number, decimals: precision)
            case 0x65: body = FormatSpec.scientific(number, decimals: precision)
            default: body = FormatSpec.general(number, precision: precision, keepsZeros: directive.alternate)
            }
            if directive.alternate, !body.contains(0x2E) {
                body.insert(0x2E, at: body.firstIndex(of: 0x65) ?? body.count)
            }
        }
        if type < 0x61 { body = body.map { $0 >= 0x61 ? $0 - 0x20 : $0 } }
        return (sign(number.sign == .minus && !number.isNaN), body)
    }

    private func shown(_ value: Value, _ type: UInt8) throws(TemplateError) -> Text {
        if type == 0x73 {
            if escaping {
                if case .markup(let text) = value { return text }
                return try Repr.str(value, renderer).htmlEscaped
            }
            return try Repr.str(value, renderer)
        }
        let text = try Repr.repr(value, asciiOnly: type == 0x61, renderer)
        return escaping ? text.htmlEscaped : text
    }

    private func integer(_ value: Value, _ type: UInt8) throws(TemplateError) -> BigInt {
        if let integer = value.bigInteger { return integer }
        let name = Text([type]).string
        if type == 0x64 || type == 0x69 || type == 0x75 {
            guard case .float(let d) = value else {
                throw .type("%\(name) format: a real number is required, not \(value.typeName)")
            }
            guard d.isFinite else { throw .value("cannot convert float \(d.isNaN ? "NaN" : "infinity") to integer") }
            return BigInt(truncating: d)
        }
        throw .type("%\(name) format: an integer is required, not \(value.typeName)")
    }
}
