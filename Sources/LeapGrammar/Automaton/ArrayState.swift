/// The progress of an array: how many items it has, and which obligations they meet.
struct ArrayState: Hashable {
    /// Items written, saturating where more make no difference.
    var index: Int32 = 0
    /// Items claimed per `contains`, saturating.
    var counts: [Int32]
    /// `uniqueItems`: values used, as bits.
    var used: [UInt64]

    init(_ array: GrammarProgram.ArrayProgram) {
        counts = [Int32](repeating: 0, count: array.contains.count)
        let values = array.isUnique ? (array.items.flatMap { $0 }.map(\.claims).max() ?? 0) + 1 : 0
        used = [UInt64](repeating: 0, count: Int(values + 63) / 64)
    }

    func position(_ array: GrammarProgram.ArrayProgram) -> Int { min(Int(index), array.prefixCount) }

    /// The state after one more item; nil where the choice is not possible.
    func taking(_ choice: GrammarProgram.Choice, _ array: GrammarProgram.ArrayProgram) -> ArrayState? {
        if let maximum = array.maximum, index >= maximum { return nil }
        var next = self
        let limit = max(Int32(array.prefixCount), array.minimum, array.maximum ?? 0)
        if next.index < limit { next.index += 1 }
        if array.isUnique {
            let value = Int(choice.claims)
            if used[value >> 6] >> UInt64(value & 63) & 1 == 1 { return nil }
            next.used[value >> 6] |= 1 << UInt64(value & 63)
            return next
        }
        for (bit, contains) in array.contains.enumerated() where choice.claims >> Int32(bit) & 1 == 1 {
            if let maximum = contains.maximum {
                if counts[bit] >= maximum { return nil }
                next.counts[bit] += 1
            } else {
                // Claims beyond the minimum say nothing.
                if counts[bit] >= contains.minimum { return nil }
                next.counts[bit] += 1
            }
        }
        return next
    }

    func hasUsed(_ value: Int32) -> Bool { used[Int(value) >> 6] >> UInt64(value & 63) & 1 == 1 }

    func canClose(_ array: GrammarProgram.ArrayProgram) -> Bool {
        index >= array.minimum && zip(counts, array.contains).allSatisfy { $0 >= $1.minimum }
    }

    var encoded: ContiguousArray<Int32> {
        var result: ContiguousArray<Int32> = [index]
        result += counts
        for word in used {
            result.append(Int32(truncatingIfNeeded: word))
            result.append(Int32(truncatingIfNeeded: word >> 32))
        }
        return result
    }
}

/// The cheapest way to finish an array from a state.
struct ArrayCompletion {
    /// Bytes of the items still to write, without commas and bracket; `TermStore.unreachable` where none will do.
    var cost: Int32 = 0
    /// Items still to write, at least.
    var count: Int32 = 0

    /// True if the search was cut short, so that a way that was not found may still exist.
    private(set) var ranOut = false

    /// Items that a search looks ahead, at most.
    static let maximumDepth = 300

    var isPossible: Bool { cost != TermStore.unreachable }
    /// Bytes to the end right after `[`.
    var afterOpening: Int32 { TermStore.sum(cost, max(count - 1, 0) + 1) }
    /// Bytes to the end right after an item.
    var afterItem: Int32 { TermStore.sum(cost, count + 1) }

    /// Work of finding it, in steps, about.
    static func steps(_ array: GrammarProgram.ArrayProgram) -> Int {
        let choices = array.items.last?.count ?? 0
        if array.isUnique { return 1 + choices >> 2 }
        if array.contains.isEmpty { return 1 + array.prefixCount >> 4 }
        return 1 + min((1 << array.contains.count) * (array.prefixCount + Int(max(array.minimum, 1))), 20_000) >> 1
    }

    init(_ array: GrammarProgram.ArrayProgram, _ state: ArrayState) {
        if array.isUnique {
            guard state.index < array.minimum else { return }
            let prices = array.items[array.prefixCount].filter { state.taking($0, array) != nil }.map(\.cost).sorted()
            let missing = max(Int(array.minimum - state.index), 0)
            let kept = prices.prefix(missing).filter { $0 != TermStore.unreachable }
            count = Int32(missing)
            cost = kept.count < missing ? TermStore.unreachable : kept.reduce(0) { TermStore.sum($0, $1) }
        } else if array.contains.isEmpty {
            var index = state.index
            while index < array.minimum, index < Int32(array.prefixCount) {
                add(array.items[Int(index)], times: 1)
                index += 1
            }
            if index < array.minimum { add(array.items[array.prefixCount], times: array.minimum - index) }
            // An item that must differ from n others may need n bytes more.
            if array.isTracked {
                for index in state.index..<max(array.minimum, state.index) { cost = TermStore.sum(cost, index) }
            }
        } else {
            var memo: [ArrayState: (cost: Int32, count: Int32)] = [:]
            (cost, count) = Self.search(array, state, &memo, depth: 0, &ranOut)
        }
    }

    private mutating func add(_ choices: [GrammarProgram.Choice], times: Int32) {
        let best = choices.map(\.cost).min() ?? TermStore.unreachable
        let (product, overflow) = best.multipliedReportingOverflow(by: times)
        cost = best == TermStore.unreachable || overflow ? TermStore.unreachable : TermStore.sum(cost, product)
        if best != TermStore.unreachable, cost == TermStore.unreachable { ranOut = true }
        count += times
    }

    private static func search(
        _ array: GrammarProgram.ArrayProgram, _ state: ArrayState,
        _ memo: inout [ArrayState: (cost: Int32, count: Int32)], depth: Int, _ ranOut: inout Bool
    ) -> (cost: Int32, count: Int32) {
        if state.canClose(array) { return (0, 0) }
        if let known = memo[state] { return known }
        guard depth < maximumDepth, memo.count < 20_000 else {
            ranOut = true
            return (TermStore.unreachable, 0)
        }
        memo[state] = (TermStore.unreachable, 0)
        var best: (cost: Int32, count: Int32) = (TermStore.unreachable, 0)
        for choice in array.items[state.position(array)] where choice.cost != TermStore.unreachable {
            guard let next = state.taking(choice, array), next != state else { continue }
            let rest = search(array, next, &memo, depth: depth + 1, &ranOut)
            let whole = TermStore.sum(TermStore.sum(rest.cost, choice.cost), 1)
            if whole < best.cost { best = (whole - 1, rest.count + 1) }
        }
        memo[state] = best
        return best
    }
}
