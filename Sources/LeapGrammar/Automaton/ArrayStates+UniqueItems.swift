/// Arrays of unique values whose spellings are distinguished byte by byte.
///
/// A list of hundreds of values then needs one local state, not one for each value that is left.
extension ArrayStates {
    /// The result of reading a byte of an item.
    enum UniqueStep {
        /// The item goes on.
        case inside(LocalState)
        /// The item has ended: the array state after it.
        case ended(Int32)
    }

    /// True if an array's items are read this way.
    func isSpelled(_ id: Int32) -> Bool { !program(id).spelled.isEmpty }

    /// The local state before an item.
    func uniqueStart(_ id: Int32) -> LocalState {
        let count = program(id).spelled.count
        return LocalState(kind: .uniqueItem, a: id, b: 0, c: Int32(count), d: 0)
    }

    /// True if the array has all the items that it may have.
    private func isFull(_ id: Int32) -> Bool {
        guard let maximum = program(id).maximum else { return false }
        return self[id].state.index >= maximum
    }

    /// Returns what a byte of an item leads to; nil where it may not come.
    mutating func uniqueStep(_ state: LocalState, _ byte: UInt8, _ work: inout WorkBudget) -> UniqueStep? {
        guard !isFull(state.a) else { return nil }
        let (array, used, _) = self[state.a]
        let description = program(state.a)
        let depth = Int(state.d)
        let (low, high) = description.spelled.withUnsafeBufferPointer { spelled in
            var low = Int(state.b)
            while low < Int(state.c), spelled[low].bytes[depth] < byte { low += 1 }
            var high = low
            while high < Int(state.c), spelled[high].bytes[depth] == byte { high += 1 }
            return (low, high)
        }
        let unused = (low..<high).first { !used.hasUsed(description.spelledValues[$0].value) }
        guard let first = unused else { return nil }
        guard description.spelled[first].bytes.count == depth + 1 else {
            return .inside(LocalState(kind: .uniqueItem, a: state.a, b: Int32(low), c: Int32(high), d: state.d + 1))
        }
        let value = description.spelled[first].value
        guard let choice = description.items[0].first(where: { $0.claims == value }),
            let next = used.taking(choice, description)
        else { return nil }
        let nextID = number(array, next, &work)
        return self[nextID].completion.isPossible ? .ended(nextID) : nil
    }

    /// The bytes with which an item goes on.
    func uniqueBytes(_ state: LocalState) -> ByteSet {
        var result = ByteSet()
        let (_, used, completion) = self[state.a]
        if isFull(state.a) || !completion.isPossible { return result }
        let description = program(state.a)
        for index in Int(state.b)..<Int(state.c) where !used.hasUsed(description.spelledValues[index].value) {
            result.insert(description.spelled[index].bytes[Int(state.d)])
        }
        return result
    }

    /// The number of bytes to the end of the array by way of the cheapest value that is left.
    func uniqueCost(_ state: LocalState) -> Int32 {
        let used = self[state.a].state
        let description = program(state.a)
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
