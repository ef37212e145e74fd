/// The array states of an automaton, numbered: how far each array has come, and which items may come next.
///
/// Work is charged to the budget that each question is handed.
struct ArrayStates {
    /// An array state with its array's number and the cheapest way to finish it.
    typealias NumberedState = (array: Int32, state: ArrayState, completion: ArrayCompletion)

    private let programs: [GrammarProgram.ArrayProgram]
    private var table = SequenceInterner()
    private var entries: ContiguousArray<NumberedState> = []

    init(_ programs: [GrammarProgram.ArrayProgram]) { self.programs = programs }

    /// A rough size in bytes.
    var byteCount: Int { entries.count * 120 }

    @inline(__always)
    subscript(id: Int32) -> NumberedState { entries[Int(id)] }

    /// The array that a state belongs to.
    @inline(__always)
    func program(_ id: Int32) -> GrammarProgram.ArrayProgram { programs[Int(entries[Int(id)].array)] }

    /// Returns the number of a state of an array.
    mutating func number(_ array: Int32, _ state: ArrayState, _ work: inout WorkBudget) -> Int32 {
        let (id, isNew) = table.intern([array] + state.encoded)
        if isNew {
            let program = programs[Int(array)]
            work.spend(ArrayCompletion.steps(program))
            entries.append((array, state, ArrayCompletion(program, state)))
        }
        return id
    }

    /// Returns the state of an array of which nothing was written.
    mutating func start(_ array: Int32, _ work: inout WorkBudget) -> Int32 {
        number(array, ArrayState(programs[Int(array)]), &work)
    }

    /// True if items of the array must differ, and a ``Ledger`` keeps which were written.
    @inline(__always)
    func isTracked(_ id: Int32) -> Bool { program(id).isTracked }

    /// True if the array may end now.
    func canClose(_ id: Int32) -> Bool { entries[Int(id)].state.canClose(program(id)) }

    /// Returns the choices of the next item with the states after them, where the array can still end.
    mutating func choices(_ id: Int32, _ work: inout WorkBudget) -> [(node: Int32, cost: Int32, next: Int32)] {
        let (array, state, _) = entries[Int(id)]
        let program = programs[Int(array)]
        var result: [(node: Int32, cost: Int32, next: Int32)] = []
        for choice in program.items[state.position(program)] {
            guard let next = state.taking(choice, program) else { continue }
            let nextID = number(array, next, &work)
            if entries[Int(nextID)].completion.isPossible { result.append((choice.node, choice.cost, nextID)) }
        }
        return result
    }

    /// True if one more item may come.
    mutating func canContinue(_ id: Int32, _ work: inout WorkBudget) -> Bool {
        isSpelled(id) ? !uniqueBytes(uniqueStart(id)).isEmpty : !choices(id, &work).isEmpty
    }

    /// Returns the number of bytes to the end of the array by way of the cheapest item.
    mutating func itemCost(_ id: Int32, _ work: inout WorkBudget) -> Int32 {
        var best = TermStore.unreachable
        for choice in choices(id, &work) {
            best = min(best, TermStore.sum(choice.cost, entries[Int(choice.next)].completion.afterItem))
        }
        return best
    }
}
