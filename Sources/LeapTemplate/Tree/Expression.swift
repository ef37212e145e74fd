/// A node of a compiled expression.
///
/// Immutable once the template is compiled, so that threads can share it.
class Expression {
    /// The template line, 1-based.
    let line: Int
    /// The depth of the expression in nodes; evaluating recurses that far.
    let height: Int
    /// The number of nodes of the expression; evaluating takes that many steps at most, apart from what is called.
    let size: Int

    init(line: Int, over children: [Expression?]) {
        self.line = line
        var deepest = 0
        var nodes = 1
        for child in children {
            guard let child else { continue }
            deepest = max(deepest, child.height)
            nodes += child.size
        }
        height = 1 + deepest
        size = nodes
    }

    /// The direct parts, in the order of Jinja's node fields.
    var children: [Expression] { [] }

    func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value { .none }

    /// Evaluates and prints.
    func write(_ renderer: Renderer) throws(TemplateError) {
        try renderer.write(evaluate(renderer))
    }

    /// Evaluates to a truth value.
    func isTrue(_ renderer: Renderer) throws(TemplateError) -> Bool { try evaluate(renderer).isTrue }

    /// Calls `body` with each variable read, in order.
    func forEachName(_ body: (Text) -> Void) {
        for child in children { child.forEachName(body) }
    }

    /// Finds where variables live and whether filters and tests exist.
    func resolve(_ scope: CompileScope) throws(TemplateError) {
        for child in children { try child.resolve(scope) }
    }
}

/// A literal.
final class ConstantExpression: Expression {
    let value: Value

    init(_ value: Value, line: Int) {
        self.value = value
        super.init(line: line, over: [])
    }

    override func evaluate(_ renderer: Renderer) -> Value { value }
}

/// A variable.
final class NameExpression: Expression {
    let name: Text
    private let undefined: Value
    private var address = VariableAddress(depth: 0, slot: 0)

    init(_ name: Text, line: Int) {
        self.name = name
        undefined = .undefined(Undefined(.name(name)))
        super.init(line: line, over: [])
    }

    override func evaluate(_ renderer: Renderer) -> Value {
        let value = renderer.load(address)
        if case .missing = value { return undefined }
        return value
    }

    override func forEachName(_ body: (Text) -> Void) { body(name) }

    override func resolve(_ scope: CompileScope) { address = scope.address(of: name) }
}

/// `(a, b)`, with or without the parentheses.
final class TupleExpression: Expression {
    let items: [Expression]

    init(_ items: [Expression], line: Int) {
        self.items = items
        super.init(line: line, over: items)
    }

    override var children: [Expression] { items }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try renderer.charge(items: items.count + 4)
        return try .tuple(renderer.evaluateAll(items))
    }
}

/// `[a, b]`.
final class ListExpression: Expression {
    let items: [Expression]

    init(_ items: [Expression], line: Int) {
        self.items = items
        super.init(line: line, over: items)
    }

    override var children: [Expression] { items }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try renderer.charge(items: items.count + 4)
        return try .list(renderer.evaluateAll(items))
    }
}

/// `{a: b}`.
final class DictExpression: Expression {
    let pairs: [(key: Expression, value: Expression)]

    init(_ pairs: [(key: Expression, value: Expression)], line: Int) {
        self.pairs = pairs
        super.init(line: line, over: pairs.flatMap { [$0.key, $0.value] })
    }

    override var children: [Expression] { pairs.flatMap { [$0.key, $0.value] } }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        var builder = DictBuilder()
        try renderer.charge(parts: 1)
        builder.reserve(pairs.count)
        for pair in pairs {
            try builder.insert(pair.key.evaluate(renderer), pair.value.evaluate(renderer), renderer)
        }
        return .dict(try builder.build())
    }
}
