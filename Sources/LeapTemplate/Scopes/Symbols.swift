/// The place of a variable: a slot of a function's frame.
struct VariableReference: Hashable {
    let function: FunctionScope
    let slot: Int

    static func == (a: Self, b: Self) -> Bool { a.function === b.function && a.slot == b.slot }

    func hash(into hasher: inout Hasher) { hasher.combine(slot) }
}

/// A function of the compiled template: the template itself, a macro, a `call` body, a recursive loop, a loop filter.
///
/// Each run of one has a frame of its own; inner functions see the frames of the outer ones.
final class FunctionScope {
    let parent: FunctionScope?
    /// The cost of compiling so far, for the whole template.
    let work: CompileWork
    private(set) var slotCount = 0
    private var slots: [String: Int] = [:]

    init(parent: FunctionScope?) {
        self.parent = parent
        work = parent?.work ?? CompileWork()
    }

    /// The slot of `name` at a nesting level; blocks side by side share slots, as they share Python variables in
    /// Jinja's own compiler.
    func slot(for name: Text, level: Int) -> Int {
        let key = "\(level) \(name.string)"
        if let slot = slots[key] { return slot }
        slots[key] = slotCount
        slotCount += 1
        return slotCount - 1
    }
}

/// Counts what compiling copies: each `if` copies the names known so far, so that a template of many of both would take
/// minutes.
final class CompileWork {
    private var entries = 0
    private static let limit = 20_000_000

    /// True if the allowance is used up; compiling then leaves out the rest, and fails.
    private(set) var isExceeded = false

    /// Accounts for copying `count` entries; false where that is too much.
    func take(_ count: Int) -> Bool {
        entries += count
        if entries > Self.limit { isExceeded = true }
        return !isExceeded
    }

    func check() throws(TemplateError) {
        if isExceeded { throw .limit("the template has too many variables in too many branches") }
    }
}

/// The action on a variable when a block is entered.
enum VariableLoad {
    case parameter
    /// Looks it up in what the caller of the template passed, and the globals.
    case resolve(Text)
    case alias(VariableReference)
    case undefined
}

/// The names that a block uses and sets, and the place of each.
///
/// This follows Jinja's `idtracking` step by step, since its rules decide what a template prints: a name that is set
/// anywhere in a block is local to it, one that is only read belongs to the nearest block around it that knows it.
final class Symbols {
    let level: Int
    let parent: Symbols?
    let function: FunctionScope
    private(set) var references: [Text: VariableReference] = [:]
    private(set) var loads: [Int: VariableLoad] = [:]
    private(set) var loadOrder: [Int] = []
    private(set) var stores: Set<Text> = []

    init(parent: Symbols?, function: FunctionScope, level: Int? = nil) {
        self.level = level ?? (parent.map { $0.level + 1 } ?? 0)
        self.parent = parent
        self.function = function
    }

    private init(copying other: Symbols) {
        level = other.level
        parent = other.parent
        function = other.function
        references = other.references
        loads = other.loads
        loadOrder = other.loadOrder
        stores = other.stores
    }

    func copy() -> Symbols { Symbols(copying: self) }

    /// The maximum number of entries that copying the names copies.
    var size: Int { references.count + loads.count + stores.count }

    func find(_ name: Text) -> VariableReference? { references[name] ?? parent?.find(name) }

    @discardableResult
    private func define(_ name: Text, _ load: VariableLoad) -> VariableReference {
        let reference = VariableReference(function: function, slot: function.slot(for: name, level: level))
        references[name] = reference
        setLoad(reference.slot, load)
        return reference
    }

    private func setLoad(_ slot: Int, _ load: VariableLoad) {
        if loads.updateValue(load, forKey: slot) == nil { loadOrder.append(slot) }
    }

    func store(_ name: Text) {
        stores.insert(name)
        guard references[name] == nil else { return }
        if let outer = parent?.find(name) {
            define(name, .alias(outer))
        } else {
            define(name, .undefined)
        }
    }

    @discardableResult
    func declareParameter(_ name: Text) -> VariableReference {
        stores.insert(name)
        return define(name, .parameter)
    }

    func load(_ name: Text) {
        if find(name) == nil { define(name, .resolve(name)) }
    }

    /// Merges what the branches of an `if` know: a name set in one of them has its outer value in the others.
    func update(fromBranches branches: [Symbols]) {
        var set = Set<Text>()
        for branch in branches { set.formUnion(branch.stores) }
        set.subtract(stores)
        for branch in branches {
            references.merge(branch.references) { $1 }
            for slot in branch.loadOrder { branch.loads[slot].map { setLoad(slot, $0) } }
            stores.formUnion(branch.stores)
        }
        for name in set {
            guard let target = find(name) else { continue }
            setLoad(target.slot, parent?.find(name).map { .alias($0) } ?? .resolve(name))
        }
    }
}
