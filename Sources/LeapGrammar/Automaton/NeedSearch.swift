/// The cheapest properties that meet an object's open obligations together with its counts.
///
/// Exact: every set of keys with every choice of what each value meets, by the obligations met, the declared keys and
/// the undeclared ones written so far. (Keys that need others are used only where they are needed themselves.)
struct NeedSearch {
    /// Bytes without commas, and the number of properties; nil where nothing will do.
    private(set) var cheapest: (cost: Int32, count: Int32)?

    private let masks: Int
    private let declaredLimit: Int
    private let freeLimit: Int
    /// Least bytes by obligations met, declared keys and undeclared ones.
    private var best: [Int32]

    init(_ object: GrammarProgram.ObjectProgram, _ state: ObjectState, _ isNeeded: [Bool]) {
        masks = 1 << Int(object.needCount)
        // Where counts are not kept, the required keys make the minimum.
        let minimum = object.tracksCount ? Int(object.minimum) : 0
        let needed = isNeeded.count { $0 }
        let missing = max(minimum - Int(state.declared + state.free), 0)
        declaredLimit = max(needed, missing) + Int(object.needCount)
        freeLimit = max(Int(object.needCount), missing) + 1
        best = [Int32](repeating: TermStore.unreachable, count: masks * (declaredLimit + 1) * (freeLimit + 1))
        best[slot(Int(state.claims) & (masks - 1), 0, 0)] = 0
        for index in object.keys.indices where isNeeded[index] || state.isAvailable(index, object) {
            let hasNeeds = object.dependencies.contains { Int($0.key) == index && !$0.needs.isEmpty }
            if isNeeded[index] || !hasNeeds { add(object.keys[index], isNeeded: isNeeded[index]) }
        }
        for item in object.classes { add(item) }
        for declared in 0...declaredLimit {
            for free in 0...freeLimit {
                let cost = best[slot(masks - 1, declared, free)]
                let whole = Int(state.declared + state.free) + declared + free
                guard cost != TermStore.unreachable, whole >= minimum,
                    object.maximum.map({ whole <= Int($0) }) ?? true
                else { continue }
                let count = Int32(declared + free)
                if cheapest.map({ TermStore.sum(cost, count) < TermStore.sum($0.cost, $0.count) }) ?? true {
                    cheapest = (cost, count)
                }
            }
        }
    }

    private func slot(_ mask: Int, _ declared: Int, _ free: Int) -> Int {
        (mask * (declaredLimit + 1) + declared) * (freeLimit + 1) + free
    }

    /// Writes a declared key, or not.
    private mutating func add(_ key: GrammarProgram.Key, isNeeded: Bool) {
        guard key.cost != TermStore.unreachable else {
            if isNeeded { best = [Int32](repeating: TermStore.unreachable, count: best.count) }
            return
        }
        let name = key.cost - (key.choices.map(\.cost).min() ?? 0)
        var next = isNeeded ? [Int32](repeating: TermStore.unreachable, count: best.count) : best
        for mask in 0..<masks {
            for declared in 0..<declaredLimit {
                for free in 0...freeLimit {
                    let before = best[slot(mask, declared, free)]
                    if before == TermStore.unreachable { continue }
                    for choice in key.choices {
                        let target = slot(mask | Int(choice.claims), declared + 1, free)
                        next[target] = min(next[target], TermStore.sum(TermStore.sum(before, name), choice.cost))
                    }
                }
            }
        }
        best = next
    }

    /// Writes undeclared keys of a class, any number of them.
    private mutating func add(_ item: GrammarProgram.KeyClass) {
        guard item.cost != TermStore.unreachable else { return }
        let name = item.cost - (item.choices.map(\.cost).min() ?? 0)
        for free in 0..<freeLimit {
            for mask in 0..<masks {
                for declared in 0...declaredLimit {
                    let before = best[slot(mask, declared, free)]
                    if before == TermStore.unreachable { continue }
                    for choice in item.choices {
                        let target = slot(mask | Int(choice.claims), declared, free + 1)
                        best[target] = min(best[target], TermStore.sum(TermStore.sum(before, name), choice.cost))
                    }
                }
            }
        }
    }
}
