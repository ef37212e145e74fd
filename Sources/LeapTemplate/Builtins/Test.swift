/// Jinja's tests (`value is name`).
enum Test: String, Sendable, CaseIterable {
    case odd, even, divisibleby, defined, undefined, filter, test, none, boolean, `false`, `true`, integer, float
    case lower, upper, string, mapping, number, sequence, iterable, callable, sameas, escaped
    case contained = "in"
    case eqSign = "=="
    case eq, equalto
    case neSign = "!="
    case ne
    case gtSign = ">"
    case gt, greaterthan
    case geSign = ">="
    case ge
    case ltSign = "<"
    case lt, lessthan
    case leSign = "<="
    case le
}

enum Tests {
    static func apply(
        _ test: Test, to value: Value, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> Bool {
        func compare(_ order: Comparison.Operator) throws(TemplateError) -> Bool {
            try Comparison.compare(value, operand(test, arguments), order, renderer)
        }
        switch test {
        case .divisibleby, .sameas, .contained:
            let parameter: Text = test == .divisibleby ? "num" : test == .sameas ? "other" : "seq"
            let other = try arguments.bind(test.rawValue, [parameter], required: 1)[0] ?? .none
            switch test {
            case .divisibleby:
                return try Comparison.equal(
                    try Arithmetic.apply(.modulo, value, other, renderer), .int(0), renderer)
            case .sameas: return try isSame(value, other, renderer)
            default: return try Comparison.contains(other, value, renderer)
            }
        case .eq, .eqSign, .equalto: return try Comparison.equal(value, operand(test, arguments), renderer)
        case .ne, .neSign: return try !Comparison.equal(value, operand(test, arguments), renderer)
        case .gt, .gtSign, .greaterthan: return try compare(.greater)
        case .ge, .geSign: return try compare(.greaterOrEqual)
        case .lt, .ltSign, .lessthan: return try compare(.less)
        case .le, .leSign: return try compare(.lessOrEqual)
        default:
            guard arguments.isEmpty else { throw .type("test '\(test.rawValue)' takes no arguments") }
            return try plain(test, value, renderer)
        }
    }

    private static func operand(_ test: Test, _ arguments: Arguments) throws(TemplateError) -> Value {
        try arguments.positionalOnly(test.rawValue, 1...1)[0]
    }

    private static func plain(_ test: Test, _ value: Value, _ renderer: Renderer) throws(TemplateError) -> Bool {
        switch test {
        case .odd, .even:
            let remainder = try Arithmetic.apply(.modulo, value, .int(2), renderer)
            return try Comparison.equal(remainder, .int(test == .odd ? 1 : 0), renderer)
        case .defined: return !value.isUndefined
        case .undefined: return value.isUndefined
        case .filter, .test:
            try renderer.checkHashable(value)
            if let text = value.text { try renderer.touch(name: text) }
            guard let name = value.text?.string else { return false }
            return test == .filter ? Filter(rawValue: name) != nil : Test(rawValue: name) != nil
        case .none: return value.isNone
        case .boolean: return boolean(value) != nil
        case .false: return boolean(value) == false
        case .true: return boolean(value) == true
        case .integer: return value.bigInteger != nil && boolean(value) == nil
        case .float: if case .float = value { return true } else { return false }
        case .lower, .upper:
            let text = try Repr.str(value, renderer)
            try renderer.touch(text, times: TextCost.decode)
            return test == .lower ? text.isLowercase : text.isUppercase
        case .string: return value.text != nil
        case .mapping: if case .dict = value { return true } else { return false }
        case .number: return value.isNumber
        case .sequence: return isSequence(value)
        case .iterable: return value.isIterable
        case .callable: return isCallable(value)
        case .escaped: if case .markup = value { return true } else { return false }
        default: return false
        }
    }

    private static func boolean(_ value: Value) -> Bool? {
        if case .bool(let b) = value { return b }
        return nil
    }

    /// Returns whether a value has a length and items, which Jinja's `sequence` asks for; so dicts are sequences.
    private static func isSequence(_ value: Value) -> Bool {
        switch value {
        case .string, .markup, .list, .tuple, .dict, .undefined, .missing: true
        case .object(let object): object.length != nil && object.isSubscriptable
        case .none, .bool, .int, .big, .float: false
        }
    }

    private static func isCallable(_ value: Value) -> Bool {
        switch value {
        case .undefined, .missing: true
        case .object(let object): object.isCallable
        default: false
        }
    }

    /// Python's `is`.
    ///
    /// Strings and numbers are the same object where CPython shares them, which is close to where they are equal.
    private static func isSame(_ a: Value, _ b: Value, _ renderer: Renderer) throws(TemplateError) -> Bool {
        if let x = a.text, let y = b.text {
            try renderer.touch(bytes: min(x.bytes.count, y.bytes.count))
        }
        return switch (a, b) {
        case (.none, .none): true
        case (.bool(let x), .bool(let y)): x == y
        case (.int(let x), .int(let y)): x == y
        case (.string(let x), .string(let y)), (.markup(let x), .markup(let y)): x == y
        case (.list(let x), .list(let y)), (.tuple(let x), .tuple(let y)): x === y
        case (.dict(let x), .dict(let y)): x === y
        case (.object(let x), .object(let y)): x === y
        case (.undefined(let x), .undefined(let y)): x === y
        default: false
        }
    }
}
