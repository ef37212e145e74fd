/// Arrays of unique values whose spellings are told apart byte by byte.
///
/// A list of hundreds of values then needs one local state, not one for each value that is left.
extension GrammarAutomaton {
    /// Whether an array's items are read this way.
    func isSpelled(_ id: Int32) -> Bool { !program.arrays[Int(arrayStates[Int(id)].array)].spelled.isEmpty }

    /// Before an item.
    func uniqueStart(_ id: Int32) -> LocalState {
        let count = program.arrays[Int(arrayStates[Int(id)].array)].spelled.count
        return LocalState(kind: .uniqueItem, a: id, b: 0, c: Int32(count), d: 0)
    }

    /// Whether one more item may come at all.
    private func isFull(_ id: Int32) -> Bool {
        let (array, state, _) = arrayStates[Int(id)]
        let maximum = program.arrays[Int(array)].maximum
        return maximum >= 0 && state.index >= maximum
    }

    mutating func makeUniqueMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        guard !isFull(state.a) else { return }
        let (array, used, _) = arrayStates[Int(state.a)]
        let description = program.arrays[Int(array)]
        let depth = Int(state.d)
        let (low, high) = description.spelled.withUnsafeBufferPointer { spelled in
            var low = Int(state.b)
            while low < Int(state.c), spelled[low].bytes[depth] < byte { low += 1 }
            var high = low
            while high < Int(state.c), spelled[high].bytes[depth] == byte { high += 1 }
            return (low, high)
        }
        let unused = (low..<high).first { !used.hasUsed(description.spelledValues[$0].value) }
        guard let first = unused else { return }
        guard description.spelled[first].bytes.count == depth + 1 else {
            let next = LocalState(kind: .uniqueItem, a: state.a, b: Int32(low), c: Int32(high), d: state.d + 1)
            out.append(Move(local: local(next), push: -1))
            return
        }
        let value = description.spelled[first].value
        guard let choice = description.items[0].first(where: { $0.claims == value }),
            let next = used.taking(choice, description)
        else { return }
        let nextID = arrayState(array, next)
        if arrayStates[Int(nextID)].completion.isPossible {
            out.append(Move(local: local(LocalState(kind: .arrayNext, a: nextID)), push: -1))
        }
    }

    func uniqueBytes(_ state: LocalState) -> ByteSet {
        var result = ByteSet()
        let (array, used, completion) = arrayStates[Int(state.a)]
        if isFull(state.a) || !completion.isPossible { return result }
        let description = program.arrays[Int(array)]
        for index in Int(state.b)..<Int(state.c) where !used.hasUsed(description.spelledValues[index].value) {
            result.insert(description.spelled[index].bytes[Int(state.d)])
        }
        return result
    }

    /// Bytes to the end of the array by way of the cheapest value that is left.
    func uniqueCost(_ state: LocalState) -> Int32 {
        let (array, used, _) = arrayStates[Int(state.a)]
        let description = program.arrays[Int(array)]
        // What the items after this one cost at least, were this one free.
        let missing = max(Int(description.minimum - used.index) - 1, 0)
        var prices: [(cost: Int32, value: Int32)] = []
        if missing > 0 {
            prices = description.items[0].filter { !used.hasUsed($0.claims) }.map { ($0.cost, $0.claims) }
            prices.sort { $0 < $1 }
        }
        var best = TermStore.unreachable
        for index in Int(state.b)..<Int(state.c) {
            let (value, length) = description.spelledValues[index]
            if used.hasUsed(value) { continue }
            if missing == 0 {
                best = min(best, length - state.d + 1)
                continue
            }
            var rest: Int32 = 0
            let others = prices.prefix(missing + 1).filter { $0.value != value }.prefix(missing)
            if others.count < missing { continue }
            for other in others { rest = TermStore.sum(rest, other.cost) }
            let end = TermStore.sum(rest, Int32(missing) + 1)
            best = min(best, TermStore.sum(length - state.d, end))
        }
        return best
    }
}
