/// How many values can still be made: with more of them than were written, one is left that differs.
extension GrammarAutomaton {
    /// From this many on, values are taken to be without number; so many items or keys are kept apart at most.
    static let endless: Int32 = 4_096

    private static func product(_ a: Int32, _ b: Int32) -> Int32 {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? endless : min(product, endless)
    }

    private static func sum(_ a: Int32, _ b: Int32) -> Int32 { min(a + b, endless) }

    /// In how many ways, at least, the item or key that a state stands in can go on so that each makes another value;
    /// ``endless`` where nothing has to differ.
    mutating func room(_ state: Int32) -> Int32 {
        if let known = rooms[state] { return known }
        var best: Int32 = 0
        for (local, cont) in configurations(state) {
            best = max(best, room(local, cont))
            if best == Self.endless { break }
        }
        if isAccepting(state) { best = Self.endless }
        rooms[state] = best
        return best
    }

    private mutating func room(_ local: Int32, _ cont: Int32) -> Int32 {
        let state = locals[Int(local)]
        if state.kind == .arrayComma, isTracked(array: state.a) {
            let (array, written, _) = arrayStates[Int(state.a)]
            return itemCount(program.arrays[Int(array)], Int(written.index))
        }
        var result = room(state)
        let isKey = state.kind == .freeKey || state.kind == .objectComma
        // An item that has ended is no more to be told from the others of its array, only what is around the array.
        var hasToDiffer = false
        var cont = cont
        var depth = 0
        while result < Self.endless, cont != 0, depth < 600, let (next, under) = firstEntry(cont) {
            let around = locals[Int(next)]
            if around.kind == .arrayNext, isTracked(array: around.a) {
                hasToDiffer = true
                break
            }
            result = Self.product(result, room(around))
            cont = under
            depth += 1
        }
        return hasToDiffer || isKey ? result : Self.endless
    }

    /// The ways to end the value that a local state stands in.
    private mutating func room(_ state: LocalState) -> Int32 {
        switch state.kind {
        case .done, .literal, .uniqueItem: return 1
        case .value: return valueCount(state.a)
        case .number: return max(program.numbers[Int(state.a)].valueCount(from: state.b, limit: Self.endless), 1)
        case .string: return state.b == 0 ? max(terms.textCount(state.a, limit: Self.endless), 1) : 1
        // After white space only the bracket may come.
        case .objectNext where state.b != 0, .arrayNext where state.b != 0: return 1
        case .objectOpen, .objectComma, .objectNext: return objectRoom(state.a, needsKey: state.kind == .objectComma)
        case .declaredKey:
            let (object, _, _) = objectStates[Int(state.a)]
            let description = program.objects[Int(object)]
            var best: Int32 = 1
            for index in Int(state.b)..<min(Int(state.c), Int(state.b) + 4) {
                let key = description.keys[Int(description.spelled[index].key)]
                // A required key is one of those that are counted anyway.
                guard !key.isRequired, let choice = key.choices.first else { continue }
                best = max(best, valueCount(choice.node))
            }
            return Self.product(best, objectRoom(state.a, needsKey: false, isInKey: true))
        case .freeKey:
            let declared = max(state.f - state.e, 0)
            let names = state.d == 0 ? terms.textCount(state.c, limit: Self.endless) : 1
            return names == Self.endless ? names : max(names - declared, 1)
        case .colon, .propertyValue:
            return Self.product(valueCount(state.b), objectRoom(state.a, needsKey: false))
        case .arrayOpen, .arrayComma, .arrayNext: return arrayRoom(state.a)
        case .rule, .free, .text: return Self.endless
        }
    }

    private mutating func objectRoom(_ id: Int32, needsKey: Bool, isInKey: Bool = false) -> Int32 {
        let (object, state, _) = objectStates[Int(id)]
        return objectRoom(program.objects[Int(object)], state, needsKey: needsKey, isInKey: isInKey)
    }

    private mutating func objectRoom(
        _ object: GrammarProgram.ObjectProgram, _ state: ObjectState, needsKey: Bool, isInKey: Bool
    ) -> Int32 {
        var result: Int32 = 1
        for (index, key) in object.keys.enumerated() {
            if result == Self.endless { return result }
            guard state.isAvailable(index, object), let first = key.choices.first else { continue }
            let count = key.choices.count == 1 ? valueCount(first.node) : 1
            if key.isRequired {
                result = Self.product(result, count)
            } else if object.isSimple, !needsKey, !isInKey {
                result = Self.product(result, Self.sum(count, 1))
            } else if needsKey {
                result = max(result, count)
            }
        }
        if object.isSimple || object.maximum < 0 {
            for item in object.classes {
                let names = terms.textCount(item.names, limit: Self.endless)
                let declared = Int32(object.texts.count)
                if names == Self.endless { return names }
                result = max(result, names - declared)
            }
        }
        return result
    }

    private mutating func arrayRoom(_ id: Int32) -> Int32 {
        let (array, state, _) = arrayStates[Int(id)]
        return arrayRoom(program.arrays[Int(array)], from: Int(state.index))
    }

    private mutating func arrayRoom(_ array: GrammarProgram.ArrayProgram, from index: Int) -> Int32 {
        if array.isUnique || !array.contains.isEmpty { return 1 }
        var result: Int32 = 1
        var position = index
        let end = max(Int(array.minimum), 0)
        while position < end, result < Self.endless, position - index < 64 {
            result = Self.product(result, max(itemCount(array, position), 1))
            position += 1
        }
        // Arrays of other lengths are other arrays.
        let rest = itemCount(array, max(position, array.prefixCount))
        if array.maximum < 0, rest > 0 { return Self.endless }
        if Int(array.maximum) > position { result = Self.sum(result, itemCount(array, position)) }
        return result
    }

    private mutating func itemCount(_ array: GrammarProgram.ArrayProgram, _ position: Int) -> Int32 {
        guard let choices = array.items.isEmpty ? nil : array.items[min(position, array.prefixCount)] else { return 0 }
        var best: Int32 = 0
        for choice in choices { best = max(best, valueCount(choice.node)) }
        return best
    }

    /// How many values a node has, at least; at most ``endless``.
    mutating func valueCount(_ node: Int32) -> Int32 {
        if let known = valueCounts[node] { return known }
        // A value inside itself counts once.
        valueCounts[node] = 1
        let value = program.nodes[Int(node)]
        var count = value.literalCount
        if value.string != TermStore.empty {
            count = Self.sum(count, terms.textCount(value.string, limit: Self.endless))
        }
        // Alternatives may overlap: the largest counts.
        var best: Int32 = 0
        for id in value.numbers {
            best = max(best, program.numbers[Int(id)].valueCount(from: 0, limit: Self.endless))
        }
        count = max(count, best)
        best = 0
        for id in value.arrays {
            let array = program.arrays[Int(id)]
            best = max(best, arrayRoom(array, from: 0))
        }
        count = Self.sum(count, best)
        best = 0
        for id in value.objects {
            let object = program.objects[Int(id)]
            best = max(best, objectRoom(object, ObjectState(object), needsKey: false, isInKey: false))
        }
        count = Self.sum(count, best)
        valueCounts[node] = max(count, 1)
        return max(count, 1)
    }
}
