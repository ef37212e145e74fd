/// The lazily grown automaton of one grammar: parser states, their steps by bytes, and caches.
///
/// A state is a set of configurations (local state, continuation). Continuations are sets of return points, each with
/// the continuation that lies under it; equal sets are one number, so the stacks of alternatives share all they can.
/// Everything is made when first reached and kept for later steps and requests. Not thread-safe: ``CompiledGrammar``
/// guards it with a lock.
struct GrammarAutomaton {
    struct Move {
        var local: Int32
        /// Local state to return to after the value that begins here; −1: none begins.
        var push: Int32
    }

    static let dead: Int32 = -1
    /// Symbols: bytes, then special tokens.
    static let firstSpecial = 256

    let program: GrammarProgram
    var terms: TermStore
    private(set) var start: Int32 = 0
    /// Whether even the beginning took more work than allowed.
    private(set) var isUnusable = false

    // Local states.
    var localTable = SequenceInterner()
    var locals: ContiguousArray<LocalState> = []
    var localBytes: ContiguousArray<ByteSet?> = []
    var localCosts: ContiguousArray<Int32> = []
    var localEnds: ContiguousArray<Bool> = []
    private var moveIndex = IntMap(capacity: 256)
    private(set) var moves: ContiguousArray<Move> = []
    private var moveStarts: ContiguousArray<Int32> = [0]
    private var scratchMoves: [Move] = []

    // Object and array states.
    var objectTable = SequenceInterner()
    var objectStates: ContiguousArray<(object: Int32, state: ObjectState, completion: ObjectCompletion)> = []
    var objectNexts: [Int64: Int32] = [:]
    /// The first key that may come in an object state, −1 for none.
    var firstKeys: [Int32: Int32] = [:]
    var arrayTable = SequenceInterner()
    var arrayStates: ContiguousArray<(array: Int32, state: ArrayState, completion: ArrayCompletion)> = []

    // Continuations: sorted (return local, continuation) pairs. 0 is the root: nothing follows.
    private var contTable = SequenceInterner()
    private var contCosts: ContiguousArray<Int32> = []

    // States: sorted (local, continuation) pairs, then 1 where the text may end here.
    private var stateTable = SequenceInterner()
    private var stateBytes: ContiguousArray<ByteSet> = []
    private var stateCosts: ContiguousArray<Int32> = []
    private var stateIsAccepting: ContiguousArray<Bool> = []
    private var steps = IntMap(capacity: 1024)
    var localLoops: [Int32: LoopFacts] = [:]

    // Masks.
    var masks = MaskCache()
    /// Nodes of token trees that were looked at for masks so far.
    var visitedNodes = 0
    var insideMasks: [Int32: InsideMask] = [:]
    var longTokens = LongTokenCache()
    var asciiRows = AsciiRows()
    /// Tokens that would close an undeclared key as a declared one.
    var declaredTokens: [DeclaredRange: [Int32]] = [:]
    /// Local states between the characters of a string, by term.
    var stringLocals: [TermStore.ID: Int32] = [:]
    /// Tokens of the way out of a state.
    var exitTokens: [Int32: Int] = [:]

    /// Whether items or keys must differ somewhere, so that a ``Ledger`` is kept.
    let needsLedger: Bool
    /// Whether a way out may have to write items or keys that differ.
    let needsDistinctWays: Bool
    /// Whether there are undeclared keys of only so many names.
    private(set) var hasFewNames = false
    /// Bytes of the largest item that must differ from others, about.
    private(set) var largestItem: Int32 = 0
    /// See ``room(_:)``, and by value node.
    var rooms: [Int32: Int32] = [:]
    var valueCounts: [Int32: Int32] = [:]

    init(_ program: GrammarProgram) {
        self.program = program
        terms = program.terms
        terms.work = WorkBudget(WorkBudget.matching)
        needsLedger = program.arrays.contains(where: \.isTracked) || program.objects.contains(where: \.tracksKeys)
        needsDistinctWays =
            program.arrays.contains(where: \.isTracked)
            || program.objects.contains { $0.tracksKeys && $0.tracksCount && $0.minimum > 0 }
        _ = contTable.intern([])
        contCosts.append(0)
        _ = local(LocalState(kind: .done))
        start = makeStart()
        hasFewNames = program.objects.contains { object in
            object.classes.contains { terms.textCount($0.names, limit: Self.endless) < Self.endless }
        }
        for array in program.arrays where array.isTracked {
            var budget = 2_000
            for choice in array.items.joined() { largestItem = max(largestItem, largestCost(choice.node, &budget)) }
        }
        isUnusable = terms.work.isExhausted
    }

