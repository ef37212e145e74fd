/// The lazily grown automaton of one grammar: parser states, their steps by bytes, and caches.
///
/// A state is a set of configurations (local state, continuation). Continuations are sets of return points, each with
/// the continuation that lies under it; equal sets are one number, so the stacks of alternatives share all they can.
/// Everything is made when first reached and kept for later steps and requests. Not thread-safe: ``CompiledGrammar``
/// guards it with a lock.
struct GrammarAutomaton {
    static let dead: Int32 = -1
    /// Symbols: bytes, then special tokens.
    static let firstSpecial = 256

    let program: GrammarProgram
    var terms: TermStore
    private(set) var start: Int32 = 0
    /// True if even the beginning took more work than allowed.
    private(set) var isUnusable = false

    var locals = LocalStates()
    private(set) var moves = MoveTable()
    var objects: ObjectStates
    var arrays: ArrayStates
    private var continuations = Continuations()
    private var states = ParserStates()
    var loops = LoopTable()
    var stringSteps = StringSteps()
    var caches = MaskCaches()
    var exits = ExitCounts()
    /// The rules on items and keys that must differ from earlier ones.
    private(set) var distinctness: DistinctnessRules
    /// The numbers of values that can be made.
    var counts: ValueCounts

    init(_ program: GrammarProgram) {
        self.program = program
        terms = program.terms
        terms.work = WorkBudget(WorkBudget.matching)
        objects = ObjectStates(program.objects)
        arrays = ArrayStates(program.arrays)
        distinctness = DistinctnessRules(program)
        counts = ValueCounts(program)
        _ = local(LocalState(kind: .done))
        start = makeStart()
        distinctness.measure(program, &terms)
        isUnusable = terms.work.isExhausted
    }

    /// True if the automaton has grown beyond a limit in bytes.
    ///
    /// (Mutating, so that it is never copied for the question.)
    mutating func exceeds(_ limit: Int) -> Bool { byteCount > limit }

    /// Rough size in bytes, for the limit on memory.
    private var byteCount: Int {
        terms.byteCount + locals.byteCount + moves.byteCount + continuations.byteCount + states.byteCount
            + caches.byteCount + stringSteps.byteCount + objects.byteCount + arrays.byteCount + counts.byteCount
    }

    private mutating func makeStart() -> Int32 {
        var configurations: [(Int32, Int32)] = []
        switch program.start {
        case .value(let node): configurations = [(local(LocalState(kind: .value, a: node)), 0)]
        case .text(let term): configurations = [(local(LocalState(kind: .text, a: term)), 0)]
        case .rule(let rule): configurations = ruleStarts(rule).map { ($0, 0) }
        }
        return state(closing: configurations)
    }

    // MARK: Interning

    mutating func local(_ state: LocalState) -> Int32 {
        let (id, isNew) = locals.intern(state)
        if isNew {
            terms.work.spend()
            if canEnd(state) { locals.setCanEnd(id, true) }
        }
        return id
    }

    private mutating func cont(_ local: Int32, _ under: Int32) -> Int32 {
        let (id, isNew) = continuations.push(local, under)
        if isNew {
            terms.work.spend()
            continuations.setCost(id, TermStore.sum(localCost(local), continuations.cost(under)))
        }
        return id
    }

    /// The continuation of a return point, or the one at hand where there is none.
    private mutating func cont(pushing next: Int32?, _ under: Int32) -> Int32 {
        if let next { cont(next, under) } else { under }
    }

    private mutating func cont(_ entries: [(Int32, Int32)]) -> Int32 {
        let (id, isNew) = continuations.join(entries)
        if isNew {
            terms.work.spend(1 + continuations.entryCount(id) >> 3)
            var best = TermStore.unreachable
            for (local, under) in continuations.entries(id) {
                best = min(best, TermStore.sum(localCost(local), continuations.cost(under)))
            }
            continuations.setCost(id, best)
        }
        return id
    }

    /// One of a continuation's return points, and what lies under it.
    func firstEntry(_ cont: Int32) -> (local: Int32, under: Int32)? { continuations.firstEntry(cont) }

