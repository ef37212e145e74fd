/// `{% set target %}…{% endset %}`, through filters where there are any.
final class SetBlockStatement: Statement {
    private let target: AssignmentTarget
    private let filter: FilterExpression?
    private let body: [Statement]
    private var plan = StorePlan.tuple([])
    private var entry = ScopeEntry.empty
    private var published: [(name: Text, slot: Int)] = []

    init(_ target: AssignmentTarget, filter: FilterExpression?, body: [Statement], line: Int) {
        self.target = target
        self.filter = filter
        self.body = body
        super.init(line: line, expressions: [filter], names: target.names.count, bodies: [body])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        try entry.enter(renderer)
        var flow = Flow.next
        let text = try renderer.capture { () throws(TemplateError) in flow = try body.execute(renderer) }
        if flow != .next { return flow }
        let value = try filter.map { filter throws(TemplateError) in try filter.applyChain(to: text, renderer) }
        try plan.store(value ?? .string(text), renderer)
        try renderer.publish(published)
        entry.leave(renderer)
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) { visitor.visit(target) }

    override func forEachUse(_ use: (Text, NameUse) -> Void) {
        target.forEachUse(.store, use)
        filter?.forEachUse(use)
        body.forEachUse(use)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        plan = target.resolved(scope)
        published = scope.published(target.names)
        let inner = scope.inner()
        SymbolVisitor(inner.symbols).visit(body)
        // Jinja forgets to look at the filter's arguments here and then fails on them; looking is kinder.
        filter?.forEachName { inner.symbols.load($0) }
        entry = inner.entry()
        try body.resolve(inner)
        try filter?.resolve(inner)
    }
}

/// `{% filter name %}…{% endfilter %}`.
final class FilterBlockStatement: Statement {
    private let filter: FilterExpression
    private let body: [Statement]
    private var entry = ScopeEntry.empty

    init(_ filter: FilterExpression, body: [Statement], line: Int) {
        self.filter = filter
        self.body = body
        super.init(line: line, expressions: [filter], bodies: [body])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        try entry.enter(renderer)
        var flow = Flow.next
        let text = try renderer.capture { () throws(TemplateError) in flow = try body.execute(renderer) }
        if flow != .next { return flow }
        try renderer.writeBlock(filter.applyChain(to: text, renderer))
        entry.leave(renderer)
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) { visitor.visit(filter) }

    override func forEachUse(_ use: (Text, NameUse) -> Void) {
        body.forEachUse(use)
        filter.forEachUse(use)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        let inner = scope.inner()
        let visitor = SymbolVisitor(inner.symbols)
        visitor.visit(body)
        visitor.visit(filter)
        entry = inner.entry()
        try body.resolve(inner)
        try filter.resolve(inner)
    }
}

/// `{% with a = b %}`, and the blocks that are only a scope: `generation`, `autoescape false`.
final class WithStatement: Statement {
    private let targets: [AssignmentTarget]
    private let values: [Expression]
    private let body: [Statement]
    /// True if Jinja makes the body a function, out of which no `break` leads.
    private let isFunction: Bool
    private var plans: [StorePlan] = []
    private var entry = ScopeEntry.empty

    init(
        _ targets: [AssignmentTarget] = [], _ values: [Expression] = [], body: [Statement], isFunction: Bool = false,
        line: Int
    ) {
        self.targets = targets
        self.values = values
        self.body = body
        self.isFunction = isFunction
        super.init(
            line: line, expressions: values, names: targets.reduce(0) { $0 + $1.names.count }, bodies: [body])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        try entry.enter(renderer)
        for (plan, value) in zip(plans, values) { try plan.store(value.evaluate(renderer), renderer) }
        let flow = try body.execute(renderer)
        entry.leave(renderer)
        return flow
    }

    override func visitSymbols(_ visitor: SymbolVisitor) {
        for value in values { visitor.visit(value) }
    }

    override func forEachUse(_ use: (Text, NameUse) -> Void) {
        for target in targets { target.forEachUse(.parameter, use) }
        for value in values { value.forEachUse(use) }
        body.forEachUse(use)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        for value in values { try value.resolve(scope) }
        var inner = scope.inner()
        if isFunction { inner.isInLoop = false }
        let visitor = SymbolVisitor(inner.symbols)
        for target in targets { visitor.visit(target, asParameter: true) }
        visitor.visit(body)
        entry = inner.entry()
        plans = targets.map { $0.resolved(inner) }
        try body.resolve(inner)
    }
}

/// `{% block name %}`: without inheritance, its body where it stands, seeing only the template's own variables.
final class BlockStatement: Statement {
    let name: Text
    private let body: [Statement]
    private let isRequired: Bool
    private let isScoped: Bool
    private var function = FunctionScope(parent: nil)
    /// The variables that the block reads, and what each means outside the template.
    private var names: [(name: Text, slot: Int, global: Int)] = []
    private var visible: [(name: Text, address: VariableAddress)] = []

    init(_ name: Text, body: [Statement], scoped: Bool, required: Bool, line: Int) {
        self.name = name
        self.body = body
        isScoped = scoped
        isRequired = required
        super.init(line: line, bodies: [body])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        if isRequired { throw .value("Required block \(Repr.string(name)) not found") }
        // Each name is hashed, twice at most.
        try renderer.step(names.count + visible.count)
        for (name, _, _) in names { try renderer.touch(name, times: TextCost.search) }
        var local: [Text: Value] = [:]
        if isScoped {
            for (name, address) in visible {
                let value = renderer.load(address)
                if case .missing = value { continue }
                try renderer.touch(name, times: TextCost.search)
                local[name] = value
            }
        }
        return try renderer.run(function, parent: nil, height: height) { () throws(TemplateError) in
            for (name, slot, global) in names {
                renderer.frame.slots[slot] = local[name] ?? renderer.published[name] ?? renderer.globals[global]
            }
            return try body.execute(renderer)
        }
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        guard scope.program.blocks.updateValue(self, forKey: name) == nil else {
            throw TemplateError(.syntax, "block \(Repr.string(name)) defined twice", line: line)
        }
        var symbols: Symbols? = scope.symbols
        var seen = Set<Text>()
        while isScoped, let current = symbols {
            for stored in current.stores where seen.insert(stored).inserted {
                visible.append((stored, scope.address(of: stored)))
            }
            symbols = current.parent
        }
        function = FunctionScope(parent: nil)
        let inner = CompileScope(
            symbols: Symbols(parent: nil, function: function), function: function, program: scope.program)
        SymbolVisitor(inner.symbols).visit(body)
        for action in inner.entry().actions {
            if case .resolve(let slot, let global) = action {
                names.append((scope.program.globalNames[global], slot, global))
            }
        }
        try body.resolve(inner)
    }
}
