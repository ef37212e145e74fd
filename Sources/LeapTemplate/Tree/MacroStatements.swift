/// The parts that a macro and the body of a `call` block have in common.
final class MacroBody {
    let name: Text?
    let parameters: [Text]
    let defaults: [Expression]
    let body: [Statement]
    let line: Int
    let height: Int
    /// The bytes of all parameters' names.
    let nameBytes: Int
    private let cost: Int

    private(set) var function = FunctionScope(parent: nil)
    private(set) var usesCaller = false
    private(set) var usesKeywords = false
    private(set) var usesVariadic = false
    private var entry = ScopeEntry.empty
    private var slots: [Int] = []

    init(name: Text?, parameters: [Text], defaults: [Expression], body: [Statement], line: Int) {
        self.name = name
        self.parameters = parameters
        self.defaults = defaults
        self.body = body
        self.line = line
        height = max(defaults.map(\.height).max() ?? 0, body.map(\.height).max() ?? 0) + 1
        nameBytes = parameters.reduce(0) { $0 + $1.bytes.count }
        cost = defaults.reduce(0) { $0 + $1.size } / Statement.nodesPerStep
    }

    func forEachUse(_ use: (Text, NameUse) -> Void) {
        for parameter in parameters { use(parameter, .parameter) }
        for value in defaults { value.forEachUse(use) }
        body.forEachUse(use)
    }

    func resolve(_ scope: CompileScope) throws(TemplateError) {
        function = FunctionScope(parent: scope.function)
        let inner = scope.inner(function: function)
        visit(inner.symbols)
        let undeclared = UndeclaredNames(["caller", "kwargs", "varargs"], in: body).found
        slots = parameters.map { inner.address(of: $0).slot }
        if undeclared.contains("caller") {
            if let explicit = parameters.firstIndex(of: "caller") {
                // Without a default there would be no telling it from the special one.
                guard explicit - parameters.count >= -defaults.count else {
                    throw TemplateError(
                        .syntax,
                        "When defining macros or call blocks the special \"caller\" argument must be omitted or be "
                            + "given a default.", line: line)
                }
            } else {
                slots.append(inner.symbols.declareParameter("caller").slot)
            }
            usesCaller = true
        }
        if undeclared.contains("kwargs"), !parameters.contains("kwargs") {
            slots.append(inner.symbols.declareParameter("kwargs").slot)
            usesKeywords = true
        }
        if undeclared.contains("varargs"), !parameters.contains("varargs") {
            slots.append(inner.symbols.declareParameter("varargs").slot)
            usesVariadic = true
        }
        visit(inner.symbols)
        entry = inner.entry()
        for value in defaults { try value.resolve(inner) }
        try body.resolve(inner)
    }

    private func visit(_ symbols: Symbols) {
        let visitor = SymbolVisitor(symbols)
        for parameter in parameters { visitor.visit(.name(parameter), asParameter: true) }
        for value in defaults { visitor.visit(value) }
        visitor.visit(body)
    }

    /// Runs the body in a frame of its own; `values` match the parameters and the special names, `.missing` where a
    /// default is to be used.
    func invoke(_ values: [Value], definedIn outer: Frame, _ renderer: Renderer) throws(TemplateError) -> Text {
        try renderer.step(cost)
        return try renderer.run(function, parent: outer, height: height) { () throws(TemplateError) in
            for (slot, value) in zip(slots, values) { renderer.frame.slots[slot] = value }
            try entry.enter(renderer)
            for (i, parameter) in parameters.enumerated() {
                guard case .missing = renderer.frame.slots[slots[i]] else { continue }
                let position = i - (parameters.count - defaults.count)
                renderer.frame.slots[slots[i]] =
                    position >= 0
                    ? try defaults[position].evaluate(renderer)
                    : .undefined(Undefined(.hint("parameter \(Repr.string(parameter)) was not provided")))
            }
            return try renderer.capture { () throws(TemplateError) in _ = try body.execute(renderer) }
        }
    }
}

/// `{% macro name(parameters) %}`.
final class MacroStatement: Statement {
    private let macro: MacroBody
    private let name: Text
    private var slot = 0
    private var published: [(name: Text, slot: Int)] = []

    init(_ name: Text, _ macro: MacroBody) {
        self.name = name
        self.macro = macro
        super.init(line: macro.line)
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        renderer.frame.slots[slot] = try renderer.makeMacro(macro)
        try renderer.publish(published)
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) { visitor.visit(.name(name)) }
    override func forEachUse(_ body: (Text, NameUse) -> Void) { macro.forEachUse(body) }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        slot = scope.address(of: name).slot
        published = scope.published([name])
        try macro.resolve(scope)
    }
}

/// `{% call(parameters) macro(arguments) %}`.
final class CallBlockStatement: Statement {
    private let call: CallExpression
    private let caller: MacroBody

    init(_ call: CallExpression, _ caller: MacroBody) {
        self.call = call
        self.caller = caller
        super.init(line: caller.line, expressions: [call])
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        try renderer.writeBlock(call.evaluate(renderer, caller: renderer.makeMacro(caller)))
        return .next
    }

    override func visitSymbols(_ visitor: SymbolVisitor) { visitor.visit(call) }

    override func forEachUse(_ body: (Text, NameUse) -> Void) {
        call.forEachUse(body)
        caller.forEachUse(body)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        try caller.resolve(scope)
        try call.resolve(scope)
    }
}
