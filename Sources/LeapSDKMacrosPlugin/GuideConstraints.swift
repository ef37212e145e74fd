import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// The bounds written in one `@Guide`, read from their literals.
struct GuideConstraints {
    var minimum: String?
    var maximum: String?
    var minimumCount: String?
    var maximumCount: String?
    var values: [String]?
    var pattern: String?
    private var elements: [GuideConstraints] = []

    /// Bounds on the elements of an array.
    var element: GuideConstraints? { elements.first }

    init() {}

    /// Nil, with a diagnostic, if a bound is no literal or does not fit the type.
    init?(of guide: AttributeSyntax, type: TypeSchema, in context: some MacroExpansionContext) {
        guard let arguments = guide.arguments?.as(LabeledExprListSyntax.self) else { return }
        for argument in arguments.dropFirst() {
            guard add(argument.expression, type: type.unwrapped, in: context) else { return nil }
        }
    }

    private mutating func add(
        _ expression: ExprSyntax, type: TypeSchema, in context: some MacroExpansionContext
    ) -> Bool {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            let argument = call.arguments.first?.expression
        else {
            context.diagnose(.constraintIsNoCall, at: Syntax(expression))
            return false
        }
        let isUnderstood: Bool
        switch (name, type) {
        case ("range", .integer), ("range", .number), ("minimum", .integer), ("minimum", .number),
            ("maximum", .integer), ("maximum", .number):
            isUnderstood = addBounds(name, argument)
        case ("count", .array), ("minimumCount", .array), ("maximumCount", .array):
            isUnderstood = addCounts(name, argument)
        case ("element", .array(let element)):
            var inner = GuideConstraints()
            guard inner.add(argument, type: element.unwrapped, in: context) else { return false }
            elements = [inner]
            isUnderstood = true
        case ("anyOf", .string):
            values = argument.as(ArrayExprSyntax.self)?.elements.compactMap {
                $0.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            }
            let count = argument.as(ArrayExprSyntax.self)?.elements.count
            isUnderstood = count.map { $0 > 0 && $0 == values?.count } ?? false
        case ("constant", .string):
            values = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue.map { [$0] }
            isUnderstood = values != nil
        case ("pattern", .string):
            pattern = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            isUnderstood = pattern != nil
        default:
            context.diagnose(.constraintDoesNotFit(name), at: Syntax(expression))
            return false
        }
        if !isUnderstood { context.diagnose(.constraintIsNoLiteral(name), at: Syntax(argument)) }
        return isUnderstood
    }

    private mutating func addBounds(_ name: String, _ argument: ExprSyntax) -> Bool {
        switch name {
        case "minimum": minimum = argument.numberLiteral
        case "maximum": maximum = argument.numberLiteral
        default:
            guard let (lower, upper) = argument.rangeLiterals else { return false }
            if let lower { minimum = lower }
            if let upper { maximum = upper }
            return true
        }
        return (name == "minimum" ? minimum : maximum) != nil
    }

    private mutating func addCounts(_ name: String, _ argument: ExprSyntax) -> Bool {
        if let number = argument.numberLiteral, !number.hasPrefix("-") {
            if name != "maximumCount" { minimumCount = number }
            if name != "minimumCount" { maximumCount = number }
            return true
        }
        guard name == "count", let (lower, upper) = argument.rangeLiterals, let lower, let upper else { return false }
        (minimumCount, maximumCount) = (lower, upper)
        return true
    }
}

extension ExprSyntax {
    /// A number written as a literal, as JSON writes it.
    fileprivate var numberLiteral: String? {
        if let integer = self.as(IntegerLiteralExprSyntax.self) {
            return Self.decimal(integer: integer.literal.text)
        }
        if let float = self.as(FloatLiteralExprSyntax.self) {
            // Hexadecimal floats are Swift's own; JSON has decimal ones.
            return Double(float.literal.text.filter { $0 != "_" }).map { "\($0)" }
        }
        if let negative = self.as(PrefixOperatorExprSyntax.self), negative.operator.text == "-" {
            return negative.expression.numberLiteral.map { "-\($0)" }
        }
        return nil
    }

    /// A Swift integer literal in decimal, as JSON needs it.
    private static func decimal(integer text: String) -> String? {
        let digits = text.filter { $0 != "_" }.lowercased()
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            return UInt64(digits.dropFirst(2), radix: radix).map(String.init)
        }
        return UInt64(digits).map(String.init)
    }

    /// The bounds of `a...b`, `a...` or `...b`.
    fileprivate var rangeLiterals: (lower: String?, upper: String?)? {
        if let postfix = self.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            return postfix.expression.numberLiteral.map { ($0, nil) }
        }
        if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "..." {
            return prefix.expression.numberLiteral.map { (nil, $0) }
        }
        // Macros may see operators folded into a tree or as a flat sequence.
        let operands: [ExprSyntax]
        if let infix = self.as(InfixOperatorExprSyntax.self), infix.operator.trimmedDescription == "..." {
            operands = [infix.leftOperand, infix.rightOperand]
        } else if let sequence = self.as(SequenceExprSyntax.self) {
            let elements = Array(sequence.elements)
            guard elements.count == 3, elements[1].trimmedDescription == "..." else { return nil }
            operands = [elements[0], elements[2]]
        } else {
            return nil
        }
        guard let lower = operands[0].numberLiteral, let upper = operands[1].numberLiteral else { return nil }
        return (lower, upper)
    }
}
