/// Python's binary and unary operators.
enum Arithmetic {
    enum Operator: String, CaseIterable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case floorDivide = "//"
        case modulo = "%"
        case power = "**"
    }

    static func apply(
        _ op: Operator, _ a: Value, _ b: Value, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        if case .int(let x) = a, case .int(let y) = b, let small = small(op, x, y) { return small }
        if a.isNumber, b.isNumber { return try numeric(op, a, b, renderer) }
        switch (op, a, b) {
        case (.modulo, .string(let format), _):
            return .string(try PercentFormat.apply(format, b, escaping: false, renderer))
        case (.modulo, .markup(let format), _):
            return .markup(try PercentFormat.apply(format, b, escaping: true, renderer))
        case (_, .undefined(let u), _), (_, _, .undefined(let u)): throw u.error
        case (.add, _, _): return try concatenate(a, b, renderer)
        case (.multiply, _, _):
            if let count = b.index { return try repeated(a, count, renderer, other: b) }
            if let count = a.index { return try repeated(b, count, renderer, other: a) }
            if isRepeatable(a) { throw .type("can't multiply sequence by non-int of type '\(b.typeName)'") }
            if isRepeatable(b) { throw .type("can't multiply sequence by non-int of type '\(a.typeName)'") }
        default: break
        }
        throw unsupported(op, a, b)
    }

    private static func unsupported(_ op: Operator, _ a: Value, _ b: Value) -> TemplateError {
        let name = op == .power ? "** or pow()" : op.rawValue
        return .type("unsupported operand type(s) for \(name): '\(a.typeName)' and '\(b.typeName)'")
    }

    // MARK: Sequences

    private static func concatenate(
        _ a: Value, _ b: Value, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        switch (a, b) {
        case (.string(let x), .string(let y)):
            try renderer.charge(bytes: x.bytes.count + y.bytes.count)
            return .string(x + y)
        case (.markup(let x), _):
            guard let y = b.text else { throw unsupported(.add, a, b) }
            if case .markup = b {
                try renderer.charge(bytes: x.bytes.count + y.bytes.count)
                return .markup(x + y)
            }
            try renderer.touch(y, times: TextCost.search)
            try renderer.charge(bytes: x.bytes.count + y.bytes.count)
            return .markup(x + y.htmlEscaped)
        case (.string(let x), .markup(let y)):
            try renderer.touch(x, times: TextCost.search)
            try renderer.charge(bytes: x.bytes.count + y.bytes.count)
            return .markup(x.htmlEscaped + y)
        case (.list(let x), .list(let y)):
            try renderer.charge(items: x.items.count + y.items.count)
            return try .list(x.items + y.items)
        case (.tuple(let x), .tuple(let y)):
            try renderer.charge(items: x.items.count + y.items.count)
            return try .tuple(x.items + y.items)
        case (.string, _): throw .type("can only concatenate str (not \"\(b.typeName)\") to str")
        case (.list, _): throw .type("can only concatenate list (not \"\(b.typeName)\") to list")
        case (.tuple, _): throw .type("can only concatenate tuple (not \"\(b.typeName)\") to tuple")
        default: throw unsupported(.add, a, b)
        }
    }

    private static func isRepeatable(_ value: Value) -> Bool {
        switch value {
        case .string, .markup, .list, .tuple: true
        default: false
        }
    }

    private static func repeated(
        _ value: Value, _ count: Int, _ renderer: Renderer, other: Value
    ) throws(TemplateError) -> Value {
        let count = max(0, count)
        func checked(_ size: Int) throws(TemplateError) -> Int {
            let (total, overflow) = size.multipliedReportingOverflow(by: count)
            if overflow { throw .limit("repeating \(size) items \(count) times takes too much memory") }
            return total
        }
        switch value {
        case .string(let text), .markup(let text):
            try renderer.charge(bytes: checked(text.bytes.count))
            var out = [UInt8]()
            out.reserveCapacity(text.bytes.count * count)
            if !text.isEmpty { for _ in 0..<count { out += text.bytes } }
            if case .markup = value { return .markup(Text(out)) }
            return .string(Text(out))
        case .list(let box), .tuple(let box):
            try renderer.charge(items: checked(box.items.count))
            var out = [Value]()
            if !box.items.isEmpty { for _ in 0..<count { out += box.items } }
            if case .tuple = value { return try .tuple(out) }
            return try .list(out)
        default: throw unsupported(.multiply, value, other)
        }
    }

    // MARK: Numbers

    /// The common cases on word-sized integers; nil where the general path must decide.
    @inline(__always)
    private static func small(_ op: Operator, _ x: Int, _ y: Int) -> Value? {
        switch op {
        case .add:
            let (sum, overflow) = x.addingReportingOverflow(y)
            return overflow ? nil : .int(sum)
        case .subtract:
            let (difference, overflow) = x.subtractingReportingOverflow(y)
            return overflow ? nil : .int(difference)
        case .multiply:
            let (product, overflow) = x.multipliedReportingOverflow(by: y)
            return overflow ? nil : .int(product)
        case .floorDivide, .modulo:
            guard y != 0, y != -1 else { return nil }
            let remainder = x % y
            let adjusts = remainder != 0 && (remainder < 0) != (y < 0)
            if op == .modulo { return .int(adjusts ? remainder + y : remainder) }
            return .int(adjusts ? x / y - 1 : x / y)
        case .divide, .power: return nil
        }
    }

    private static func numeric(
        _ op: Operator, _ a: Value, _ b: Value, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        guard let x = a.bigInteger, let y = b.bigInteger else {
            if case .big(let box) = a { try renderer.touch(bytes: box.value.digits.count &* 16) }
            if case .big(let box) = b { try renderer.touch(bytes: box.value.digits.count &* 16) }
            return .float(try floating(op, double(a), double(b)))
        }
        // Schoolbook arithmetic takes the product of the lengths.
        try renderer.touch(digits: x.digits.count + 1, by: y.digits.count + 1)
        switch op {
        case .add: return Value(try renderer.checked(x + y))
        case .subtract: return Value(try renderer.checked(x - y))
        case .multiply:
            try renderer.checkBits(x.bitWidth + y.bitWidth)
            return Value(x * y)
        case .divide:
            if y.isZero { throw .value("division by zero") }
            return .float(try trueQuotient(x, y))
        case .floorDivide, .modulo:
            if y.isZero { throw .value("integer division or modulo by zero") }
            let (quotient, remainder) = x.floorDivided(by: y)
            return Value(op == .modulo ? remainder : quotient)
        case .power:
            if y.isNegative {
                if x.isZero { throw .value("0.0 cannot be raised to a negative power") }
                return .float(try floating(.power, double(a), double(b)))
            }
            guard let exponent = y.asInt else {
                if x.magnitude <= BigInt(1) {
                    return Value(x.isNegative && y.floorDivided(by: BigInt(2)).remainder.isZero ? x.negated : x)
                }
                throw .limit("the exponent \(Repr.message(b)) is too large")
            }
            if x.magnitude <= BigInt(1) { return Value(x.power(exponent > 1 ? 2 + exponent % 2 : exponent)) }
            let (bits, overflow) = (x.bitWidth - 1).multipliedReportingOverflow(by: exponent)
            try renderer.checkBits(overflow ? Int.max : bits)
            try renderer.touch(digits: bits / 32 + 1, by: bits / 32 + 1)
            return Value(x.power(exponent))
        }
    }

    /// The nearest double of a numeric value; Python raises where it is out of range.
    static func double(_ value: Value) throws(TemplateError) -> Double {
        switch value {
        case .float(let d): return d
        case .int(let i): return Double(i)
        case .bool(let b): return b ? 1 : 0
        case .big(let box):
            let d = box.value.asDouble
            if d.isInfinite { throw .value("int too large to convert to float") }
            return d
        default: throw .type("must be real number, not \(value.typeName)")
        }
    }

    /// `x / y` of integers, correctly rounded.
    private static func trueQuotient(_ x: BigInt, _ y: BigInt) throws(TemplateError) -> Double {
        let limit = BigInt(1 << 53)
        if x.magnitude <= limit, y.magnitude <= limit { return x.asDouble / y.asDouble }
        // Scale so that the integer quotient has 66 bits or more; its lowest bit carries what was cut off.
        let shift = max(0, 66 - (x.bitWidth - y.bitWidth))
        let (quotient, remainder) = x.magnitude.shifted(left: shift).floorDivided(by: y.magnitude)
        var q = quotient
        if !remainder.isZero, let low = q.digits.first, low & 1 == 0 { q = q + BigInt(1) }
        let value = Double(sign: .plus, exponent: -shift, significand: 1) * q.asDouble
        if value.isInfinite { throw .value("integer division result too large for a float") }
        return x.isNegative != y.isNegative ? -value : value
    }

    private static func floating(_ op: Operator, _ x: Double, _ y: Double) throws(TemplateError) -> Double {
        switch op {
        case .add: return x + y
        case .subtract: return x - y
        case .multiply: return x * y
        case .divide:
            if y == 0 { throw .value("float division by zero") }
            return x / y
        case .modulo, .floorDivide:
            if y == 0 { throw .value(op == .modulo ? "float modulo" : "float floor division by zero") }
            return FloatMath.divmod(x, y, quotient: op == .floorDivide)
        case .power: return try FloatMath.power(x, y)
        }
    }

    static func negate(_ value: Value) throws(TemplateError) -> Value {
        switch value {
        case .int(let i) where i != Int.min: return .int(-i)
        case .float(let d): return .float(-d)
        case .undefined(let u): throw u.error
        default:
            guard let big = value.bigInteger else { throw .type("bad operand type for unary -: '\(value.typeName)'") }
            return Value(big.negated)
        }
    }

    static func positive(_ value: Value) throws(TemplateError) -> Value {
        switch value {
        case .int, .big, .float: return value
        case .bool(let b): return .int(b ? 1 : 0)
        case .undefined(let u): throw u.error
        default: throw .type("bad operand type for unary +: '\(value.typeName)'")
        }
    }
}