    /// Bytes of the least value of each alternative of a node, added up as far as the budget goes.
    private mutating func largestCost(_ node: Int32, _ budget: inout Int) -> Int32 {
        let value = program.nodes[Int(node)]
        var cost = value.cost
        budget -= 1
        guard budget > 0 else { return min(cost, 1 << 20) }
        if value.string != TermStore.empty { cost = max(cost, terms.cost(value.string)) }
        for id in value.arrays {
            for choice in program.arrays[Int(id)].items.joined() {
                cost = max(cost, TermStore.sum(largestCost(choice.node, &budget), choice.cost))
            }
        }
        for id in value.objects {
            var sum: Int32 = 2
            for key in program.objects[Int(id)].keys {
                for choice in key.choices {
                    sum = TermStore.sum(sum, TermStore.sum(key.cost, largestCost(choice.node, &budget)))
                }
            }
            cost = max(cost, sum)
        }
        return min(cost, 1 << 20)
    }

    /// Whether the engine has grown beyond a limit.
    ///
    /// (Mutating, so that it is never copied for the question.)
    mutating func exceeds(_ limit: Int) -> Bool { byteCount > limit }

    /// Rough size in bytes, for the limit on memory.
    private var byteCount: Int {
        terms.byteCount + localTable.byteCount + locals.count * 100 + moves.count * 8 + contTable.byteCount
            + stateTable.byteCount + stateBytes.count * 40 + steps.byteCount + masks.byteCount
            + insideMasks.values.reduce(0) { $0 + $1.words.count * 8 } + objectStates.count * 160
            + arrayStates.count * 120 + longTokens.byteCount + asciiRows.byteCount
            + (rooms.count + valueCounts.count) * 16
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
        let (id, isNew) = state.withIntegers { localTable.intern($0) }
        if isNew {
            terms.work.spend()
            locals.append(state)
            localBytes.append(nil)
            localCosts.append(-1)
            localEnds.append(canEnd(state))
        }
        return id
    }

