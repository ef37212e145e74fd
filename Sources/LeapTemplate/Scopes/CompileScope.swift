/// The place in the template that is being compiled: what Jinja calls a frame.
struct CompileScope {
    let symbols: Symbols
    let function: FunctionScope
    let program: ProgramBuilder
    /// Directly in the template, `if` branches included; such variables are visible to `block`s.
    var isTopLevel = false
    /// In an `if` branch or an inline `if`, where unknown filters and tests fail only when they are reached.
    var isSoft = false
    /// In a loop of the same function, so that `break` has something to break.
    var isInLoop = false

    /// A block within this one.
    func inner(function inner: FunctionScope? = nil) -> CompileScope {
        let function = inner ?? function
        return CompileScope(
            symbols: Symbols(parent: symbols, function: function), function: function, program: program,
            isInLoop: inner == nil && isInLoop)
    }

    /// An `if` branch: no block of its own.
    func soft() -> CompileScope {
        var copy = self
        copy.isSoft = true
        return copy
    }

    /// Returns the address at which code of this function finds a variable.
    func address(of name: Text) -> VariableAddress {
        guard let reference = symbols.find(name) else {
            // Jinja's own compiler cannot get here; looking the name up outside is what its users expect.
            symbols.load(name)
            return symbols.find(name).map(address) ?? VariableAddress(depth: 0, slot: 0)
        }
        return address(reference)
    }

    func address(_ reference: VariableReference) -> VariableAddress {
        var depth = 0
        var scope: FunctionScope? = function
        while let current = scope, current !== reference.function {
            depth += 1
            scope = current.parent
        }
        return VariableAddress(depth: depth, slot: reference.slot)
    }

    /// Returns the actions on entering the block; call it when the block's symbols are complete.
    func entry() -> ScopeEntry {
        var actions = [ScopeEntry.Action]()
        for slot in symbols.loadOrder {
            switch symbols.loads[slot] {
            case .resolve(let name): actions.append(.resolve(slot: slot, global: program.globalIndex(name)))
            case .alias(let outer): actions.append(.alias(slot: slot, address(outer)))
            case .undefined: actions.append(.undefine(slot: slot))
            case .parameter, nil: break
            }
        }
        return ScopeEntry(actions: actions, slots: symbols.loadOrder)
    }
}

/// A variable as running code finds it: so many functions up, that slot.
struct VariableAddress: Sendable {
    let depth: Int
    let slot: Int
}

/// The actions that set the variables of a block when it is entered.
struct ScopeEntry {
    enum Action {
        case resolve(slot: Int, global: Int)
        case alias(slot: Int, VariableAddress)
        case undefine(slot: Int)
    }

    let actions: [Action]
    let slots: [Int]

    static let empty = ScopeEntry(actions: [], slots: [])

    @inline(__always)
    func enter(_ renderer: Renderer) throws(TemplateError) {
        // A block may name thousands of variables and use none of them.
        try renderer.step(actions.count / 4)
        for action in actions {
            switch action {
            case .resolve(let slot, let global): renderer.frame.slots[slot] = renderer.globals[global]
            case .alias(let slot, let address): renderer.frame.slots[slot] = renderer.load(address)
            case .undefine(let slot): renderer.frame.slots[slot] = .missing
            }
        }
    }

    /// Forgets the block's variables, so that functions which outlive it do not see them.
    @inline(__always)
    func leave(_ renderer: Renderer) {
        for slot in slots { renderer.frame.slots[slot] = .missing }
    }
}

/// Collects what the whole template needs to know while its parts are compiled.
final class ProgramBuilder {
    private(set) var globalNames: [Text] = []
    private var indexes: [Text: Int] = [:]
    /// True if the template has `block`s, for which top-level variables must be kept by name.
    let hasBlocks: Bool
    var blocks: [Text: BlockStatement] = [:]

    init(hasBlocks: Bool) { self.hasBlocks = hasBlocks }

    func globalIndex(_ name: Text) -> Int {
        if let index = indexes[name] { return index }
        indexes[name] = globalNames.count
        globalNames.append(name)
        return globalNames.count - 1
    }
}

/// Walks a block the way Jinja's `FrameSymbolVisitor` does, to learn its names.
final class SymbolVisitor {
    private(set) var symbols: Symbols

    init(_ symbols: Symbols) { self.symbols = symbols }

    func visit(_ expression: Expression?) {
        expression?.forEachName { symbols.load($0) }
    }

    func visit(_ target: AssignmentTarget, asParameter: Bool = false) {
        switch target {
        case .name(let name):
            if asParameter { symbols.declareParameter(name) } else { symbols.store(name) }
        case .attribute(let name, _): symbols.load(name)
        case .tuple(let items): for item in items { visit(item, asParameter: asParameter) }
        }
    }

    func visit(_ statements: [Statement]) {
        for statement in statements { statement.visitSymbols(self) }
    }

    /// Visits the branches of an `if`, each as if the others were not there.
    func visitBranches(_ branches: [(SymbolVisitor) -> Void]) {
        let original = symbols
        var results = [Symbols]()
        for branch in branches {
            guard original.function.work.take(2 * original.size) else { break }
            symbols = original.copy()
            branch(self)
            results.append(symbols)
        }
        symbols = original
        original.update(fromBranches: results)
    }
}

/// A use that a piece of template makes of a name.
enum NameUse {
    case load, store, parameter
}

/// The ones of some names that a piece of template reads before it sets them (Jinja's `find_undeclared`).
struct UndeclaredNames {
    private var wanted: Set<Text>
    private(set) var found: Set<Text> = []

    init(_ names: Set<Text>, in statements: [Statement]) {
        wanted = names
        var finder = self
        for statement in statements { statement.forEachUse { finder.use($0, $1) } }
        self = finder
    }

    private mutating func use(_ name: Text, _ kind: NameUse) {
        if kind == .load, wanted.contains(name) {
            found.insert(name)
        } else {
            wanted.remove(name)
        }
    }
}
