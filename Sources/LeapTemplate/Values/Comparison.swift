/// Python's `==`, `<` and `in`.
enum Comparison {
    /// Accounts for every item and byte that is compared: lists can hold one another many times over.
    static func equal(_ a: Value, _ b: Value, _ renderer: Renderer) throws(TemplateError) -> Bool {
        switch (a, b) {
        case (.string(let x), .string(let y)), (.string(let x), .markup(let y)), (.markup(let x), .string(let y)),
            (.markup(let x), .markup(let y)):
            guard x.bytes.count == y.bytes.count else { return false }
            try renderer.touch(x, times: TextCost.copy)
            return x == y
        case (.none, .none): return true
        case (.undefined, .undefined), (.missing, .missing), (.undefined, .missing), (.missing, .undefined): return true
        case (.list(let x), .list(let y)), (.tuple(let x), .tuple(let y)):
            guard x.items.count == y.items.count else { return false }
            if x === y { return true }
            for i in x.items.indices {
                try renderer.step()
                guard try equal(x.items[i], y.items[i], renderer) else { return false }
            }
            return true
        case (.dict(let x), .dict(let y)):
            guard x.count == y.count else { return false }
            if x === y { return true }
            for i in 0..<x.count {
                try renderer.step()
                guard let j = try y.index(of: x.entries[i].key, renderer),
                    try equal(x.entries[i].value, y.entries[j].value, renderer)
                else { return false }
            }
            return true
        case (.object(let x), .object(let y)): return try x.isEqual(to: y, renderer)
        default:
            try touch(a, b, renderer)
            return numericOrder(a, b) == .some(0)
        }
    }

    /// Accounts for integers that do not fit a word.
    @inline(__always)
    private static func touch(_ a: Value, _ b: Value, _ renderer: Renderer) throws(TemplateError) {
        if case .big(let box) = a { try renderer.touch(bytes: box.value.digits.count &* 16) }
        if case .big(let box) = b { try renderer.touch(bytes: box.value.digits.count &* 16) }
    }

    /// The sign of `a` − `b` for two numbers; nil where one is not a number or is a NaN.
    static func numericOrder(_ a: Value, _ b: Value) -> Int? {
        if let x = a.smallInteger, let y = b.smallInteger { return x < y ? -1 : x > y ? 1 : 0 }
        if case .float(let x) = a {
            if case .float(let y) = b { return x < y ? -1 : x > y ? 1 : x == y ? 0 : nil }
            guard let y = b.bigInteger, let order = order(y, x) else { return nil }
            return -order
        }
        guard let x = a.bigInteger else { return nil }
        if case .float(let y) = b { return order(x, y) }
        guard let y = b.bigInteger else { return nil }
        return x < y ? -1 : x > y ? 1 : 0
    }

    /// An integer against a float, exactly.
    private static func order(_ x: BigInt, _ y: Double) -> Int? {
        if y.isNaN { return nil }
        if y.isInfinite { return y < 0 ? 1 : -1 }
        let whole = BigInt(truncating: y)
        if x < whole { return -1 }
        if whole < x { return 1 }
        let fraction = y - y.rounded(.towardZero)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }

    enum Operator: String, CaseIterable {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        func holds(_ order: Int) -> Bool {
            switch self {
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        }
    }

    static func compare(
        _ a: Value, _ b: Value, _ op: Operator, _ renderer: Renderer
    ) throws(TemplateError) -> Bool {
        try touch(a, b, renderer)
        if let order = numericOrder(a, b) { return op.holds(order) }
        if let x = a.text, let y = b.text {
            try renderer.touch(bytes: min(x.bytes.count, y.bytes.count) &* 2)
            return op.holds(x < y ? -1 : x == y ? 0 : 1)
        }
        switch (a, b) {
        case (.undefined(let u), _), (_, .undefined(let u)): throw u.error
        case (.list(let x), .list(let y)), (.tuple(let x), .tuple(let y)):
            for i in 0..<min(x.items.count, y.items.count) {
                try renderer.step()
                if try !equal(x.items[i], y.items[i], renderer) {
                    return try compare(x.items[i], y.items[i], op, renderer)
                }
            }
            return op.holds(x.items.count < y.items.count ? -1 : x.items.count == y.items.count ? 0 : 1)
        default:
            if a.isNumber, b.isNumber { return false }  // a NaN
            throw .type(
                "'\(op.rawValue)' not supported between instances of '\(a.typeName)' and '\(b.typeName)'")
        }
    }

    static func less(_ a: Value, _ b: Value, _ renderer: Renderer) throws(TemplateError) -> Bool {
        try compare(a, b, .less, renderer)
    }

    /// `needle in haystack`.
    static func contains(
        _ haystack: Value, _ needle: Value, _ renderer: Renderer
    ) throws(TemplateError) -> Bool {
        switch haystack {
        case .string(let text), .markup(let text):
            guard let part = needle.text else {
                throw .type("'in <string>' requires string as left operand, not \(needle.typeName)")
            }
            try renderer.touch(text, searchedFor: part)
            return text.contains(part)
        case .dict(let box): return try box.index(of: needle, renderer) != nil
        case .list(let box), .tuple(let box):
            for item in box.items {
                try renderer.step()
                if try equal(item, needle, renderer) { return true }
            }
            return false
        case .undefined, .missing: return false
        case .object(let object):
            if let range = object as? RangeObject, let i = needle.smallInteger { return range.contains(i) }
            guard let iterator = object.iterator() else { fallthrough }
            while let item = try iterator.next(renderer) {
                try renderer.step()
                if try equal(item, needle, renderer) { return true }
            }
            return false
        default:
            throw .type("argument of type '\(haystack.typeName)' is not iterable")
        }
    }

    /// Python's `sorted`: stable, by `<` on the keys.
    static func sorted(
        _ items: [Value], keys: [Value], reverse: Bool, _ renderer: Renderer,
        by less: (Value, Value, Renderer) throws(TemplateError) -> Bool = Comparison.less
    ) throws(TemplateError) -> [Value] {
        try renderer.step(items.count)
        // Reversing keeps equal items in order, as Python does by reversing before and after.
        var order = Array(reverse ? Array(items.indices.reversed()) : Array(items.indices))
        var buffer = order
        var width = 1
        while width < order.count {
            try renderer.step(order.count)
            var start = 0
            while start < order.count {
                let middle = min(start + width, order.count)
                let end = min(start + 2 * width, order.count)
                var i = start
                var j = middle
                var out = start
                while i < middle || j < end {
                    let takesRight: Bool
                    if i == middle {
                        takesRight = true
                    } else if j == end {
                        takesRight = false
                    } else {
                        takesRight = try less(keys[order[j]], keys[order[i]], renderer)
                    }
                    buffer[out] = takesRight ? order[j] : order[i]
                    if takesRight { j += 1 } else { i += 1 }
                    out += 1
                }
                start = end
            }
            swap(&order, &buffer)
            width *= 2
        }
        if reverse { order.reverse() }
        return order.map { items[$0] }
    }
}

extension Value {
    /// An `int` or `bool` that fits a word.
    var smallInteger: Int? {
        switch self {
        case .int(let i): i
        case .bool(let b): b ? 1 : 0
        default: nil
        }
    }

    /// An `int` or `bool` of any size.
    var bigInteger: BigInt? {
        switch self {
        case .int(let i): BigInt(i)
        case .bool(let b): BigInt(b ? 1 : 0)
        case .big(let b): b.value
        default: nil
        }
    }

    var isNumber: Bool {
        switch self {
        case .int, .bool, .big, .float: true
        default: false
        }
    }
}
