/// Rewrites rules that can begin with themselves, directly or through others, so that they read something first.
///
/// The rules of a cycle are read as equations Aᵢ = ⋃ⱼ Aⱼ αⱼᵢ ∪ βᵢ, whose solution is Aᵢ = ⋃ₖ βₖ Zₖᵢ with
/// Zₖᵢ = ⋃ⱼ αₖⱼ Zⱼᵢ (∪ ε where k = i): each text begins with some βₖ, and what follows it is read forwards. Empty texts
/// are set apart before, so that no part in front of a rule on the cycle is empty.
struct LeftRecursion {
    private var program: GrammarProgram
    private let ruleCount: Int
    /// Per rule: the cycle that it lies on, −1 where it is on none.
    private var cycle: [Int]
    /// Per rule: the rule of its texts that are not empty.
    private var nonEmpty: [Int32: Int32] = [:]
    private var pendingNonEmpty: [Int32] = []
    /// Z by its two rules.
    private var rests: [Int64: Int32] = [:]
    private var pendingRests: [(from: Int32, to: Int32)] = []
    /// Per rule of a cycle: αs by the rule in front, and βs, once they are known.
    private var equations: [Int32: Equation] = [:]
    private var symbolCount = 0

    /// A rule that cannot be rewritten within the limits.
    struct TooLarge: Error {
        var rule: Int
        var reason: String {
            "is left-recursive through too many rules: rewritten without it, the grammar has more than "
                + "\(maximumRules) rules or \(maximumSymbols) elements; write repetitions with * or +, "
                + "or put the recursion last"
        }
    }

    private struct Equation {
        var recursive: [(first: Int32, rest: [RuleProgram.Symbol])] = []
        var others: [[RuleProgram.Symbol]] = []
    }

    private static let maximumRules = 20_000
    private static let maximumSymbols = 400_000

    /// Rewrites what has to be rewritten.
    ///
    /// - Returns: Whether anything was.
    static func remove(from program: inout GrammarProgram) throws(TooLarge) -> Bool {
        let cycles = cycles(program)
        guard cycles.contains(where: { $0 >= 0 }) else { return false }
        var removal = LeftRecursion(program, cycles)
        try removal.rewrite()
        program = removal.program
        return true
    }

    private init(_ program: GrammarProgram, _ cycles: [Int]) {
        self.program = program
        ruleCount = program.rules.count
        cycle = cycles
    }

    /// Per rule: the cycle of rules in which one begins with another and goes on after it.
    ///
    /// Rules of a cycle after which nothing follows only stand for one another; those need no rewriting.
    private static func cycles(_ program: GrammarProgram) -> [Int] {
        var edges: [[(rule: Int, isLast: Bool)]] = []
        for rule in program.rules {
            var own: [(rule: Int, isLast: Bool)] = []
            for alternative in rule.alternatives {
                for (index, symbol) in alternative.enumerated() {
                    if case .rule(let other) = symbol { own.append((Int(other), index + 1 == alternative.count)) }
                    if !RuleCosts.isEmptyPossible(symbol, program, program.terms) { break }
                }
            }
            edges.append(own)
        }
        var group = [Int](repeating: -1, count: program.rules.count)
        for (number, members) in StronglyConnectedComponents.groups(edges.map { $0.map(\.rule) }).enumerated() {
            for rule in members { group[rule] = number }
        }
        var isLeftRecursive: Set<Int> = []
        for (rule, own) in edges.enumerated() {
            for edge in own where !edge.isLast && group[edge.rule] == group[rule] {
                isLeftRecursive.insert(group[rule])
            }
        }
        return group.map { isLeftRecursive.contains($0) ? $0 : -1 }
    }

    private mutating func rewrite() throws(TooLarge) {
        for rule in 0..<Int32(ruleCount) where cycle[Int(rule)] >= 0 {
            let isNullable = program.rules[Int(rule)].isNullable
            let other = try withoutEmpty(rule)
            rewritten[rule] = [[.rule(other)]] + (isNullable ? [[]] : [])
        }
        while true {
            if let rule = pendingNonEmpty.popLast() {
                try fillNonEmpty(rule)
            } else if let (from, to) = pendingRests.popLast() {
                try fillRest(from, to)
            } else {
                break
            }
        }
        for (rule, alternatives) in rewritten { program.rules[Int(rule)].alternatives = alternatives }
    }

    /// New alternatives of the rules on cycles, set once nothing reads the old ones any more.
    private var rewritten: [Int32: [[RuleProgram.Symbol]]] = [:]

    private mutating func addRule(like rule: Int32) throws(TooLarge) -> Int32 {
        guard program.rules.count < Self.maximumRules else { throw tooLarge(rule) }
        program.rules.append(RuleProgram(name: program.rules[Int(rule)].name, alternatives: []))
        return Int32(program.rules.count - 1)
    }

    private mutating func count(_ symbols: Int, _ rule: Int32) throws(TooLarge) {
        symbolCount += symbols + 1
        if symbolCount > Self.maximumSymbols { throw tooLarge(rule) }
    }

