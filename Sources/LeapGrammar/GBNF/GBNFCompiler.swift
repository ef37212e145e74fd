/// Turns the rules of a GBNF text into a ``GrammarProgram``.
///
/// What is regular (no recursion inside) becomes one term each, so only the recursive skeleton is left as rules.
struct GBNFCompiler {
    private let rules: [GBNFRule]
    private var numbers: [String: Int] = [:]
    private var program = GrammarProgram()
    /// Per rule: its text as a term, where it is regular.
    private var regular: [TermStore.ID?]
    /// Per rule: size as a term.
    private var sizes: [Int]
    /// Per rule: number in the program, −1 where it has none yet.
    private var programNumbers: [Int32]
    private var pending: [(rule: Int32, body: GBNFNode)] = []
    /// Per rule of the program: the rule of the text that it comes from.
    private var owners: [Int] = []

    /// Elements that one term may have; beyond, rules keep terms shallow and bound what they unfold to.
    private static let maximumTermSize = 400
    private static let maximumRules = 4_000
    private static let maximumCopies = 2_000

    /// The program of a grammar text.
    static func program(of text: String, root: String) throws(GrammarError) -> GrammarProgram {
        var compiler = GBNFCompiler(rules: try GBNFParser.parse(text))
        return try compiler.compile(root)
    }

    private init(rules: [GBNFRule]) {
        self.rules = rules
        regular = Array(repeating: nil, count: rules.count)
        sizes = Array(repeating: 0, count: rules.count)
        programNumbers = Array(repeating: -1, count: rules.count)
    }

    private mutating func compile(_ root: String) throws(GrammarError) -> GrammarProgram {
        try number()
        guard let start = numbers[root] else {
            throw GrammarError(.invalidGrammar, at: "1:1", "the grammar has no rule \"\(root)\" to begin with")
        }
        for group in Circles.groups(references()) { settle(group) }
        if let term = regular[start] {
            guard program.terms.cost(term) != TermStore.unreachable else { throw endless(start) }
            program.start = .text(term)
            return program
        }
        program.start = .rule(try programRule(start))
        while let (rule, body) = pending.popLast() {
            program.rules[Int(rule)].alternatives = try alternatives(body, owners[Int(rule)])
        }
        try refuseLeftRecursion()
        RuleCosts.settle(&program)
        guard case .rule(let rule) = program.start, program.rules[Int(rule)].cost != TermStore.unreachable else {
            throw endless(start)
        }
        return program
    }

    private func endless(_ rule: Int) -> GrammarError {
        GrammarError(
            .unsatisfiable, at: rules[rule].place.pointer, "no text ever completes the rule \"\(rules[rule].name)\"")
    }

    /// Numbers the rules by name and looks every reference up.
    private mutating func number() throws(GrammarError) {
        guard rules.count <= Self.maximumRules else {
            throw GrammarError(.tooComplex, at: "1:1", "the grammar has more than \(Self.maximumRules) rules")
        }
        for (index, rule) in rules.enumerated() {
            if let first = numbers[rule.name] {
                throw GrammarError(
                    .invalidGrammar, at: rule.place.pointer,
                    "the rule \"\(rule.name)\" stands at \(rules[first].place.pointer) already")
            }
            numbers[rule.name] = index
        }
        for rule in rules {
            var missing: GrammarError?
            rule.body.forEachReference { name, place in
                if missing == nil, numbers[name] == nil {
                    missing = GrammarError(
                        .invalidGrammar, at: place.pointer,
                        "the rule \"\(name)\", used in \"\(rule.name)\", is not defined")
                }
            }
            if let missing { throw missing }
        }
    }

    // MARK: What is regular

    private func references() -> [[Int]] {
        rules.map { rule in
            var own: [Int] = []
            rule.body.forEachReference { name, _ in if let number = numbers[name] { own.append(number) } }
            return own
        }
    }

    /// Makes the term of a rule that is not recursive, where it is small enough.
    private mutating func settle(_ group: [Int]) {
        guard group.count == 1, let rule = group.first else { return }
        guard let size = size(rules[rule].body), size <= Self.maximumTermSize else { return }
        sizes[rule] = size
        regular[rule] = term(rules[rule].body)
    }

    /// Elements of a node as a term; nil where it is not regular (a rule is regular once its term is known).
    private func size(_ node: GBNFNode) -> Int? {
        switch node {
        case .literal, .characters: return 1
        case .reference(let name, _):
            guard let rule = numbers[name], regular[rule] != nil else { return nil }
            return sizes[rule]
        case .sequence(let parts), .alternatives(let parts):
            var total = 1
            for part in parts {
                guard let size = size(part) else { return nil }
                total += size
            }
            return total
        case .repetition(let body, _, _): return size(body).map { $0 + 1 }
        }
    }

    /// The term of a regular node.
    private mutating func term(_ node: GBNFNode) -> TermStore.ID {
        switch node {
        case .literal(let characters):
            if characters.isEmpty { return TermStore.epsilon }
            if characters.count == 1 { return program.terms.set(CodePointSet(characters[0])) }
            return program.terms.trie(program.terms.tries.build([characters]))
        case .characters(let set): return program.terms.set(set)
        case .reference(let name, _): return numbers[name].flatMap { regular[$0] } ?? TermStore.empty
        case .sequence(let parts):
            var terms: [TermStore.ID] = []
            for part in parts { terms.append(term(part)) }
            return program.terms.concat(terms)
        case .alternatives(let parts):
            var terms: [TermStore.ID] = []
            for part in parts { terms.append(term(part)) }
            return program.terms.or(terms)
        case .repetition(let body, let minimum, let maximum):
            let inner = term(body)
            return program.terms.repetition(inner, Int32(minimum), Int32(maximum))
        }
    }

