import Testing

@testable import LeapGrammar

/// Shortest spellings of rules, over random grammars, beside sums that are repeated until none gets smaller.
@Suite("Costs of rules")
struct RuleCostTests {
    /// No spelling.
    private static let never = 1_000_000

    private static func randomRules(_ random: inout SeededGenerator) -> [RuleProgram] {
        let count = 1 + random.below(8)
        return (0..<count).map { index in
            let alternatives = (0..<(1 + random.below(3))).map { _ in
                (0..<random.below(4)).map { _ -> RuleProgram.Symbol in
                    switch random.below(6) {
                    case 0...2: .rule(Int32(random.below(count)))
                    case 3: .free(0)
                    case 4: .token(0)
                    default: .bytes([UInt8](repeating: 0x61, count: random.below(5)))
                    }
                }
            }
            return RuleProgram(name: "r\(index)", alternatives: alternatives)
        }
    }

    /// The bytes that a part of an alternative takes; free text may end the rule, so nothing behind it is owed.
    private static func cost(_ symbols: ArraySlice<RuleProgram.Symbol>, _ costs: [Int]) -> Int {
        var sum = 0
        for symbol in symbols {
            switch symbol {
            case .rule(let rule): sum += costs[Int(rule)]
            case .bytes(let bytes): sum += bytes.count
            case .token: sum += 1
            default: return min(sum, never)
            }
        }
        return min(sum, never)
    }

    private static func costs(_ rules: [RuleProgram]) -> [Int] {
        var costs = [Int](repeating: never, count: rules.count)
        while true {
            let next = rules.map { rule in rule.alternatives.map { cost($0[...], costs) }.min() ?? never }
            if next == costs { return costs }
            costs = next
        }
    }

    @Test("They are the least sums, and alternatives that never end are gone", arguments: 0..<40)
    func leastSums(seed: Int) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<25 {
            let rules = Self.randomRules(&random)
            let expected = Self.costs(rules)
            var program = GrammarProgram()
            program.rules = rules
            try RuleCosts.settle(&program)
            for (index, rule) in program.rules.enumerated() {
                let kept = rules[index].alternatives.filter { Self.cost($0[...], expected) < Self.never }
                #expect(rule.alternatives.map { "\($0)" } == kept.map { "\($0)" })
                #expect(rule.isNullable == (expected[index] == 0))
                if !kept.isEmpty { #expect(Int(rule.cost) == expected[index]) }
                let tails = kept.map { alternative in
                    (0...alternative.count).map { place in
                        let cost = Self.cost(alternative[place...], expected)
                        return cost == Self.never ? Int(TermStore.unreachable) : cost
                    }
                }
                #expect(rule.tailCosts.map { $0.map(Int.init) } == tails)
            }
        }
    }

    @Test("A rule that another can begin with has a higher rank, unless each can begin with the other")
    func ranks() throws {
        var program = GrammarProgram()
        let x = RuleProgram.Symbol.bytes([0x78])
        program.rules = [
            RuleProgram(name: "root", alternatives: [[.rule(1), .rule(4)]]),
            RuleProgram(name: "empty or a", alternatives: [[], [.rule(2)]]),
            RuleProgram(name: "a", alternatives: [[.rule(3), x], [x]]),
            RuleProgram(name: "b", alternatives: [[.rule(2), x]]),
            RuleProgram(name: "last", alternatives: [[x, .rule(0)], [x]]),
        ]
        try RuleCosts.settle(&program)
        let ranks = program.rules.map(\.rank)
        #expect(ranks[0] < ranks[1] && ranks[1] < ranks[2] && ranks[2] == ranks[3])
        // The first symbol of the root's may be empty.
        #expect(ranks[0] < ranks[4])
    }

    @Test("A spelling that is longer than a cost can be is refused with its rule")
    func tooLong() {
        var program = GrammarProgram()
        // Each rule is twice the one behind it.
        program.rules = (0..<40).map {
            RuleProgram(name: "r\($0)", alternatives: [$0 == 39 ? [.token(0)] : [.rule($0 + 1), .rule($0 + 1)]])
        }
        #expect(throws: RuleCosts.TooLong.self) { try RuleCosts.settle(&program) }
    }
}
