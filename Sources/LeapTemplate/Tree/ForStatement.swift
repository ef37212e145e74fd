/// `{% for target in items if test recursive %}` with its `else`.
final class ForStatement: Statement {
    private let target: AssignmentTarget
    private let items: Expression
    private let test: Expression?
    private let body: [Statement]
    private let otherwise: [Statement]
    private let isRecursive: Bool
    /// The steps that an item takes, the body apart.
    private let perItem: Int

    private var store = StorePlan.tuple([])
    private var loopSlot: Int?
    private var entry = ScopeEntry.empty
    private var elseEntry = ScopeEntry.empty
    /// The loop's own function where it is recursive.
    private var function: FunctionScope?

    private var testFunction: FunctionScope?
    private var testStore = StorePlan.tuple([])
    private var testEntry = ScopeEntry.empty

    init(
        _ target: AssignmentTarget, in items: Expression, if test: Expression?, recursive: Bool, body: [Statement],
        otherwise: [Statement], line: Int
    ) {
        self.target = target
        self.items = items
        self.test = test
        self.body = body
        self.otherwise = otherwise
        isRecursive = recursive
        perItem = 1 + target.names.count / Statement.nodesPerStep
        super.init(line: line, expressions: [items, test], evaluated: 1, bodies: [body, otherwise])
    }

    override func visitSymbols(_ visitor: SymbolVisitor) { visitor.visit(items) }

    override func forEachUse(_ use: (Text, NameUse) -> Void) {
        target.forEachUse(.store, use)
        items.forEachUse(use)
        body.forEachUse(use)
        otherwise.forEachUse(use)
        test?.forEachUse(use)
    }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        var assignsLoop = false
        forEachUse { name, use in if use == .store, name == "loop" { assignsLoop = true } }
        if assignsLoop {
            throw TemplateError(.syntax, "Can't assign to special loop variable in for-loop target", line: line)
        }
        try items.resolve(scope)
        if isRecursive { function = FunctionScope(parent: scope.function) }
        var loopScope = scope.inner(function: function)
        loopScope.isInLoop = true
        if isRecursive || UndeclaredNames(["loop"], in: body).found.contains("loop") {
            loopSlot = loopScope.symbols.declareParameter("loop").slot
        }
        let visitor = SymbolVisitor(loopScope.symbols)
        visitor.visit(target, asParameter: true)
        visitor.visit(body)
        store = target.resolved(loopScope)
        entry = loopScope.entry()
        try body.resolve(loopScope)

        if !otherwise.isEmpty {
            // In a recursive loop this is inside the loop's function, where there is no loop around it.
            let elseScope = scope.inner(function: function)
            SymbolVisitor(elseScope.symbols).visit(otherwise)
            elseEntry = elseScope.entry()
            try otherwise.resolve(elseScope)
        }
        if let test {
            let tester = FunctionScope(parent: function ?? scope.function)
            testFunction = tester
            let testScope = scope.inner(function: tester)
            let visitor = SymbolVisitor(testScope.symbols)
            visitor.visit(target, asParameter: true)
            visitor.visit(test)
            testStore = target.resolved(testScope)
            testEntry = testScope.entry()
            try test.resolve(testScope)
        }
    }

    override func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        let source: Value
        do {
            source = try items.evaluate(renderer)
        } catch {
            throw error.at(line: items.line)
        }
        guard isRecursive else {
            return try run(over: source, depth: 0, definedIn: renderer.frame, renderer)
        }
        try renderer.write(runRecursive(over: source, depth: 0, definedIn: renderer.frame, renderer))
        return .next
    }

    /// One level of a recursive loop; its text is the result of `loop(items)`.
    func runRecursive(
        over source: Value, depth: Int, definedIn outer: Frame, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        guard let function else { throw .type("The loop must have the 'recursive' marker to be called recursively.") }
        return try renderer.run(function, parent: outer, height: height) { () throws(TemplateError) in
            try renderer.capture { () throws(TemplateError) in
                _ = try run(over: source, depth: depth, definedIn: outer, renderer)
            }
        }
    }

    /// Runs the loop; a jump out of its `else` belongs to the loop around it.
    private func run(
        over source: Value, depth: Int, definedIn outer: Frame, _ renderer: Renderer
    ) throws(TemplateError) -> Flow {
        var iterator = try source.iterate(renderer)
        if test != nil { iterator = try filtered(iterator, of: source, renderer) }
        var ran = false
        if let loopSlot {
            let loop = LoopObject(
                iterator, length: test == nil ? try source.length(renderer) : nil, depth: depth,
                recursion: isRecursive ? (self, outer) : nil, nesting: source.depth)
            while let item = try loop.advance(renderer) {
                try renderer.step(perItem)
                try store.store(item, renderer)
                renderer.frame.slots[loopSlot] = .object(loop)
                try entry.enter(renderer)
                let flow = try body.execute(renderer)
                if flow == .next { ran = true }
                if flow == .breakLoop { break }
            }
        } else {
            while let item = try iterator.next(renderer) {
                try renderer.step(perItem)
                try store.store(item, renderer)
                try entry.enter(renderer)
                let flow = try body.execute(renderer)
                if flow == .next { ran = true }
                if flow == .breakLoop { break }
            }
        }
        entry.leave(renderer)
        // As in Jinja, a pass cut short by `break` or `continue` does not count.
        guard !ran, !otherwise.isEmpty else { return .next }
        try elseEntry.enter(renderer)
        let flow = try otherwise.execute(renderer)
        elseEntry.leave(renderer)
        return flow
    }

    /// The items that pass the loop's own test, which is a function with variables of its own.
    private func filtered(
        _ iterator: ValueIterator, of source: Value, _ renderer: Renderer
    ) throws(TemplateError) -> ValueIterator {
        guard let test, let testFunction else { return iterator }
        let frame = renderer.makeFrame(testFunction, parent: renderer.frame)
        try renderer.within(frame) { () throws(TemplateError) in try testEntry.enter(renderer) }
        let perTest = perItem + test.size / Self.nodesPerStep
        return try Generator("loop filter", holding: [source]) { [testStore] renderer throws(TemplateError) in
            while let item = try iterator.next(renderer) {
                try renderer.step(perTest)
                let passes = try renderer.within(frame) { () throws(TemplateError) in
                    try testStore.store(item, renderer)
                    return try test.isTrue(renderer)
                }
                if passes { return item }
            }
            return nil
        }
    }
}
