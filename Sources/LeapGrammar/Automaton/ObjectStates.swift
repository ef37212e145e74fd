/// The object states of an automaton, numbered: how far each object has come, which keys may come next, and what
/// follows each of them.
///
/// Work is charged to the budget that each question is handed.
struct ObjectStates {
    /// An object state with its object's number and the cheapest way to finish it.
    typealias NumberedState = (object: Int32, state: ObjectState, completion: ObjectCompletion)

    private struct Taken: Hashable {
        var id: Int32
        var key: Int32
        var claims: Int32
    }

    private let programs: [GrammarProgram.ObjectProgram]
    private var table = SequenceInterner()
    private var entries: ContiguousArray<NumberedState> = []
    private var successors: [Taken: Int32?] = [:]
    private var firstKeys: [Int32: Int?] = [:]

    init(_ programs: [GrammarProgram.ObjectProgram]) { self.programs = programs }

    /// A rough size in bytes.
    var byteCount: Int { entries.count * 160 }

    @inline(__always)
    subscript(id: Int32) -> NumberedState { entries[Int(id)] }

    /// The object that a state belongs to.
    @inline(__always)
    func program(_ id: Int32) -> GrammarProgram.ObjectProgram { programs[Int(entries[Int(id)].object)] }

    /// Returns the number of a state of an object.
    mutating func number(_ object: Int32, _ state: ObjectState, _ work: inout WorkBudget) -> Int32 {
        let (id, isNew) = table.intern([object] + state.encoded)
        if isNew {
            let program = programs[Int(object)]
            work.spend(ObjectCompletion.steps(program))
            entries.append((object, state, ObjectCompletion(program, state)))
        }
        return id
    }

    /// Returns the state of an object of which nothing was written.
    mutating func start(_ object: Int32, _ work: inout WorkBudget) -> Int32 {
        number(object, ObjectState(programs[Int(object)]), &work)
    }

    /// Returns the state after a declared key with a choice of its value; nil where the object could not end then.
    mutating func taking(_ key: Int, claims: Int32, _ id: Int32, _ work: inout WorkBudget) -> Int32? {
        let memo = Taken(id: id, key: Int32(key), claims: claims)
        if let known = successors[memo] { return known }
        let (object, state, _) = entries[Int(id)]
        let next = number(object, state.taking(key, claims: claims, programs[Int(object)]), &work)
        let result = entries[Int(next)].completion.isPossible ? next : nil
        successors[memo] = .some(result)
        return result
    }

    /// Returns the state after an undeclared key with a choice of its value; nil where the object could not end then.
    mutating func takingFree(claims: Int32, _ id: Int32, _ work: inout WorkBudget) -> Int32? {
        let (object, state, _) = entries[Int(id)]
        let next = number(object, state.takingFree(claims: claims, programs[Int(object)]), &work)
        return entries[Int(next)].completion.isPossible ? next : nil
    }

    /// Returns the number of bytes to the end of the object after the value of a declared key that may come now.
    ///
    /// In simple objects it follows from the state before, so the state after need not be made for the question.
    mutating func costAfter(_ key: Int, claims: Int32, _ id: Int32, _ work: inout WorkBudget) -> Int32 {
        let program = program(id)
        guard program.isSimple else {
            guard let next = taking(key, claims: claims, id, &work) else { return TermStore.unreachable }
            return entries[Int(next)].completion.afterValue
        }
        let completion = entries[Int(id)].completion
        guard completion.isPossible else { return TermStore.unreachable }
        if !program.keys[key].isRequired { return completion.afterValue }
        return completion.afterValue - program.keys[key].cost - 1
    }

    /// True if a declared key may come now.
    mutating func isAdmissible(_ key: Int, _ id: Int32, _ work: inout WorkBudget) -> Bool {
        let program = program(id)
        guard entries[Int(id)].state.isAvailable(key, program) else { return false }
        if program.isSimple { return true }
        for choice in program.keys[key].choices where taking(key, claims: choice.claims, id, &work) != nil {
            return true
        }
        return false
    }

    /// The first position of a declared key that may not come now because of the order of keys: in declared order, no
    /// key after a required one may come before it.
    func orderLimit(_ id: Int32) -> Int {
        let program = program(id)
        guard program.isOrdered else { return program.keys.count }
        var key = Int(entries[Int(id)].state.cursor)
        while key < program.keys.count {
            if program.keys[key].isRequired { return key + 1 }
            key += 1
        }
        return key
    }

    /// Returns the first declared key that may come now; nil where none may.
    mutating func firstAdmissibleKey(_ id: Int32, _ work: inout WorkBudget) -> Int? {
        if let known = firstKeys[id] { return known }
        var key = program(id).isOrdered ? Int(entries[Int(id)].state.cursor) : 0
        let limit = orderLimit(id)
        var result: Int?
        while key < limit, result == nil {
            if isAdmissible(key, id, &work) { result = key }
            key += 1
        }
        firstKeys[id] = .some(result)
        return result
    }

    /// Returns the classes of undeclared keys that may come now.
    mutating func admissibleClasses(_ id: Int32, _ work: inout WorkBudget) -> [Int] {
        let program = program(id)
        if program.classes.isEmpty { return [] }
        if program.isOrdered, !program.tracksSeen {
            let cursor = Int(entries[Int(id)].state.cursor)
            let rest = cursor..<max(program.keys.count, cursor)
            if rest.contains(where: { program.keys[$0].isRequired }) { return [] }
        }
        if program.isSimple { return Array(program.classes.indices) }
        var result: [Int] = []
        for (index, item) in program.classes.enumerated() {
            for choice in item.choices where takingFree(claims: choice.claims, id, &work) != nil {
                result.append(index)
                break
            }
        }
        return result
    }

    /// True if a declared or an undeclared key may come now.
    mutating func hasKey(_ id: Int32, _ work: inout WorkBudget) -> Bool {
        firstAdmissibleKey(id, &work) != nil || !admissibleClasses(id, &work).isEmpty
    }

    /// True if the object may end now.
    func canClose(_ id: Int32) -> Bool {
        let completion = entries[Int(id)].completion
        return completion.isPossible && completion.count == 0
    }
}