    /// The state of some configurations, with all that follows where values may have ended.
    private mutating func state(closing configurations: [(Int32, Int32)]) -> Int32 {
        if configurations.count == 1, let (local, cont) = configurations.first, let known = state(local, cont) {
            return known
        }
        var closure = Closure(pending: configurations)
        guard beginPending(&closure), enterQueued(&closure) else { return Self.dead }
        if closure.kept.isEmpty, !closure.isAccepting { return Self.dead }
        closure.kept.sort { $0.local != $1.local ? $0.local < $1.local : $0.cont < $1.cont }
        let flat = flattened(closure)
        let (id, isNew) = states.intern(flat)
        if isNew { register(flat, closure.isAccepting) }
        return id
    }

    /// Begins what stood here before the last byte, and what it returns to.
    ///
    /// - Returns: False where the work allowed is used up.
    private mutating func beginPending(_ closure: inout Closure) -> Bool {
        while let (local, cont) = closure.pending.popLast() {
            guard closure.seen.insert(Int64(local) << 32 | Int64(cont)).inserted else { continue }
            closure.visited += 1
            if closure.visited & 7 == 0 { terms.work.spend() }
            if terms.work.isExhausted { return false }
            if begin(local, cont, &closure) || locals.canEnd(local) {
                if cont == Continuations.root {
                    closure.isAccepting = true
                } else {
                    closure.pending += continuations.entries(cont)
                    terms.work.spend(continuations.entryCount(cont) >> 5)
                }
            }
        }
        return true
    }

    /// Begins the rules that are called here: each once, after all that call it, with everything that it may return to.
    ///
    /// - Returns: False where the work allowed is used up.
    private mutating func enterQueued(_ closure: inout Closure) -> Bool {
        while let (rank, first) = closure.queue.pop() {
            var rules = [first]
            while let (other, rule) = closure.queue.pop() {
                if other != rank {
                    closure.queue.push(other, rule)
                    break
                }
                rules.append(rule)
            }
            enter(rules, &closure)
            if terms.work.isExhausted { return false }
        }
        return true
    }

    /// The sorted configurations of a state as one sequence, those of the same local state joined.
    private mutating func flattened(_ closure: Closure) -> ContiguousArray<Int32> {
        var flat: ContiguousArray<Int32> = []
        var index = 0
        while index < closure.kept.count {
            var end = index + 1
            while end < closure.kept.count, closure.kept[end].local == closure.kept[index].local { end += 1 }
            flat.append(closure.kept[index].local)
            flat.append(joined(closure.kept[index..<end]))
            index = end
        }
        flat.append(closure.isAccepting ? 1 : 0)
        return flat
    }

    /// The continuation of configurations of the same local state.
    private mutating func joined(_ configurations: ArraySlice<(local: Int32, cont: Int32)>) -> Int32 {
        let first = configurations[configurations.startIndex].cont
        guard configurations.contains(where: { $0.cont != first }) else { return first }
        // The root is a return point like others: it is kept apart by accepting at once.
        var all: [(Int32, Int32)] = []
        var hasRoot = false
        for item in configurations {
            if item.cont == Continuations.root {
                hasRoot = true
            } else {
                all += continuations.entries(item.cont)
            }
        }
        if hasRoot { all.append((0, 0)) }
        return cont(all)
    }

    /// A state while it is made.
    private struct Closure {
        var pending: [(Int32, Int32)]
        var seen: Set<Int64> = []
        var kept: [(local: Int32, cont: Int32)] = []
        var isAccepting = false
        /// Rules that are called here, by rank: callers come first.
        var queue = CostQueue()
        /// Per rule called: where it returns to, each a position (nil: the continuation itself) and what lies under it.
        var returns: [Int32: [(next: Int32?, cont: Int32)]] = [:]
        /// The rules of the rank at hand, which share their continuation.
        var group: Set<Int32> = []
        var groupRank: Int32?
        var grown: [Int32] = []
        /// Positions looked at: many of them are one step of work.
        var visited = 0

        init(pending: [(Int32, Int32)]) { self.pending = pending }
    }

