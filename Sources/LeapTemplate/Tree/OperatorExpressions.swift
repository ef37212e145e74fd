/// `a - b`, `a * b` and the other arithmetic of two.
final class BinaryExpression: Expression {
    private let op: Arithmetic.Operator
    private let left: Expression
    private let right: Expression

    init(_ op: Arithmetic.Operator, _ left: Expression, _ right: Expression, line: Int) {
        self.op = op
        self.left = left
        self.right = right
        super.init(line: line, over: [left, right])
    }

    override var children: [Expression] { [left, right] }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try Arithmetic.apply(op, left.evaluate(renderer), right.evaluate(renderer), renderer)
    }
}

/// `a + b + c`, left to right.
///
/// One node for the whole chain, since templates build their text this way: strings are joined without the strings in
/// between.
final class SumExpression: Expression {
    let terms: [Expression]

    init(_ terms: [Expression], line: Int) {
        self.terms = terms
        super.init(line: line, over: terms)
    }

    override var children: [Expression] { terms }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        var total = try terms[0].evaluate(renderer)
        var i = 1
        if case .string(let first) = total {
            var joined = [UInt8]()
            joined.reserveCapacity(first.bytes.count + 32 * terms.count)
            joined += first.bytes
            while i < terms.count {
                let term = try terms[i].evaluate(renderer)
                i += 1
                guard case .string(let text) = term else {
                    total = try Arithmetic.apply(.add, .string(Text(joined)), term, renderer)
                    return try add(from: i, to: total, renderer)
                }
                try renderer.checkSize(joined.count + text.bytes.count)
                joined += text.bytes
            }
            try renderer.charge(bytes: joined.count)
            return .string(Text(joined))
        }
        return try add(from: i, to: total, renderer)
    }

    private func add(from start: Int, to value: Value, _ renderer: Renderer) throws(TemplateError) -> Value {
        var total = value
        for term in terms[start...] { total = try Arithmetic.apply(.add, total, term.evaluate(renderer), renderer) }
        return total
    }

    /// Prints the terms one after the other where they are strings, which must then all be.
    override func write(_ renderer: Renderer) throws(TemplateError) {
        let first = try terms[0].evaluate(renderer)
        guard case .string(let text) = first else { return try renderer.write(add(from: 1, to: first, renderer)) }
        let start = renderer.output.count
        try renderer.write(text)
        for i in 1..<terms.count {
            let term = try terms[i].evaluate(renderer)
            guard case .string(let text) = term else {
                let before = renderer.takeOutput(from: start)
                let total = try Arithmetic.apply(.add, .string(before), term, renderer)
                return try renderer.write(add(from: i + 1, to: total, renderer))
            }
            try renderer.write(text)
        }
    }
}

/// `a ~ b`.
final class ConcatExpression: Expression {
    private let parts: [Expression]

    init(_ parts: [Expression], line: Int) {
        self.parts = parts
        super.init(line: line, over: parts)
    }

    override var children: [Expression] { parts }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        var joined = [UInt8]()
        for part in parts { try Repr.append(str: part.evaluate(renderer), to: &joined, renderer) }
        try renderer.charge(bytes: joined.count)
        return .string(Text(joined))
    }
}

/// `-a` and `+a`.
final class SignExpression: Expression {
    private let isNegation: Bool
    private let operand: Expression

    init(negating isNegation: Bool, _ operand: Expression, line: Int) {
        self.isNegation = isNegation
        self.operand = operand
        super.init(line: line, over: [operand])
    }

    override var children: [Expression] { [operand] }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        let value = try operand.evaluate(renderer)
        if case .big(let box) = value { try renderer.touch(bytes: box.value.digits.count &* 16) }
        return try isNegation ? Arithmetic.negate(value) : Arithmetic.positive(value)
    }
}

/// `a and b`, `a or b`: one of the operands, as in Python.
final class LogicalExpression: Expression {
    private let isAnd: Bool
    private let left: Expression
    private let right: Expression

    init(and isAnd: Bool, _ left: Expression, _ right: Expression, line: Int) {
        self.isAnd = isAnd
        self.left = left
        self.right = right
        super.init(line: line, over: [left, right])
    }

    override var children: [Expression] { [left, right] }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        let value = try left.evaluate(renderer)
        return value.isTrue == isAnd ? try right.evaluate(renderer) : value
    }

    override func isTrue(_ renderer: Renderer) throws(TemplateError) -> Bool {
        let first = try left.isTrue(renderer)
        return first == isAnd ? try right.isTrue(renderer) : first
    }
}

/// `not a`.
final class NotExpression: Expression {
    private let operand: Expression

    init(_ operand: Expression, line: Int) {
        self.operand = operand
        super.init(line: line, over: [operand])
    }

    override var children: [Expression] { [operand] }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value { .bool(try isTrue(renderer)) }

    override func isTrue(_ renderer: Renderer) throws(TemplateError) -> Bool { try !operand.isTrue(renderer) }
}

/// `a < b <= c`, `a in b`, and the rest of the chain.
final class CompareExpression: Expression {
    enum Operator {
        case equal, notEqual, contained, notContained
        case ordered(Comparison.Operator)
    }

    private let first: Expression
    private let rest: [(op: Operator, operand: Expression)]

    init(_ first: Expression, _ rest: [(op: Operator, operand: Expression)], line: Int) {
        self.first = first
        self.rest = rest
        super.init(line: line, over: [first] + rest.map(\.operand))
    }

    override var children: [Expression] { [first] + rest.map(\.operand) }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value { .bool(try isTrue(renderer)) }

    override func isTrue(_ renderer: Renderer) throws(TemplateError) -> Bool {
        var left = try first.evaluate(renderer)
        for (op, operand) in rest {
            let right = try operand.evaluate(renderer)
            let holds =
                switch op {
                case .equal: try Comparison.equal(left, right, renderer)
                case .notEqual: try !Comparison.equal(left, right, renderer)
                case .contained: try Comparison.contains(right, left, renderer)
                case .notContained: try !Comparison.contains(right, left, renderer)
                case .ordered(let order): try Comparison.compare(left, right, order, renderer)
                }
            if !holds { return false }
            left = right
        }
        return true
    }
}

/// `a if test else b`; without `else`, undefined where the test fails.
final class ConditionalExpression: Expression {
    private let test: Expression
    private let then: Expression
    private let otherwise: Expression?

    init(test: Expression, then: Expression, otherwise: Expression?, line: Int) {
        self.test = test
        self.then = then
        self.otherwise = otherwise
        super.init(line: line, over: [test, then, otherwise])
    }

    override var children: [Expression] { [test, then] + (otherwise.map { [$0] } ?? []) }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        if try test.isTrue(renderer) { return try then.evaluate(renderer) }
        if let otherwise { return try otherwise.evaluate(renderer) }
        return .undefined(
            Undefined(
                .hint(
                    "the inline if-expression on line \(line) evaluated to false and no else section was defined.")))
    }

    override func write(_ renderer: Renderer) throws(TemplateError) {
        if try test.isTrue(renderer) {
            try then.write(renderer)
        } else {
            try otherwise?.write(renderer)
        }
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        for child in children { try child.resolve(scope.soft()) }
    }
}
