/// The properties of a grammar that concern items and keys which must differ from earlier ones.
struct DistinctnessRules {
    /// True if items or keys must differ somewhere, so that a ``Ledger`` is kept.
    let needsLedger: Bool
    /// True if a way out may have to write items or keys that differ.
    let needsDistinctWays: Bool
    /// True if there are undeclared keys of only so many names; false before ``measure(_:_:)``.
    private(set) var hasFewNames = false
    /// The bytes of the largest item that must differ from others, about; 0 before ``measure(_:_:)``.
    private(set) var largestItem: Int32 = 0

    private static let largestCost: Int32 = 1 << 20
    private static let nodesPerItem = 2_000

    init(_ program: GrammarProgram) {
        needsLedger = program.arrays.contains(where: \.isTracked) || program.objects.contains(where: \.tracksKeys)
        needsDistinctWays =
            program.arrays.contains(where: \.isTracked)
            || program.objects.contains { $0.tracksKeys && $0.tracksCount && $0.minimum > 0 }
    }

    /// Finds out what takes work: the numbers of names, and the sizes of items.
    mutating func measure(_ program: GrammarProgram, _ terms: inout TermStore) {
        let endless = ValueCounts.endless
        hasFewNames = program.objects.contains { object in
            object.classes.contains { terms.textCount($0.names, limit: endless) < endless }
        }
        for array in program.arrays where array.isTracked {
            var budget = Self.nodesPerItem
            for choice in array.items.joined() {
                largestItem = max(largestItem, Self.cost(choice.node, program, &terms, &budget))
            }
        }
    }

    /// The bytes of the least value of each alternative of a node, added up as far as the budget goes.
    private static func cost(
        _ node: Int32, _ program: GrammarProgram, _ terms: inout TermStore, _ budget: inout Int
    ) -> Int32 {
        let value = program.nodes[Int(node)]
        var cost = value.cost
        budget -= 1
        guard budget > 0 else { return min(cost, largestCost) }
        if value.string != TermStore.empty { cost = max(cost, terms.cost(value.string)) }
        for id in value.arrays {
            for choice in program.arrays[Int(id)].items.joined() {
                cost = max(cost, TermStore.sum(Self.cost(choice.node, program, &terms, &budget), choice.cost))
            }
        }
        for id in value.objects {
            var sum: Int32 = 2
            for key in program.objects[Int(id)].keys {
                for choice in key.choices {
                    sum = TermStore.sum(
                        sum, TermStore.sum(key.cost, Self.cost(choice.node, program, &terms, &budget)))
                }
            }
            cost = max(cost, sum)
        }
        return min(cost, largestCost)
    }
}
