/// Shortest spellings of rules.
enum RuleCosts {
    /// A shortest spelling of more bytes than a cost can hold.
    struct TooLong: Error {
        var rule: Int
    }

    private static let never = Int.max / 4

    private static func cost(
        of symbol: RuleProgram.Symbol, _ program: GrammarProgram, _ terms: inout TermStore
    ) -> Int {
        let bytes: Int32
        switch symbol {
        case .characters(let set): bytes = textCost(terms.sets[Int(set)])
        case .bytes(let text): bytes = Int32(clamping: text.count)
        case .rule: return 0
        case .value(let node): bytes = program.nodes[Int(node)].cost
        case .text(let term): bytes = terms.cost(term)
        case .token: bytes = 1
        case .free: bytes = 0
        }
        return bytes == TermStore.unreachable ? never : Int(bytes)
    }

    private static func textCost(_ set: CodePointSet) -> Int32 {
        guard let first = set.ranges.first?.lowerBound else { return TermStore.unreachable }
        return first < 0x80 ? 1 : first < 0x800 ? 2 : first < 0x10000 ? 3 : 4
    }

    /// The costs of all rules, and the removal of alternatives that can never end.
    ///
    /// Cheapest first, so that each alternative is looked at once per rule in it.
    static func settle(_ program: inout GrammarProgram) throws(TooLong) {
        var terms = TermStore()
        swap(&terms, &program.terms)
        defer { swap(&terms, &program.terms) }
        var search = CheapestFirst(program, &terms)
        search.run()
        try keepWhatEnds(&program, search)
        setTailCosts(&program, &terms)
        for (number, group) in StronglyConnectedComponents.groups(beginnings(program, &terms)).enumerated() {
            // Those that lead to others come later.
            for rule in group { program.rules[rule].rank = Int32(program.rules.count - number) }
        }
    }

    /// The costs of rules, found in ascending order.
    private struct CheapestFirst {
        /// The costs of rules so far.
        private(set) var costs: [Int]
        /// Per rule and alternative: the cost of the parts whose cost is known.
        private(set) var sums: [[Int]] = []
        /// Per rule and alternative: the number of rules in it whose cost is not known yet.
        private(set) var missing: [[Int]] = []
        /// The alternatives that use each rule.
        private var uses: [[(rule: Int32, alternative: Int32)]]
        private var queue = CostQueue()

        /// Adds up what is known without the costs of rules.
        init(_ program: GrammarProgram, _ terms: inout TermStore) {
            costs = [Int](repeating: never, count: program.rules.count)
            uses = [[(rule: Int32, alternative: Int32)]](repeating: [], count: program.rules.count)
            for (index, rule) in program.rules.enumerated() {
                var sums: [Int] = []
                var open: [Int] = []
                for (number, alternative) in rule.alternatives.enumerated() {
                    var sum = 0
                    var count = 0
                    for symbol in alternative {
                        sum = min(sum + cost(of: symbol, program, &terms), never)
                        if case .rule(let other) = symbol {
                            uses[Int(other)].append((Int32(index), Int32(number)))
                            count += 1
                        }
                        // Free text may end the rule: what follows it is never owed.
                        if case .free = symbol { break }
                    }
                    sums.append(sum)
                    open.append(count)
                    if count == 0, sum < costs[index] {
                        costs[index] = sum
                        queue.push(sum, Int32(index))
                    }
                }
                self.sums.append(sums)
                missing.append(open)
            }
        }

        mutating func run() {
            var isSettled = [Bool](repeating: false, count: costs.count)
            while let (cost, id) = queue.pop() {
                let rule = Int(id)
                if isSettled[rule] { continue }
                isSettled[rule] = true
                for use in uses[rule] {
                    let (user, alternative) = (Int(use.rule), Int(use.alternative))
                    sums[user][alternative] = min(sums[user][alternative] + cost, never)
                    missing[user][alternative] -= 1
                    if missing[user][alternative] == 0, sums[user][alternative] < costs[user] {
                        costs[user] = sums[user][alternative]
                        queue.push(costs[user], use.rule)
                    }
                }
            }
        }
    }

    /// Leaves each rule the alternatives that can end, and sets its cost.
    private static func keepWhatEnds(_ program: inout GrammarProgram, _ found: CheapestFirst) throws(TooLong) {
        for index in program.rules.indices {
            var kept: [[RuleProgram.Symbol]] = []
            for (number, alternative) in program.rules[index].alternatives.enumerated()
            where found.missing[index][number] == 0 && found.sums[index][number] < never {
                guard found.sums[index][number] < Int(TermStore.unreachable) else { throw TooLong(rule: index) }
                kept.append(alternative)
            }
            program.rules[index].alternatives = kept
            program.rules[index].cost = Int32(clamping: found.costs[index])
            program.rules[index].isNullable = found.costs[index] == 0
        }
    }

    /// Sets the costs from each position of an alternative to its end.
    private static func setTailCosts(_ program: inout GrammarProgram, _ terms: inout TermStore) {
        for index in program.rules.indices {
            var tails: [[Int32]] = []
            for alternative in program.rules[index].alternatives {
                var tail = [Int32](repeating: 0, count: alternative.count + 1)
                for position in alternative.indices.reversed() {
                    var own = Int32(clamping: cost(of: alternative[position], program, &terms))
                    if case .rule(let other) = alternative[position] { own = program.rules[Int(other)].cost }
                    tail[position] = TermStore.sum(own, tail[position + 1])
                    if case .free = alternative[position] { tail[position] = 0 }
                }
                tails.append(tail)
            }
            program.rules[index].tailCosts = tails
        }
    }

    /// Per rule: the rules that it can begin with.
    private static func beginnings(_ program: GrammarProgram, _ terms: inout TermStore) -> [[Int]] {
        var result: [[Int]] = []
        for rule in program.rules {
            var own: Set<Int> = []
            for alternative in rule.alternatives {
                for symbol in alternative {
                    if case .rule(let other) = symbol { own.insert(Int(other)) }
                    if !isEmptyPossible(symbol, program, terms) { break }
                }
            }
            result.append(own.sorted())
        }
        return result
    }

    static func isEmptyPossible(_ symbol: RuleProgram.Symbol, _ program: GrammarProgram, _ terms: TermStore) -> Bool {
        switch symbol {
        case .rule(let rule): program.rules[Int(rule)].isNullable
        case .text(let term): terms[term].isNullable
        case .bytes(let bytes): bytes.isEmpty
        default: false
        }
    }
}
