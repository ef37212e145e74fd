/// Template text and `{{ … }}` next to each other.
final class OutputStatement: Statement {
    enum Item {
        case text(Text)
        case expression(Expression)
    }

    let items: [Item]

    init(_ items: [Item], line: Int) {
        self.items = items
        // Texts are written, at a step for four, whatever the expressions between them are.
        super.init(line: line, expressions: Self.expressions(items), names: items.count)
    }

    private static func expressions(_ items: [Item]) -> [Expression] {
        items.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        for item in items {
            switch item {
            case .text(let text): try renderer.write(text)
            case .expression(let expression):
                do {
                    try expression.write(renderer)
                } catch {
                    throw error.at(line: expression.line)
                }
            }
        }
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) {
        for expression in Self.expressions(items) { visitor.visit(expression) }
    }

    override func forEachUse(_ body: (Text, NameUse) -> Void) {
        for expression in Self.expressions(items) { expression.forEachUse(body) }
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        for expression in Self.expressions(items) { try expression.resolve(scope) }
    }
}

/// `{% do … %}`: evaluates and prints nothing.
final class ExpressionStatement: Statement {
    private let expression: Expression

    init(_ expression: Expression, line: Int) {
        self.expression = expression
        super.init(line: line, expressions: [expression])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        _ = try expression.evaluate(renderer)
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) { visitor.visit(expression) }
    override func forEachUse(_ body: (Text, NameUse) -> Void) { expression.forEachUse(body) }
    override func resolve(_ scope: CompileScope) throws(TemplateError) { try expression.resolve(scope) }
}

/// `{% if %}` with its `elif`s and `else`.
final class IfStatement: Statement {
    private let branches: [(test: Expression, body: [Statement])]
    private let otherwise: [Statement]

    init(_ branches: [(test: Expression, body: [Statement])], otherwise: [Statement], line: Int) {
        self.branches = branches
        self.otherwise = otherwise
        super.init(
            line: line, expressions: branches.map(\.test), evaluated: 1,
            bodies: branches.map(\.body) + [otherwise])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        for (i, (test, body)) in branches.enumerated() {
            let holds: Bool
            do {
                if i > 0 { try renderer.step(1 + test.size / Self.nodesPerStep) }
                holds = try test.isTrue(renderer)
            } catch {
                throw error.at(line: test.line)
            }
            if holds { return try body.execute(renderer) }
        }
        return try otherwise.execute(renderer)
    }

    override func visitSymbols(_ visitor: SymbolVisitor) {
        visitor.visit(branches[0].test)
        visitor.visitBranches([
            { $0.visit(self.branches[0].body) },
            { visitor in
                for branch in self.branches.dropFirst() {
                    visitor.visit(branch.test)
                    visitor.visitBranches([{ $0.visit(branch.body) }, { _ in }, { _ in }])
                }
            },
            { $0.visit(self.otherwise) },
        ])
    }

    override func forEachUse(_ body: (Text, NameUse) -> Void) {
        for branch in branches {
            branch.test.forEachUse(body)
            branch.body.forEachUse(body)
        }
        otherwise.forEachUse(body)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        let soft = scope.soft()
        for branch in branches {
            try branch.test.resolve(soft)
            try branch.body.resolve(soft)
        }
        try otherwise.resolve(soft)
    }
}

/// `{% set target = value %}`.
final class SetStatement: Statement {
    private let target: AssignmentTarget
    private let value: Expression
    private var plan = StorePlan.tuple([])
    private var published: [(name: Text, slot: Int)] = []

    init(_ target: AssignmentTarget, _ value: Expression, line: Int) {
        self.target = target
        self.value = value
        super.init(line: line, expressions: [value], names: target.names.count)
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        try plan.check(renderer)
        try plan.store(value.evaluate(renderer), renderer)
        try renderer.publish(published)
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) {
        visitor.visit(value)
        visitor.visit(target)
    }

    override func forEachUse(_ body: (Text, NameUse) -> Void) {
        target.forEachUse(.store, body)
        value.forEachUse(body)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        plan = target.resolved(scope)
        published = scope.published(target.names)
        try value.resolve(scope)
    }
}

extension Renderer {
    /// Makes variables visible to `block`s.
    func publish(_ variables: [(name: Text, slot: Int)]) throws(TemplateError) {
        for (name, slot) in variables {
            try touch(name, times: TextCost.search)
            publish(name, frame.slots[slot])
        }
    }
}

extension CompileScope {
    /// The variables that `block`s see once they are set here.
    func published(_ names: [Text]) -> [(name: Text, slot: Int)] {
        isTopLevel && program.hasBlocks ? names.map { ($0, address(of: $0).slot) } : []
    }
}

/// `{% break %}` and `{% continue %}`.
final class JumpStatement: Statement {
    private let flow: Flow

    init(_ flow: Flow, line: Int) {
        self.flow = flow
        super.init(line: line)
    }

    override func execute(_ renderer: Renderer) -> Flow { flow }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        guard scope.isInLoop else {
            throw TemplateError(
                .syntax, flow == .breakLoop ? "'break' outside loop" : "'continue' not properly in loop", line: line)
        }
    }
}

/// `include`, `import`, `from` and `extends`: there are no other templates.
final class UnsupportedStatement: Statement {
    private let keyword: String
    private let expression: Expression
    private let targets: [Text]
    private let isForbiddenInside: Bool

    init(_ keyword: String, _ expression: Expression, targets: [Text] = [], topLevelOnly: Bool = false, line: Int) {
        self.keyword = keyword
        self.expression = expression
        self.targets = targets
        isForbiddenInside = topLevelOnly
        super.init(line: line, expressions: [expression])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        throw TemplateError(
            .unsupported, "'\(keyword)' needs other templates, but a chat template has none", line: line)
    }

    override func visitSymbols(_ visitor: SymbolVisitor) {
        visitor.visit(expression)
        for target in targets { visitor.visit(.name(target)) }
    }

    override func forEachUse(_ body: (Text, NameUse) -> Void) { expression.forEachUse(body) }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        if isForbiddenInside, !scope.isTopLevel {
            throw TemplateError(.syntax, "cannot use extend from a non top-level scope", line: line)
        }
        try expression.resolve(scope)
    }
}