    /// Keeps a configuration, or notes what it stands for where that is a nonterminal.
    ///
    /// - Returns: Whether the rule that it stands in may end here, nothing but empty parts being left of it.
    private mutating func begin(_ start: Int32, _ cont: Int32, _ closure: inout Closure) -> Bool {
        var local = start
        while locals[local].kind == .rule {
            let (called, next) = nonterminal(local)
            let mayBeEmpty: Bool
            switch called {
            case .rule(let rule):
                call(rule, next, cont, &closure)
                mayBeEmpty = program.rules[Int(rule)].isNullable
            case .local(let inner):
                keep(inner, self.cont(pushing: next, cont), &closure)
                mayBeEmpty = locals.canEnd(inner)
            case .end: return true
            case .terminal:
                keep(local, cont, &closure)
                return false
            }
            closure.visited += 1
            if closure.visited & 7 == 0 { terms.work.spend() }
            if !mayBeEmpty || terms.work.isExhausted { return false }
            guard let next else { return true }
            local = next
        }
        keep(local, cont, &closure)
        return locals.canEnd(local)
    }

    private mutating func keep(_ local: Int32, _ cont: Int32, _ closure: inout Closure) {
        if !bytes(of: local).isEmpty || takesSpecials(local) { closure.kept.append((local, cont)) }
    }

    private mutating func call(_ rule: Int32, _ next: Int32?, _ cont: Int32, _ closure: inout Closure) {
        let rank = program.rules[Int(rule)].rank
        if rank == closure.groupRank {
            // Rules that begin with one another do so at their end only: the continuation is the same.
            if closure.group.insert(rule).inserted { closure.grown.append(rule) }
            return
        }
        if closure.returns[rule] == nil { closure.queue.push(Int(rank), rule) }
        closure.returns[rule, default: []].append((next, cont))
    }

    /// Begins rules of one rank.
    private mutating func enter(_ rules: [Int32], _ closure: inout Closure) {
        closure.groupRank = program.rules[Int(rules[0])].rank
        closure.group = Set(rules)
        closure.grown = rules
        var all: [(next: Int32?, cont: Int32)] = []
        for rule in rules { all += closure.returns[rule] ?? [] }
        let under: Int32
        if let first = all.first, all.dropFirst().allSatisfy({ $0 == first }) {
            under = cont(pushing: first.next, first.cont)
        } else {
            var points: [(Int32, Int32)] = []
            for point in all {
                if point.next != nil || point.cont == Continuations.root {
                    points.append((point.next ?? 0, point.cont))
                } else {
                    points += continuations.entries(point.cont)
                }
            }
            terms.work.spend(points.count >> 4)
            under = cont(points)
        }
        while let rule = closure.grown.popLast() {
            for start in ruleStarts(rule) {
                closure.visited += 1
                if closure.visited & 7 == 0 { terms.work.spend() }
                if terms.work.isExhausted { return }
                // Where the rule is empty, whoever calls it has gone on already.
                _ = begin(start, under, &closure)
            }
        }
        closure.groupRank = nil
    }

    /// The state of one configuration; nil where more may follow from it than itself.
    private mutating func state(_ local: Int32, _ cont: Int32) -> Int32? {
        let kind = locals[local].kind
        if locals.canEnd(local) || kind == .rule || kind == .free { return nil }
        if bytes(of: local).isEmpty { return Self.dead }
        let (id, isNew) = states.intern(local, cont)
        if isNew { register([local, cont, 0], false) }
        return id
    }

    private mutating func register(_ flat: ContiguousArray<Int32>, _ isAccepting: Bool) {
        terms.work.spend(1 + flat.count >> 4)
        var union = ByteSet()
        var cost = isAccepting ? 0 : TermStore.unreachable
        for index in stride(from: 0, to: flat.count - 1, by: 2) {
            union.formUnion(bytes(of: flat[index]))
            if cost > 0 {
                cost = min(cost, TermStore.sum(localCost(flat[index]), continuations.cost(flat[index + 1])))
            }
        }
        states.describe(bytes: union, cost: cost, isAccepting: isAccepting)
    }

