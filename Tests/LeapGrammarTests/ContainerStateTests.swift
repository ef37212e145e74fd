import Testing

@testable import LeapGrammar

/// States of objects and arrays, and numbers of values, each part alone: without an automaton around them.
@Suite("States of objects and arrays")
struct ContainerStateTests {
    private static func program(
        _ schema: String, order: GrammarOptions.PropertyOrder = .any
    ) throws -> GrammarProgram { try Judge.schema(schema, order: order).program }

    private static func key(_ program: GrammarProgram.ObjectProgram, _ name: String) throws -> Int {
        try required(program.keys.firstIndex { $0.text == Array(name.utf8) })
    }

    private static let abc =
        ##"{"type":"object","properties":{"a":{"const":1},"b":{"const":22},"c":{"const":3}},"required":["b"],"additionalProperties":false}"##

    @Test("In declared order no key after a required one comes before it, and none comes twice")
    func order() throws {
        let program = try Self.program(Self.abc, order: .declared)
        var work = WorkBudget(1_000)
        var states = ObjectStates(program.objects)
        let start = states.start(0, &work)
        check(states.firstAdmissibleKey(start, &work) == 0 && states.orderLimit(start) == 2)
        check(!states.canClose(start) && states.hasKey(start, &work))
        let b = try required(states.taking(1, claims: 0, start, &work))
        check(states.canClose(b) && states.firstAdmissibleKey(b, &work) == 2 && states.orderLimit(b) == 3)
        let c = try required(states.taking(2, claims: 0, b, &work))
        check(states.firstAdmissibleKey(c, &work) == nil && !states.hasKey(c, &work) && states.canClose(c))
        check(states[c].object == 0 && states.program(c) === program.objects[0])
    }

    @Test("Equal states have one number, and only a new one takes work")
    func numbers() throws {
        let program = try Self.program(Self.abc)
        var work = WorkBudget(1_000)
        var states = ObjectStates(program.objects)
        let start = states.start(0, &work)
        let spent = work.left
        check(spent < 1_000)
        check(states.start(0, &work) == start && work.left == spent)
        let a = try Self.key(program.objects[0], "a")
        let c = try Self.key(program.objects[0], "c")
        let first = try required(states.taking(a, claims: 0, start, &work))
        let second = try required(states.taking(c, claims: 0, start, &work))
        check(first != second && work.left < spent)
        // In any order the same keys lead to the same state.
        check(states.taking(c, claims: 0, first, &work) == states.taking(a, claims: 0, second, &work))
        check(states.byteCount == 4 * 160)
    }

    @Test("A key after which the object could never end leads nowhere")
    func deadEnds() throws {
        let program = try Self.program(
            ##"{"type":"object","properties":{"a":{},"b":{},"c":{}},"required":["b"],"maxProperties":1,"additionalProperties":false}"##
        )
        var work = WorkBudget(10_000)
        var states = ObjectStates(program.objects)
        let start = states.start(0, &work)
        let a = try Self.key(program.objects[0], "a")
        let b = try Self.key(program.objects[0], "b")
        check(states.taking(a, claims: 0, start, &work) == nil && !states.isAdmissible(a, start, &work))
        // The answer is the same when it is asked for again.
        check(states.taking(a, claims: 0, start, &work) == nil)
        check(states.costAfter(a, claims: 0, start, &work) == TermStore.unreachable)
        check(states.isAdmissible(b, start, &work) && states.costAfter(b, claims: 0, start, &work) == 1)
        check(states.firstAdmissibleKey(start, &work) == b)
    }

    @Test("Declared keys are narrowed byte by byte, and undeclared ones know which declared texts they begin like")
    func spellings() throws {
        let program = try Self.program(
            ##"{"type":"object","properties":{"name":{"const":1},"nape":{"const":2},"x":{"const":3}},"additionalProperties":{"const":4}}"##
        )
        var work = WorkBudget(10_000)
        var states = ObjectStates(program.objects)
        let start = states.start(0, &work)
        let object = program.objects[0]
        var state = LocalState(kind: .declaredKey, a: start, b: 0, c: Int32(object.spelled.count), d: 0)
        check(states.declaredKeyBytes(state, &work) == Self.set("nx"))
        check(states.narrowed(state, UInt8(ascii: "z"), &work).isEmpty)
        for byte in "na".utf8 {
            let range = states.narrowed(state, byte, &work)
            check(range.count == 2)
            state = LocalState(
                kind: .declaredKey, a: start, b: Int32(range.lowerBound), c: Int32(range.upperBound), d: state.d + 1)
        }
        check(states.declaredKeyBytes(state, &work) == Self.set("mp"))
        // me":1}
        check(states.declaredKeyCost(state, &work) == 6)

        var free = LocalState(kind: .freeKey, a: start, b: 0, e: 0, f: Int32(object.texts.count), g: 0)
        check(!states.isDeclared(free) && states.declaredBytes(free) == Self.set("nx\"\\"))
        (free.e, free.f, free.g) = states.exclusion(free, Array("nam".utf8))
        check(free.e + 1 == free.f && free.g == 3 && states.declaredBytes(free) == Self.set("e\"\\"))
        (free.e, free.f, free.g) = states.exclusion(free, character: 0x65)
        check(states.isDeclared(free))
        check(states.exclusion(free, Array("s".utf8)) == (0, 0, 0))
        // The value and the brace.
        check(states.freeValueCost(free, &work) == 2)
        check(states.admissibleClasses(start, &work) == [0])
    }