    private mutating func cont(_ local: Int32, _ under: Int32) -> Int32 {
        let (id, isNew) = withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2) { buffer in
            buffer[0] = local
            buffer[1] = under
            return contTable.intern(UnsafeBufferPointer(buffer))
        }
        if isNew {
            terms.work.spend()
            contCosts.append(TermStore.sum(localCost(local), contCosts[Int(under)]))
        }
        return id
    }

    private mutating func cont(_ entries: [(Int32, Int32)]) -> Int32 {
        let sorted = entries.sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }
        var flat: ContiguousArray<Int32> = []
        for (index, entry) in sorted.enumerated() where index == 0 || entry != sorted[index - 1] {
            flat.append(entry.0)
            flat.append(entry.1)
        }
        let (id, isNew) = contTable.intern(flat)
        if isNew {
            terms.work.spend(1 + flat.count >> 4)
            var best = TermStore.unreachable
            for index in stride(from: 0, to: flat.count, by: 2) {
                best = min(best, TermStore.sum(localCost(flat[index]), contCosts[Int(flat[index + 1])]))
            }
            contCosts.append(best)
        }
        return id
    }

    /// One of a continuation's return points, and what lies under it.
    func firstEntry(_ cont: Int32) -> (local: Int32, under: Int32)? {
        let range = contTable.range(cont)
        return range.isEmpty ? nil : (contTable[range.lowerBound], contTable[range.lowerBound + 1])
    }

    private func entries(_ cont: Int32) -> [(Int32, Int32)] {
        let range = contTable.range(cont)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { (contTable[$0], contTable[$0 + 1]) }
    }

    /// The state of some configurations, with all that follows where values may have ended.
    private mutating func state(closing configurations: [(Int32, Int32)]) -> Int32 {
        if configurations.count == 1, let (local, cont) = configurations.first, let known = state(local, cont) {
            return known
        }
        var closure = Closure(pending: configurations)
        // What stood here before the last byte, and what it returns to.
        while let (local, cont) = closure.pending.popLast() {
            guard closure.seen.insert(Int64(local) << 32 | Int64(cont)).inserted else { continue }
            closure.visited += 1
            if closure.visited & 7 == 0 { terms.work.spend() }
            if terms.work.isExhausted { return Self.dead }
            if begin(local, cont, &closure) || localEnds[Int(local)] {
                if cont == 0 {
                    closure.isAccepting = true
                } else {
                    closure.pending += entries(cont)
                    terms.work.spend(contTable.range(cont).count >> 6)
                }
            }
        }
        // What begins here: each rule once, after all that call it, with everything that it may return to.
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
            if terms.work.isExhausted { return Self.dead }
        }
        var kept = closure.kept
        let isAccepting = closure.isAccepting
        if kept.isEmpty, !isAccepting { return Self.dead }
        kept.sort { $0.local != $1.local ? $0.local < $1.local : $0.cont < $1.cont }
        var flat: ContiguousArray<Int32> = []
        var index = 0
        while index < kept.count {
            var end = index + 1
            while end < kept.count, kept[end].local == kept[index].local { end += 1 }
            var joined = kept[index].cont
            if end > index + 1, kept[index..<end].contains(where: { $0.cont != joined }) {
                // The root is a return point like others: it is kept apart by accepting at once.
                var all: [(Int32, Int32)] = []
                var hasRoot = false
                for item in kept[index..<end] {
                    if item.cont == 0 { hasRoot = true } else { all += entries(item.cont) }
                }
                if hasRoot { all.append((0, 0)) }
                joined = cont(all)
            }
            flat.append(kept[index].local)
            flat.append(joined)
            index = end
        }
        flat.append(isAccepting ? 1 : 0)
        let (id, isNew) = stateTable.intern(flat)
        if isNew { register(flat, isAccepting) }
        return id
    }

    /// What is known of a state while it is made.
    private struct Closure {
        var pending: [(Int32, Int32)]
        var seen: Set<Int64> = []
        var kept: [(local: Int32, cont: Int32)] = []
        var isAccepting = false
        /// Rules that are called here, by rank: callers come first.
        var queue = CostQueue()
        /// Per rule called: where it returns to, each a position (−1: none, the continuation itself) and what lies
        /// under it.
        var returns: [Int32: [(next: Int32, cont: Int32)]] = [:]
        /// The rules of the rank at hand, which share their continuation.
        var group: Set<Int32> = []
        var groupRank: Int32 = -1
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
        while locals[Int(local)].kind == .rule {
            let (called, next) = nonterminal(local)
            let mayBeEmpty: Bool
            switch called {
            case .rule(let rule):
                call(rule, next, cont, &closure)
                mayBeEmpty = program.rules[Int(rule)].isNullable
            case .local(let inner):
                keep(inner, next < 0 ? cont : self.cont(next, cont), &closure)
                mayBeEmpty = localEnds[Int(inner)]
            case .end: return true
            case .terminal:
                keep(local, cont, &closure)
                return false
            }
            closure.visited += 1
            if closure.visited & 7 == 0 { terms.work.spend() }
            if !mayBeEmpty || terms.work.isExhausted { return false }
            if next < 0 { return true }
            local = next
        }
        keep(local, cont, &closure)
        return localEnds[Int(local)]
    }

    private mutating func keep(_ local: Int32, _ cont: Int32, _ closure: inout Closure) {
        if !bytes(of: local).isEmpty || takesSpecials(local) { closure.kept.append((local, cont)) }
    }

    private mutating func call(_ rule: Int32, _ next: Int32, _ cont: Int32, _ closure: inout Closure) {
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
        var all: [(next: Int32, cont: Int32)] = []
        for rule in rules { all += closure.returns[rule] ?? [] }
        let under: Int32
        if let first = all.first, all.dropFirst().allSatisfy({ $0 == first }) {
            under = first.next < 0 ? first.cont : cont(first.next, first.cont)
        } else {
            var points: [(Int32, Int32)] = []
            for point in all {
                if point.next >= 0 || point.cont == 0 {
                    points.append((max(point.next, 0), point.cont))
                } else {
                    points += entries(point.cont)
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
        closure.groupRank = -1
    }

    /// The state of one configuration; nil where more may follow from it than itself.
    private mutating func state(_ local: Int32, _ cont: Int32) -> Int32? {
        let kind = locals[Int(local)].kind
        if localEnds[Int(local)] || kind == .rule || kind == .free { return nil }
        if bytes(of: local).isEmpty { return Self.dead }
        let (id, isNew) = Self.intern(&stateTable, local, cont)
        if isNew { register([local, cont, 0], false) }
        return id
    }

    private static func intern(_ table: inout SequenceInterner, _ local: Int32, _ cont: Int32) -> (
        id: Int32, isNew: Bool
    ) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3) { buffer in
            buffer[0] = local
            buffer[1] = cont
            buffer[2] = 0
            return table.intern(UnsafeBufferPointer(buffer))
        }
    }

    private mutating func register(_ flat: ContiguousArray<Int32>, _ isAccepting: Bool) {
        terms.work.spend(1 + flat.count >> 4)
        var union = ByteSet()
        var cost = isAccepting ? 0 : TermStore.unreachable
        for index in stride(from: 0, to: flat.count - 1, by: 2) {
            union.formUnion(bytes(of: flat[index]))
            if cost > 0 {
                cost = min(cost, TermStore.sum(localCost(flat[index]), contCosts[Int(flat[index + 1])]))
            }
        }
        stateBytes.append(union)
        stateCosts.append(cost)
        stateIsAccepting.append(isAccepting)
    }

    // MARK: Reading states

    /// Bytes to the end of the text from a continuation, at most.
    func contCost(_ cont: Int32) -> Int32 { contCosts[Int(cont)] }

    func isAccepting(_ state: Int32) -> Bool { stateIsAccepting[Int(state)] }
    func bytes(ofState state: Int32) -> ByteSet { stateBytes[Int(state)] }
    /// Bytes to the nearest end, at most.
    func cost(ofState state: Int32) -> Int32 { stateCosts[Int(state)] }

    func configurations(_ state: Int32) -> [(local: Int32, cont: Int32)] {
        let range = stateTable.range(state)
        return stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map {
            (stateTable[$0], stateTable[$0 + 1])
        }
    }

    /// The only local state of a state; nil where there are several.
    func onlyLocal(_ state: Int32) -> Int32? {
        let range = stateTable.range(state)
        return range.count == 3 ? stateTable[range.lowerBound] : nil
    }

    /// The state of some of a state's configurations.
    mutating func state(of configurations: [(local: Int32, cont: Int32)]) -> Int32 {
        state(closing: configurations.map { ($0.local, $0.cont) })
    }

    /// A state with only some of its configurations, and nothing that would follow from them.
    mutating func state(_ state: Int32, keeping kept: [(local: Int32, cont: Int32)]) -> Int32 {
        let isAccepting = stateIsAccepting[Int(state)]
        if kept.count * 2 == stateTable.range(state).count - 1 { return state }
        if kept.isEmpty, !isAccepting { return Self.dead }
        var flat: ContiguousArray<Int32> = []
        for (local, cont) in kept {
            flat.append(local)
            flat.append(cont)
        }
        flat.append(isAccepting ? 1 : 0)
        let (id, isNew) = stateTable.intern(flat)
        if isNew { register(flat, isAccepting) }
        return id
    }

    // MARK: Steps

    /// The state after a byte (or a special token, from 256); ``dead`` where it may not come.
    @inline(__always)
    mutating func step(_ state: Int32, _ symbol: Int) -> Int32 {
        if symbol < 256, !stateBytes[Int(state)].contains(UInt8(truncatingIfNeeded: symbol)) { return Self.dead }
        let key = UInt64(UInt32(bitPattern: state)) << 12 | UInt64(symbol)
        if let known = steps[key] { return known }
        return makeStep(state, symbol, key)
    }

    @inline(never)
    private mutating func makeStep(_ state: Int32, _ symbol: Int, _ key: UInt64) -> Int32 {
        let range = stateTable.range(state)
        if range.count == 3 {
            // One configuration with one move is what most steps are.
            let positions = moveRange(stateTable[range.lowerBound], symbol)
            if positions.count == 1 {
                let move = moves[positions.lowerBound]
                let under = stateTable[range.lowerBound + 1]
                let target = self.state(move.local, move.push < 0 ? under : cont(move.push, under))
                if let target {
                    steps.set(key, target)
                    return target
                }
            }
        }
        var next: [(Int32, Int32)] = []
        for index in stride(from: range.lowerBound, to: range.upperBound - 1, by: 2) {
            let local = stateTable[index]
            let under = stateTable[index + 1]
            if symbol < 256, !bytes(of: local).contains(UInt8(symbol)) { continue }
            for position in moveRange(local, symbol) {
                let move = moves[position]
                next.append((move.local, move.push < 0 ? under : cont(move.push, under)))
            }
        }
        let result = next.isEmpty ? Self.dead : self.state(closing: next)
        terms.work.spend(range.count >> 3)
        if terms.work.isExhausted { return Self.dead }
        steps.set(key, result)
        return result
    }

    /// The moves of a local state by a symbol, made once.
    mutating func moveRange(_ local: Int32, _ symbol: Int) -> Range<Int> {
        let key = UInt64(UInt32(bitPattern: local)) << 12 | UInt64(symbol)
        if let known = moveIndex[key] { return Int(moveStarts[Int(known)])..<Int(moveStarts[Int(known) + 1]) }
        var made: [Move] = []
        swap(&made, &scratchMoves)
        makeMoves(locals[Int(local)], symbol, into: &made)
        moves += made
        terms.work.spend(1 + made.count >> 2)
        made.removeAll(keepingCapacity: true)
        swap(&made, &scratchMoves)
        let index = Int32(moveStarts.count - 1)
        moveStarts.append(Int32(moves.count))
        moveIndex.set(key, index)
        return Int(moveStarts[Int(index)])..<Int(moveStarts[Int(index) + 1])
    }

    /// Bytes that a local state takes.
    mutating func bytes(of local: Int32) -> ByteSet {
        if let known = localBytes[Int(local)] { return known }
        let made = makeBytes(local)
        localBytes[Int(local)] = made
        return made
    }

    /// Bytes to the end of the value that a local state stands in, at most.
    mutating func localCost(_ local: Int32) -> Int32 {
        let known = localCosts[Int(local)]
        if known >= 0 { return known }
        let made = makeCost(locals[Int(local)])
        localCosts[Int(local)] = made
        return made
    }
}