    private func tooLarge(_ rule: Int32) -> TooLarge {
        // New rules are made for old ones, and named like them.
        let name = program.rules[Int(rule)].name
        return TooLarge(rule: program.rules.firstIndex { $0.name == name } ?? 0)
    }

    // MARK: Without the empty text

    /// The rule of a rule's texts that are not empty.
    private mutating func withoutEmpty(_ rule: Int32) throws(TooLarge) -> Int32 {
        if cycle[Int(rule)] < 0, !program.rules[Int(rule)].isNullable { return rule }
        if let known = nonEmpty[rule] { return known }
        let made = try addRule(like: rule)
        nonEmpty[rule] = made
        pendingNonEmpty.append(rule)
        return made
    }

    /// Alternatives for the texts of a rule that are not empty; the first symbol of each is never empty.
    private mutating func splits(_ rule: Int32) throws(TooLarge) -> [[RuleProgram.Symbol]] {
        var result: [[RuleProgram.Symbol]] = []
        for alternative in program.rules[Int(rule)].alternatives {
            for (index, symbol) in alternative.enumerated() {
                var first = symbol
                if case .text(let term) = symbol { first = .text(program.terms.withoutEmpty(term)) }
                if case .text(TermStore.empty) = first {
                } else {
                    try count(alternative.count - index, rule)
                    result.append([first] + alternative[(index + 1)...])
                }
                if !RuleCosts.isEmptyPossible(symbol, program, program.terms) { break }
            }
        }
        return result
    }

    private mutating func fillNonEmpty(_ rule: Int32) throws(TooLarge) {
        guard let target = nonEmpty[rule] else { return }
        var alternatives: [[RuleProgram.Symbol]] = []
        if cycle[Int(rule)] < 0 {
            for split in try splits(rule) { alternatives.append(try withFirstNonEmpty(split)) }
        } else {
            for (source, equation) in try equations(of: rule) {
                if equation.others.isEmpty { continue }
                let rest = try self.rest(source, rule)
                for other in equation.others {
                    try count(other.count, rule)
                    alternatives.append(other + [.rule(rest)])
                }
            }
        }
        program.rules[Int(target)].alternatives = alternatives
    }

    private mutating func withFirstNonEmpty(
        _ symbols: [RuleProgram.Symbol]
    ) throws(TooLarge) -> [RuleProgram.Symbol] {
        guard case .rule(let first)? = symbols.first else { return symbols }
        return [.rule(try withoutEmpty(first))] + symbols.dropFirst()
    }

    // MARK: The cycle

    private mutating func equation(_ rule: Int32) throws(TooLarge) -> Equation {
        if let known = equations[rule] { return known }
        var made = Equation()
        for split in try splits(rule) {
            if case .rule(let first)? = split.first, cycle[Int(first)] == cycle[Int(rule)] {
                made.recursive.append((first, Array(split.dropFirst())))
            } else {
                made.others.append(try withFirstNonEmpty(split))
            }
        }
        equations[rule] = made
        return made
    }

    /// The equations of the rules that a rule can begin with, by the cycle alone.
    private mutating func equations(of rule: Int32) throws(TooLarge) -> [(rule: Int32, equation: Equation)] {
        var result: [(rule: Int32, equation: Equation)] = []
        var seen: Set<Int32> = [rule]
        var pending = [rule]
        while let next = pending.popLast() {
            let equation = try equation(next)
            result.append((next, equation))
            for (first, _) in equation.recursive where seen.insert(first).inserted { pending.append(first) }
            try count(1, rule)
        }
        return result
    }

    /// The rule of what may follow a text of `from`, where together they are a text of `to`.
    private mutating func rest(_ from: Int32, _ to: Int32) throws(TooLarge) -> Int32 {
        let key = Int64(from) << 32 | Int64(to)
        if let known = rests[key] { return known }
        let made = try addRule(like: to)
        rests[key] = made
        pendingRests.append((from, to))
        return made
    }

    private mutating func fillRest(_ from: Int32, _ to: Int32) throws(TooLarge) {
        var alternatives: [[RuleProgram.Symbol]] = from == to ? [[]] : []
        for (rule, equation) in try equations(of: to) {
            for (first, after) in equation.recursive where first == from {
                try count(2 * after.count, to)
                let rest = RuleProgram.Symbol.rule(try rest(rule, to))
                guard rule == to, case .rule(to)? = after.last else {
                    alternatives.append(after + [rest])
                    continue
                }
                // Aᵢ Zᵢᵢ is Aᵢ: operators nest to one side only, and nothing is left to return to.
                alternatives.append(after.dropLast() + [.rule(try withoutEmpty(to))])
                if program.rules[Int(to)].isNullable { alternatives.append(after.dropLast() + [rest]) }
            }
        }
        if let target = rests[Int64(from) << 32 | Int64(to)] {
            program.rules[Int(target)].alternatives = alternatives
        }
    }
}
