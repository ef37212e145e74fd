import Testing

@testable import LeapGrammar

/// The numbered tables of an automaton, each alone.
@Suite("Tables of the automaton")
struct AutomatonTableTests {
    private static func bytes(_ text: String) -> ByteSet {
        var set = ByteSet()
        for byte in text.utf8 { set.insert(byte) }
        return set
    }

    @Test("Equal local states have one number, and what is found out of a state stays with it")
    func localStates() {
        var states = LocalStates()
        let first = states.intern(LocalState(kind: .number, a: 1, b: 2))
        let second = states.intern(LocalState(kind: .number, a: 2, b: 1))
        check(first == (0, true) && second == (1, true))
        check(states.intern(LocalState(kind: .number, a: 1, b: 2)) == (0, false))
        check(states.intern(LocalState(kind: .string, a: 1, b: 2)) == (2, true))
        check(states[1].kind == .number && states[1].a == 2 && states[1].b == 1)
        check(states.bytes(0) == nil && states.cost(0) == nil && !states.canEnd(0))
        states.setBytes(0, Self.bytes("12"))
        states.setCost(0, 0)
        states.setCanEnd(0, true)
        check(states.bytes(0) == Self.bytes("12") && states.cost(0) == 0 && states.canEnd(0))
        check(states.bytes(1) == nil && states.cost(1) == nil && !states.canEnd(1))
    }

    @Test("Moves are kept by local state and symbol, with their return points, empty lists too")
    func moves() throws {
        var table = MoveTable()
        check(table.range(3, 65) == nil)
        var list = table.takeScratch()
        check(list.isEmpty)
        list.append(Move(local: 1))
        list.append(Move(local: 2, push: 0))
        check(table.add(3, 65, list) == 0..<2)
        check(table.takeScratch().isEmpty)
        check(table.add(3, 66, []).isEmpty)
        check(table.add(4, 65, [Move(local: 9, push: 7)]) == 2..<3)
        check(table.range(3, 65) == 0..<2)
        check(try required(table.range(3, 66)).isEmpty)
        check(table.range(3, 67) == nil)
        check(table[0].push == nil && table[1].push == 0 && table[2] == Move(local: 9, push: 7))
        check(table.count == 3)
    }

    @Test("A move is as large as its two numbers")
    func moveSize() { check(MemoryLayout<Move>.stride == 8) }

    @Test("Continuations of the same return points are one, in any order and however often each is named")
    func continuations() {
        var table = Continuations()
        check(table.firstEntry(Continuations.root) == nil && table.cost(Continuations.root) == 0)
        let (one, isNew) = table.push(5, Continuations.root)
        check(one != Continuations.root && isNew && table.cost(one) == TermStore.unreachable)
        table.setCost(one, 3)
        check(table.push(5, Continuations.root) == (one, false) && table.cost(one) == 3)
        let (two, _) = table.push(4, one)
        let joined = table.join([(5, 0), (4, one), (5, 0)])
        check(joined.isNew && table.entryCount(joined.id) == 2)
        check(table.join([(4, one), (5, 0)]) == (joined.id, false))
        check(table.entries(joined.id).map { [$0.0, $0.1] } == [[4, one], [5, 0]])
        check(table.firstEntry(two).map { [$0.local, $0.under] } == [4, one])
        // A set of one return point is that return point.
        check(table.join([(4, one)]) == (two, false))
    }

    @Test("States are told apart by their configurations and by whether the text may end, and keep their steps")
    func states() {
        var states = ParserStates()
        let (inside, isNew) = states.intern(7, 2)
        states.describe(bytes: Self.bytes("ab"), cost: 4, isAccepting: false)
        let end = states.intern([7, 2, 1])
        states.describe(bytes: Self.bytes("ab"), cost: 0, isAccepting: true)
        let both = states.intern([7, 2, 8, 3, 0])
        states.describe(bytes: Self.bytes("abc"), cost: 2, isAccepting: false)
        check(isNew && end.isNew && both.isNew && Set([inside, end.id, both.id]).count == 3)
        check(states.intern([7, 2, 0]) == (inside, false))
        check(!states.isAccepting(inside) && states.isAccepting(end.id))
        check(states.onlyLocal(inside) == 7 && states.onlyLocal(both.id) == nil)
        check(states.configurationCount(both.id) == 2 && states.configuration(both.id, 1) == (8, 3))
        check(states.configurations(both.id).map { [$0.local, $0.cont] } == [[7, 2], [8, 3]])
        check(states.bytes(both.id) == Self.bytes("abc") && states.cost(both.id) == 2)
        check(states.step(inside, 97) == nil)
        states.setStep(inside, 97, both.id)
        states.setStep(inside, 98, GrammarAutomaton.dead)
        check(states.step(inside, 97) == both.id && states.step(inside, 98) == GrammarAutomaton.dead)
        check(states.step(both.id, 97) == nil)
    }

    @Test("Of ways out the smallest number of tokens is kept")
    func exits() {
        var exits = ExitCounts()
        check(exits[4] == nil)
        exits.lower(4, to: 9)
        exits.lower(4, to: 12)
        check(exits[4] == 9)
        exits.lower(4, to: 2)
        check(exits[4] == 2 && exits[5] == nil)
    }

    @Test("Bytes are asked of the loops of a local state until each was found out")
    func loops() {
        var table = LoopTable()
        check(table.answer(1, Self.bytes("abc")) == .unknown(Self.bytes("abc")))
        table.keep(1, loops: Self.bytes("ab"), other: nil)
        check(table.answer(1, Self.bytes("ab")) == .loops)
        check(table.answer(1, Self.bytes("abc")) == .unknown(Self.bytes("c")))
        table.keep(1, loops: ByteSet(), other: UInt8(ascii: "c"))
        check(table.answer(1, Self.bytes("abc")) == .leaves)
        check(table.answer(1, Self.bytes("a")) == .loops)
        check(table.answer(2, Self.bytes("a")) == .unknown(Self.bytes("a")))
    }
}
