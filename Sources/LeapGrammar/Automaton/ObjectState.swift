/// The progress of an object: the keys that were written, as far as that matters for what may follow.
struct ObjectState {
    /// First declared key that may still come (declared order only).
    var cursor: Int32 = 0
    /// Declared keys written, where counts matter.
    var declared: Int32 = 0
    /// Undeclared keys written, where counts matter.
    var free: Int32 = 0
    /// Obligations met.
    var claims: Int32 = 0
    /// Declared keys written, as bits, where they matter.
    var seen: [UInt64] = []

    init(_ object: GrammarProgram.ObjectProgram) {
        if object.tracksSeen { seen = [UInt64](repeating: 0, count: (object.keys.count + 63) / 64) }
    }

    func hasSeen(_ key: Int) -> Bool { !seen.isEmpty && seen[key >> 6] >> UInt64(key & 63) & 1 == 1 }

    /// True if a declared key may come now by order and use alone.
    func isAvailable(_ key: Int, _ object: GrammarProgram.ObjectProgram) -> Bool {
        if object.keys[key].choices.isEmpty || object.keys[key].cost == TermStore.unreachable { return false }
        if object.isOrdered, key < Int(cursor) { return false }
        return !hasSeen(key)
    }

    func taking(_ key: Int, claims bits: Int32, _ object: GrammarProgram.ObjectProgram) -> ObjectState {
        var next = self
        if object.isOrdered { next.cursor = Int32(key + 1) }
        if object.tracksSeen { next.seen[key >> 6] |= 1 << UInt64(key & 63) }
        if object.tracksCount { next.declared += 1 }
        next.claims |= bits
        return next
    }

    func takingFree(claims bits: Int32, _ object: GrammarProgram.ObjectProgram) -> ObjectState {
        var next = self
        if object.isOrdered { next.cursor = Int32(object.keys.count) }
        if object.tracksCount {
            next.free = min(next.free + 1, max(object.maximum.map { $0 + 1 } ?? 0, object.minimum, 1))
        }
        next.claims |= bits
        return next
    }

    var encoded: ContiguousArray<Int32> {
        var result: ContiguousArray<Int32> = [cursor, declared, free, claims]
        for word in seen {
            result.append(Int32(truncatingIfNeeded: word))
            result.append(Int32(truncatingIfNeeded: word >> 32))
        }
        return result
    }
}

/// The cheapest way to finish an object from a state.
struct ObjectCompletion {
    /// True if there is a way.
    var isPossible: Bool
    /// Properties still to write, at least.
    var count: Int32 = 0
    /// Bytes of these properties, without commas and the brace.
    var cost: Int32 = 0

    /// Bytes to the end right after `{`.
    var afterOpening: Int32 {
        isPossible ? TermStore.sum(cost, max(count - 1, 0) + 1) : TermStore.unreachable
    }

    /// Bytes to the end right after a value.
    var afterValue: Int32 { isPossible ? TermStore.sum(cost, count + 1) : TermStore.unreachable }

    /// Work of finding it, in steps, about.
    static func steps(_ object: GrammarProgram.ObjectProgram) -> Int {
        let keys = object.keys.count
        if object.needCount == 0 { return 1 + keys >> 4 + keys * object.dependencies.count >> 8 }
        let needs = Int(object.needCount)
        let slots = (needs + 2) << needs * (keys + Int(max(object.minimum, 0)) + needs + 1)
        return 1 + slots >> 6 * (keys + object.classes.count)
    }

    init(_ object: GrammarProgram.ObjectProgram, _ state: ObjectState) {
        isPossible = true
        if object.isSimple {
            let first = object.isOrdered ? Int(state.cursor) : 0
            for key in first..<max(object.keys.count, first) where object.keys[key].isRequired && !state.hasSeen(key) {
                count += 1
                cost = TermStore.sum(cost, object.keys[key].cost)
                if object.keys[key].choices.isEmpty { cost = TermStore.unreachable }
            }
            if cost == TermStore.unreachable { isPossible = false }
            return
        }
        var isNeeded = [Bool](repeating: false, count: object.keys.count)
        var pending: [Int] = []
        func need(_ key: Int) {
            if !isNeeded[key], !state.hasSeen(key) {
                isNeeded[key] = true
                pending.append(key)
            }
        }
        let first = object.isOrdered && !object.tracksSeen ? Int(state.cursor) : 0
        for key in first..<max(object.keys.count, first) where object.keys[key].isRequired { need(key) }
        for dependency in object.dependencies where state.hasSeen(Int(dependency.key)) {
            for key in dependency.needs { need(Int(key)) }
        }
        while let key = pending.popLast() {
            guard state.isAvailable(key, object) else {
                isPossible = false
                return
            }
            count += 1
            cost = TermStore.sum(cost, object.keys[key].cost)
            for dependency in object.dependencies where Int(dependency.key) == key {
                for other in dependency.needs { need(Int(other)) }
            }
        }
        if object.needCount > 0 {
            let meeting = NeedSearch(object, state, isNeeded).cheapest
            isPossible = meeting != nil
            (cost, count) = meeting ?? (TermStore.unreachable, 0)
        } else if object.tracksCount {
            meetCounts(object, state, isNeeded)
        }
        if cost == TermStore.unreachable { isPossible = false }
    }

    private mutating func meetCounts(_ object: GrammarProgram.ObjectProgram, _ state: ObjectState, _ isNeeded: [Bool]) {
        var missing = object.minimum - state.declared - state.free - count
        if missing > 0 {
            var prices: [Int32] = []
            for index in object.keys.indices where !isNeeded[index] && state.isAvailable(index, object) {
                if object.dependencies.contains(where: { Int($0.key) == index && !$0.needs.isEmpty }) { continue }
                prices.append(object.keys[index].cost)
            }
            if let free = object.classes.map(\.cost).min(), free != TermStore.unreachable {
                // A key that must differ from n others may need n bytes more.
                for number in 0..<missing { prices.append(TermStore.sum(free, state.free + number)) }
            }
            prices.sort()
            for price in prices.prefix(Int(missing)) where price != TermStore.unreachable {
                cost = TermStore.sum(cost, price)
                count += 1
                missing -= 1
            }
            if missing > 0 { isPossible = false }
        }
        if let maximum = object.maximum, state.declared + state.free + count > maximum { isPossible = false }
    }
}
