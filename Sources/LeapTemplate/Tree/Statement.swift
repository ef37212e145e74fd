/// The control flow after a statement.
enum Flow {
    case next, breakLoop, continueLoop
}

/// A node of a compiled template.
///
/// Immutable once the template is compiled, so that threads can share it.
class Statement {
    let line: Int
    /// The depth of the statement in nodes; executing recurses that far, macros apart.
    let height: Int
    /// The steps that executing takes once, its bodies and what it calls apart.
    let cost: Int

    /// The number of nodes of an expression that are evaluated in about the time that a statement takes.
    static let nodesPerStep = 4

    /// - Parameters:
    ///   - expressions: what the statement evaluates.
    ///   - names: how many variables it assigns besides.
    ///   - evaluated: how many of the expressions are evaluated each time; the rest accounts for itself.
    init(
        line: Int, expressions: [Expression?] = [], names: Int = 0, evaluated: Int? = nil, bodies: [[Statement]] = []
    ) {
        self.line = line
        var deepest = expressions.map { $0?.height ?? 0 }.max() ?? 0
        for body in bodies { for statement in body { deepest = max(deepest, statement.height) } }
        height = deepest + 1
        var nodes = names
        for expression in expressions.prefix(evaluated ?? expressions.count) { nodes += expression?.size ?? 0 }
        cost = 1 + nodes / Statement.nodesPerStep
    }

    func execute(_ renderer: Renderer) throws(TemplateError) -> Flow { .next }

    /// Tells what names the statement gives the block it stands in.
    func visitSymbols(_ visitor: SymbolVisitor) {}

    /// Calls `body` with every variable of the statement and what is in it, in the order of Jinja's node fields.
    func forEachUse(_ body: (Text, NameUse) -> Void) {}

    /// Finds where variables live and whether filters and tests exist.
    func resolve(_ scope: CompileScope) throws(TemplateError) {}
}

extension Expression {
    func forEachUse(_ body: (Text, NameUse) -> Void) { forEachName { body($0, .load) } }
}

/// The target of an assignment.
indirect enum AssignmentTarget {
    case name(Text)
    /// An attribute of a namespace.
    case attribute(Text, Text)
    case tuple([AssignmentTarget])

    func forEachUse(_ use: NameUse, _ body: (Text, NameUse) -> Void) {
        switch self {
        case .name(let name): body(name, use)
        case .attribute: break
        case .tuple(let items): for item in items { item.forEachUse(use, body) }
        }
    }

    var names: [Text] {
        switch self {
        case .name(let name): [name]
        case .attribute: []
        case .tuple(let items): items.flatMap(\.names)
        }
    }

    func resolved(_ scope: CompileScope) -> StorePlan {
        switch self {
        case .name(let name): .slot(scope.address(of: name).slot)
        case .attribute(let name, let attribute):
            .attribute(scope.address(of: name), attribute, tag: attribute.tag)
        case .tuple(let items): .tuple(items.map { $0.resolved(scope) })
        }
    }
}

/// An assignment target with its variables found.
indirect enum StorePlan {
    case slot(Int)
    case attribute(VariableAddress, Text, tag: UInt64)
    case tuple([StorePlan])

    func store(_ value: Value, _ renderer: Renderer) throws(TemplateError) {
        switch self {
        case .slot(let slot): renderer.frame.slots[slot] = value
        case .attribute(let address, let name, let tag):
            guard case .object(let object as NamespaceObject) = renderer.load(address) else {
                throw TemplateError(.type, "cannot assign attribute on non-namespace object")
            }
            try object.set(name, tag: tag, to: value, renderer)
        case .tuple(let plans):
            let items: [Value]
            switch value {
            case .list(let box), .tuple(let box): items = box.items
            default:
                guard let iterator = try value.makeIterator(renderer) else {
                    throw .type("cannot unpack non-iterable \(value.typeName) object")
                }
                var taken = [Value]()
                while taken.count <= plans.count, let item = try iterator.next(renderer) { taken.append(item) }
                items = taken
            }
            if items.count < plans.count {
                throw .value("not enough values to unpack (expected \(plans.count), got \(items.count))")
            }
            if items.count > plans.count { throw .value("too many values to unpack (expected \(plans.count))") }
            for (plan, item) in zip(plans, items) { try plan.store(item, renderer) }
        }
    }

    /// Fails where an attribute target is not a namespace, before the value is computed, as Jinja does.
    func check(_ renderer: Renderer) throws(TemplateError) {
        switch self {
        case .slot: break
        case .attribute(let address, _, _):
            guard case .object(let object) = renderer.load(address), object is NamespaceObject else {
                throw TemplateError(.type, "cannot assign attribute on non-namespace object")
            }
        case .tuple(let plans): for plan in plans { try plan.check(renderer) }
        }
    }
}

extension [Statement] {
    @inline(__always)
    func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
        for statement in self {
            let flow: Flow
            do {
                try renderer.step(statement.cost)
                flow = try statement.execute(renderer)
            } catch {
                throw error.at(line: statement.line)
            }
            if flow != .next { return flow }
        }
        return .next
    }

    func resolve(_ scope: CompileScope) throws(TemplateError) {
        for statement in self { try statement.resolve(scope) }
    }

    func forEachUse(_ body: (Text, NameUse) -> Void) {
        for statement in self { statement.forEachUse(body) }
    }
}
