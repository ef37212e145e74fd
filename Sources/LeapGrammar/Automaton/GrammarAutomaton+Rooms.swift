/// Rooms: numbers of values that can still be made. With more of them than were written, one is left that differs.
extension GrammarAutomaton {
    /// Returns the least number of ways in which the item or key that a state stands in can go on so that each makes
    /// another value; ``ValueCounts/endless`` where nothing has to differ.
    mutating func room(_ state: Int32) -> Int32 {
        if let known = counts.room(state) { return known }
        var best: Int32 = 0
        for (local, cont) in configurations(state) {
            best = max(best, room(local, cont))
            if best == ValueCounts.endless { break }
        }
        if isAccepting(state) { best = ValueCounts.endless }
        counts.setRoom(state, best)
        return best
    }

    private mutating func room(_ local: Int32, _ cont: Int32) -> Int32 {
        let state = locals[local]
        if state.kind == .arrayComma, arrays.isTracked(state.a) {
            return counts.itemCount(arrays.program(state.a), Int(arrays[state.a].state.index), &terms)
        }
        var result = room(state)
        let isKey = state.kind == .freeKey || state.kind == .objectComma
        // An item that has ended is no more to be told from the others of its array, only what is around the array.
        var hasToDiffer = false
        var cont = cont
        var depth = 0
        while result < ValueCounts.endless, cont != Continuations.root, depth < 600,
            let (next, under) = firstEntry(cont)
        {
            let around = locals[next]
            if around.kind == .arrayNext, arrays.isTracked(around.a) {
                hasToDiffer = true
                break
            }
            result = ValueCounts.product(result, room(around))
            cont = under
            depth += 1
        }
        return hasToDiffer || isKey ? result : ValueCounts.endless
    }

    /// The ways to end the value that a local state stands in.
    private mutating func room(_ state: LocalState) -> Int32 {
        switch state.kind {
        case .done, .literal, .uniqueItem: return 1
        case .value: return counts.valueCount(state.a, &terms)
        case .number: return max(program.numbers[Int(state.a)].valueCount(from: state.b, limit: ValueCounts.endless), 1)
        case .string: return state.b == 0 ? max(terms.textCount(state.a, limit: ValueCounts.endless), 1) : 1
        // After white space only the bracket may come.
        case .objectNext where state.b != 0, .arrayNext where state.b != 0: return 1
        case .objectOpen, .objectComma, .objectNext: return objectRoom(state.a, needsKey: state.kind == .objectComma)
        case .declaredKey:
            let description = objects.program(state.a)
            var best: Int32 = 1
            for index in Int(state.b)..<min(Int(state.c), Int(state.b) + 4) {
                let key = description.keys[Int(description.spelled[index].key)]
                // A required key is one of those that are counted anyway.
                guard !key.isRequired, let choice = key.choices.first else { continue }
                best = max(best, counts.valueCount(choice.node, &terms))
            }
            return ValueCounts.product(best, objectRoom(state.a, needsKey: false, isInKey: true))
        case .freeKey:
            let declared = max(state.f - state.e, 0)
            let names = state.d == 0 ? terms.textCount(state.c, limit: ValueCounts.endless) : 1
            return names == ValueCounts.endless ? names : max(names - declared, 1)
        case .colon, .propertyValue:
            return ValueCounts.product(counts.valueCount(state.b, &terms), objectRoom(state.a, needsKey: false))
        case .arrayOpen, .arrayComma, .arrayNext:
            return counts.arrayCount(arrays.program(state.a), from: Int(arrays[state.a].state.index), &terms)
        case .rule, .free, .text: return ValueCounts.endless
        }
    }

    private mutating func objectRoom(_ id: Int32, needsKey: Bool, isInKey: Bool = false) -> Int32 {
        counts.objectCount(objects.program(id), objects[id].state, needsKey: needsKey, isInKey: isInKey, &terms)
    }
}