    private func isTerm(_ node: GBNFNode) -> Bool { (size(node) ?? .max) <= Self.maximumTermSize }

    // MARK: Rules of the program

    private mutating func programRule(_ rule: Int) throws(GrammarError) -> Int32 {
        if programNumbers[rule] >= 0 { return programNumbers[rule] }
        let number = try addRule(owner: rule)
        programNumbers[rule] = number
        pending.append((number, rules[rule].body))
        return number
    }

    private mutating func addRule(owner: Int) throws(GrammarError) -> Int32 {
        guard program.rules.count < 2 * Self.maximumRules else {
            throw GrammarError(
                .tooComplex, at: rules[owner].place.pointer,
                "the grammar unfolds to more than \(2 * Self.maximumRules) rules")
        }
        program.rules.append(RuleProgram(name: rules[owner].name, alternatives: []))
        owners.append(owner)
        return Int32(program.rules.count - 1)
    }

    private mutating func alternatives(_ node: GBNFNode, _ owner: Int) throws(GrammarError) -> [[RuleProgram.Symbol]] {
        guard case .alternatives(let branches) = node, !isTerm(node) else { return [try symbols(node, owner)] }
        var result: [[RuleProgram.Symbol]] = []
        for branch in branches { result.append(try symbols(branch, owner)) }
        return result
    }

    private mutating func symbols(_ node: GBNFNode, _ owner: Int) throws(GrammarError) -> [RuleProgram.Symbol] {
        if isTerm(node) {
            let term = term(node)
            return term == TermStore.epsilon ? [] : [.text(term)]
        }
        switch node {
        case .literal, .characters: return []
        case .reference(let name, _):
            guard let rule = numbers[name] else { return [] }
            return [.rule(try programRule(rule))]
        case .sequence(let parts):
            var result: [RuleProgram.Symbol] = []
            for part in parts { result += try symbols(part, owner) }
            return result
        case .alternatives:
            let inner = try addRule(owner: owner)
            pending.append((inner, node))
            return [.rule(inner)]
        case .repetition(let body, let minimum, let maximum):
            return try copies(body, minimum, maximum, owner)
        }
    }

    /// `body{m,n}` as m copies and a chain of optional ones, or one rule that calls itself at its end.
    private mutating func copies(
        _ body: GBNFNode, _ minimum: Int, _ maximum: Int, _ owner: Int
    ) throws(GrammarError) -> [RuleProgram.Symbol] {
        guard max(minimum, maximum) <= Self.maximumCopies else {
            throw GrammarError(
                .tooComplex, at: rules[owner].place.pointer,
                "\"\(rules[owner].name)\" repeats a recursive element more than \(Self.maximumCopies) times")
        }
        if maximum == 0 { return [] }
        let inner = try addRule(owner: owner)
        pending.append((inner, body))
        var result = [RuleProgram.Symbol](repeating: .rule(inner), count: minimum)
        if maximum < 0 {
            let more = try addRule(owner: owner)
            program.rules[Int(more)].alternatives = [[.rule(inner), .rule(more)], []]
            result.append(.rule(more))
        } else {
            var next: Int32 = -1
            for _ in 0..<maximum - minimum {
                let more = try addRule(owner: owner)
                program.rules[Int(more)].alternatives = [[.rule(inner)] + (next < 0 ? [] : [.rule(next)]), []]
                next = more
            }
            if next >= 0 { result.append(.rule(next)) }
        }
        return result
    }

    // MARK: Left recursion

    /// A rule that can reach itself without reading anything, and then has something to return to, would be entered
    /// without end.
    private mutating func refuseLeftRecursion() throws(GrammarError) {
        let isNullable = nullableRules()
        var edges: [[(rule: Int32, isLast: Bool)]] = []
        for rule in program.rules {
            var own: [(Int32, Bool)] = []
            for alternative in rule.alternatives {
                for (index, symbol) in alternative.enumerated() {
                    if case .rule(let other) = symbol { own.append((other, index + 1 == alternative.count)) }
                    if !isEmptyPossible(symbol, isNullable) { break }
                }
            }
            edges.append(own)
        }
        // A use that is not a tail call must not lie on a circle.
        var circle = [Int](repeating: -1, count: program.rules.count)
        for (number, group) in Circles.groups(edges.map { $0.map { Int($0.rule) } }).enumerated() {
            for rule in group { circle[rule] = number }
        }
        for (rule, own) in edges.enumerated() {
            for edge in own where !edge.isLast && circle[Int(edge.rule)] == circle[rule] {
                let owner = rules[owners[rule]]
                throw GrammarError(
                    .unsupported, at: owner.place.pointer,
                    "the rule \"\(owner.name)\" is left-recursive: it can begin with itself; "
                        + "write the repetition with * or + or put the recursion last")
            }
        }
    }

    private mutating func nullableRules() -> [Bool] {
        var result = [Bool](repeating: false, count: program.rules.count)
        var changed = true
        while changed {
            changed = false
            // Rules come after those that use them.
            for index in program.rules.indices.reversed() where !result[index] {
                let alternatives = program.rules[index].alternatives
                let isNullable = alternatives.contains { $0.allSatisfy { isEmptyPossible($0, result) } }
                if isNullable {
                    result[index] = true
                    changed = true
                }
            }
        }
        return result
    }

    private func isEmptyPossible(_ symbol: RuleProgram.Symbol, _ isNullable: [Bool]) -> Bool {
        switch symbol {
        case .rule(let rule): isNullable[Int(rule)]
        case .text(let term): program.terms[term].isNullable
        default: false
        }
    }
}