    private static func set(_ text: String) -> ByteSet {
        var set = ByteSet()
        for byte in text.utf8 { set.insert(byte) }
        return set
    }

    @Test("An array takes as many items as it may have, and ends when it has as many as it must")
    func arrays() throws {
        let program = try Self.program(
            ##"{"type":"array","items":{"enum":[1,22]},"minItems":1,"maxItems":2}"##)
        var work = WorkBudget(1_000)
        var states = ArrayStates(program.arrays)
        let start = states.start(0, &work)
        check(!states.canClose(start) && states.canContinue(start, &work) && !states.isSpelled(start))
        check(!states.isTracked(start))
        // The shortest item and the bracket.
        check(states.itemCost(start, &work) == 2)
        let one = try required(states.choices(start, &work).first).next
        check(states.canClose(one) && states.canContinue(one, &work))
        let two = try required(states.choices(one, &work).first).next
        check(states.canClose(two) && !states.canContinue(two, &work) && states.choices(two, &work).isEmpty)
        check(states[two].array == 0 && states[two].state.index == 2)
        check(states.byteCount == 3 * 120)
    }

    @Test("Items of a list of unique values are told apart byte by byte, and none comes twice")
    func uniqueItems() throws {
        let program = try Self.program(##"{"type":"array","items":{"enum":["ab","ac","d"]},"uniqueItems":true}"##)
        var work = WorkBudget(10_000)
        var states = ArrayStates(program.arrays)
        let start = states.start(0, &work)
        check(states.isSpelled(start) && states.canContinue(start, &work))
        func read(_ text: String, _ array: Int32) -> Int32? {
            var state = states.uniqueStart(array)
            for byte in text.utf8 {
                guard states.uniqueBytes(state).contains(byte) else { return nil }
                switch states.uniqueStep(state, byte, &work) {
                case .inside(let next): state = next
                case .ended(let next): return next
                case nil: return nil
                }
            }
            return nil
        }
        let ab = try required(read("\"ab\"", start))
        check(read("\"ab\"", ab) == nil && read("\"x", start) == nil)
        let d = try required(read("\"d\"", ab))
        let ac = try required(read("\"ac\"", d))
        check(!states.canContinue(ac, &work) && states.canContinue(d, &work))
        // In any order the same values lead to the same state.
        check(try read("\"ab\"", required(read("\"d\"", start))) == d)
        // The quotation marks, one letter and the bracket.
        check(states.uniqueCost(states.uniqueStart(start)) == 4 && states.uniqueCost(states.uniqueStart(d)) == 5)
    }

    @Test(
        "Values are counted up to a limit",
        arguments: [
            (##"{"enum":["a","b","c"]}"##, 3), (##"{"type":"boolean"}"##, 2),
            (##"{"type":"integer","minimum":1,"maximum":9}"##, 9), (##"{"type":"string"}"##, ValueCounts.endless),
            (##"{"type":"array","items":{"type":"boolean"},"minItems":3,"maxItems":3}"##, 8),
            (
                ##"{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},"required":["a"],"additionalProperties":false}"##,
                6
            ),
        ])
    func values(_ schema: String, _ count: Int32) throws {
        let program = try Self.program(schema)
        guard case .value(let node) = program.start else {
            Issue.record("a schema begins with a value")
            return
        }
        var terms = program.terms
        var counts = ValueCounts(program)
        check(counts.valueCount(node, &terms) == count)
        check(counts.valueCount(node, &terms) == count, "as it was kept")
    }

    @Test("Products and sums of numbers of values stop at the limit; rooms are kept by state")
    func arithmetic() throws {
        let endless = ValueCounts.endless
        check(ValueCounts.product(6, 7) == 42 && ValueCounts.product(endless, 2) == endless)
        check(ValueCounts.product(.max, .max) == endless && ValueCounts.product(endless, 0) == 0)
        check(ValueCounts.sum(1, 2) == 3 && ValueCounts.sum(endless, endless) == endless)
        var counts = ValueCounts(try Self.program("true"))
        check(counts.room(3) == nil)
        counts.setRoom(3, 8)
        check(counts.room(3) == 8 && counts.byteCount == 16)
    }

    @Test("What must differ is read off the grammar")
    func distinctness() throws {
        func rules(_ schema: String) throws -> DistinctnessRules {
            let program = try Self.program(schema)
            var terms = program.terms
            var rules = DistinctnessRules(program)
            rules.measure(program, &terms)
            return rules
        }
        let none = try rules(Self.abc)
        check(!none.needsLedger && !none.needsDistinctWays && !none.hasFewNames && none.largestItem == 0)
        let keys = try rules(##"{"type":"object","additionalProperties":{"type":"integer"}}"##)
        check(keys.needsLedger && !keys.needsDistinctWays && !keys.hasFewNames)
        let counted = try rules(
            ##"{"type":"object","propertyNames":{"pattern":"^[ab]$"},"additionalProperties":{"type":"null"},"minProperties":1}"##
        )
        check(counted.needsLedger && counted.needsDistinctWays && counted.hasFewNames)
        let items = try rules(
            ##"{"type":"array","items":{"type":"string","minLength":30},"uniqueItems":true}"##)
        check(items.needsLedger && items.needsDistinctWays && items.largestItem >= 30)
    }
}