    // MARK: Reading states

    /// The number of bytes to the end of the text from a continuation, at most.
    func contCost(_ cont: Int32) -> Int32 { continuations.cost(cont) }

    @inline(__always)
    func isAccepting(_ state: Int32) -> Bool { states.isAccepting(state) }

    @inline(__always)
    func bytes(ofState state: Int32) -> ByteSet { states.bytes(state) }

    /// The number of bytes to the nearest end, at most.
    @inline(__always)
    func cost(ofState state: Int32) -> Int32 { states.cost(state) }

    func configurations(_ state: Int32) -> [(local: Int32, cont: Int32)] { states.configurations(state) }

    /// The only local state of a state; nil where there are several.
    func onlyLocal(_ state: Int32) -> Int32? { states.onlyLocal(state) }

    /// The state of some of a state's configurations.
    mutating func state(of configurations: [(local: Int32, cont: Int32)]) -> Int32 {
        state(closing: configurations.map { ($0.local, $0.cont) })
    }

    /// A state with only some of its configurations, and nothing that would follow from them.
    mutating func state(_ state: Int32, keeping kept: [(local: Int32, cont: Int32)]) -> Int32 {
        let isAccepting = states.isAccepting(state)
        if kept.count == states.configurationCount(state) { return state }
        if kept.isEmpty, !isAccepting { return Self.dead }
        var flat: ContiguousArray<Int32> = []
        for (local, cont) in kept {
            flat.append(local)
            flat.append(cont)
        }
        flat.append(isAccepting ? 1 : 0)
        let (id, isNew) = states.intern(flat)
        if isNew { register(flat, isAccepting) }
        return id
    }

    // MARK: Steps

    /// The state after a byte (or a special token, from 256); ``dead`` where it may not come.
    @inline(__always)
    mutating func step(_ state: Int32, _ symbol: Int) -> Int32 {
        if symbol < 256, !states.bytes(state).contains(UInt8(truncatingIfNeeded: symbol)) { return Self.dead }
        if let known = states.step(state, symbol) { return known }
        return makeStep(state, symbol)
    }

    @inline(never)
    private mutating func makeStep(_ state: Int32, _ symbol: Int) -> Int32 {
        let count = states.configurationCount(state)
        if count == 1 {
            // One configuration with one move is what most steps are.
            let (local, under) = states.configuration(state, 0)
            let places = moveRange(local, symbol)
            if places.count == 1 {
                let move = moves[places.lowerBound]
                if let target = self.state(move.local, cont(pushing: move.push, under)) {
                    states.setStep(state, symbol, target)
                    return target
                }
            }
        }
        var next: [(Int32, Int32)] = []
        for place in 0..<count {
            let (local, under) = states.configuration(state, place)
            if symbol < 256, !bytes(of: local).contains(UInt8(symbol)) { continue }
            for place in moveRange(local, symbol) {
                let move = moves[place]
                next.append((move.local, cont(pushing: move.push, under)))
            }
        }
        let result = next.isEmpty ? Self.dead : self.state(closing: next)
        terms.work.spend((2 * count + 1) >> 3)
        if terms.work.isExhausted { return Self.dead }
        states.setStep(state, symbol, result)
        return result
    }

    /// The places of a local state's moves by a symbol, which are made once.
    mutating func moveRange(_ local: Int32, _ symbol: Int) -> Range<Int> {
        if let known = moves.range(local, symbol) { return known }
        var made = moves.takeScratch()
        makeMoves(locals[local], symbol, into: &made)
        terms.work.spend(1 + made.count >> 2)
        return moves.add(local, symbol, made)
    }

    /// Bytes that a local state takes.
    mutating func bytes(of local: Int32) -> ByteSet {
        if let known = locals.bytes(local) { return known }
        let made = makeBytes(local)
        locals.setBytes(local, made)
        return made
    }

    /// Bytes to the end of the value that a local state stands in, at most.
    mutating func localCost(_ local: Int32) -> Int32 {
        if let known = locals.cost(local) { return known }
        let made = makeCost(locals[local])
        locals.setCost(local, made)
        return made
    }
}
