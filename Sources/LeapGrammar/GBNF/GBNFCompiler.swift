/// Turns the rules of a GBNF text into a ``GrammarProgram``.
///
/// Each regular part (no recursion inside) becomes one term, so only the recursive skeleton is left as rules.
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
    private var visited = 0

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
            throw GrammarError(.invalidGrammar, at: "1:1", "the grammar has no rule \"\(root)\" to start with")
        }
        for group in StronglyConnectedComponents.groups(references()) {
            settle(group)
            try requireWork(group[0])
        }
        if let term = regular[start] {
            let cost = program.terms.cost(term)
            try requireWork(start)
            guard cost != TermStore.unreachable else { throw endless(start) }
            program.start = .text(term)
            return program
        }
        program.start = .rule(try programRule(start))
        while let (rule, body) = pending.popLast() {
            program.rules[Int(rule)].alternatives = try alternatives(body, owners[Int(rule)])
            try requireWork(owners[Int(rule)])
        }
        try settleCosts()
        let isRewritten: Bool
        do { isRewritten = try LeftRecursion.remove(from: &program) } catch {
            throw tooComplex(owners[error.rule], error.reason)
        }
        if isRewritten { try settleCosts() }
        try requireWork(start)
        guard case .rule(let rule) = program.start, program.rules[Int(rule)].cost != TermStore.unreachable else {
            throw endless(start)
        }
        return program
    }

    private mutating func settleCosts() throws(GrammarError) {
        do { try RuleCosts.settle(&program) } catch {
            let owner = error.rule < owners.count ? owners[error.rule] : 0
            throw tooComplex(owner, "has an alternative whose shortest text is longer than \(Int32.max) bytes")
        }
    }

    private func tooComplex(_ rule: Int, _ what: String) -> GrammarError {
        GrammarError(.tooComplex, at: rules[rule].place.pointer, "the rule \"\(rules[rule].name)\" \(what)")
    }

    private func requireWork(_ rule: Int) throws(GrammarError) {
        guard program.terms.work.isExhausted else { return }
        throw tooComplex(
            rule, "takes the grammar beyond the limit of \(WorkBudget.compiling) steps to compile; simplify it")
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
                    "the rule \"\(rule.name)\" is already defined at \(rules[first].place.pointer)")
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

    /// Elements of a node as a term, or some number above the limit; nil where it is not regular (a rule is regular
    /// once its term is known).
    private mutating func size(_ node: GBNFNode) -> Int? {
        visited += 1
        if visited & 7 == 0 { program.terms.work.spend() }
        switch node {
        case .literal, .characters: return 1
        case .reference(let name, _):
            guard let rule = numbers[name], regular[rule] != nil else { return nil }
            return sizes[rule]
        case .sequence(let parts):
            var total = 1
            for part in parts {
                guard let size = size(part) else { return nil }
                total += size
                if total > Self.maximumTermSize { break }
            }
            return total
        case .alternatives(let parts):
            // Fixed texts are one tree, however many.
            var total = 1
            var hasLiterals = false
            for part in parts {
                if case .literal = part {
                    hasLiterals = true
                    continue
                }
                guard let size = size(part) else { return nil }
                total += size
                if total > Self.maximumTermSize { break }
            }
            return total + (hasLiterals ? 1 : 0)
        case .repetition(let body, _, _): return size(body).map { $0 + 1 }
        }
    }

    /// The term of a regular node.
    private mutating func term(_ node: GBNFNode) -> TermStore.ID {
        switch node {
        case .literal(let characters):
            if characters.isEmpty { return TermStore.epsilon }
            if characters.count == 1 { return program.terms.set(CodePointSet(characters[0])) }
            return program.terms.trie(of: [characters])
        case .characters(let set): return program.terms.set(set)
        case .reference(let name, _): return numbers[name].flatMap { regular[$0] } ?? TermStore.empty
        case .sequence(let parts):
            var terms: [TermStore.ID] = []
            for part in parts { terms.append(term(part)) }
            return program.terms.concat(terms)
        case .alternatives(let parts): return union(parts)
        case .repetition(let body, let minimum, let maximum):
            let inner = term(body)
            return program.terms.repetition(inner, Int32(minimum), Int32(maximum))
        }
    }

    private mutating func union(_ parts: [GBNFNode]) -> TermStore.ID {
        var terms: [TermStore.ID] = []
        var texts: [[UInt32]] = []
        for part in parts {
            if case .literal(let characters) = part, characters.count != 1 {
                texts.append(characters)
            } else {
                terms.append(term(part))
            }
        }
        if !texts.isEmpty { terms.append(program.terms.trie(of: texts)) }
        return program.terms.or(terms)
    }

    private mutating func isTerm(_ node: GBNFNode) -> Bool { (size(node) ?? .max) <= Self.maximumTermSize }

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
                "the grammar expands to more than \(2 * Self.maximumRules) rules")
        }
        program.rules.append(RuleProgram(name: rules[owner].name, alternatives: []))
        owners.append(owner)
        return Int32(program.rules.count - 1)
    }

    private mutating func alternatives(_ node: GBNFNode, _ owner: Int) throws(GrammarError) -> [[RuleProgram.Symbol]] {
        guard case .alternatives(let branches) = node, !isTerm(node) else { return [try symbols(node, owner)] }
        var result: [[RuleProgram.Symbol]] = []
        for (isRegular, group) in groups(branches) {
            if isRegular {
                result.append(text(union(group)))
            } else {
                result.append(try symbols(group[0], owner))
            }
        }
        return result
    }

    /// Parts in a row that are one term together, and those that are none alone.
    private mutating func groups(_ parts: [GBNFNode]) -> [(isRegular: Bool, parts: [GBNFNode])] {
        var result: [(isRegular: Bool, parts: [GBNFNode])] = []
        var size = Int.max
        for part in parts {
            var own = self.size(part) ?? .max
            if case .literal(let characters) = part, characters.count != 1 { own = 0 }
            if own > Self.maximumTermSize {
                result.append((false, [part]))
                size = .max
            } else if size <= Self.maximumTermSize - own, !result.isEmpty {
                result[result.count - 1].parts.append(part)
                size += own
            } else {
                result.append((true, [part]))
                size = own
            }
        }
        return result
    }

    private func text(_ term: TermStore.ID) -> [RuleProgram.Symbol] { term == TermStore.epsilon ? [] : [.text(term)] }

    private mutating func symbols(_ node: GBNFNode, _ owner: Int) throws(GrammarError) -> [RuleProgram.Symbol] {
        if isTerm(node) {
            return text(term(node))
        }
        switch node {
        case .literal, .characters: return []
        case .reference(let name, _):
            guard let rule = numbers[name] else { return [] }
            return [.rule(try programRule(rule))]
        case .sequence(let parts):
            var result: [RuleProgram.Symbol] = []
            for (isRegular, group) in groups(parts) {
                if isRegular {
                    var terms: [TermStore.ID] = []
                    for part in group { terms.append(term(part)) }
                    result += text(program.terms.concat(terms))
                } else {
                    result += try symbols(group[0], owner)
                }
            }
            program.terms.work.spend(result.count >> 2)
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
            throw tooComplex(owner, "repeats a recursive element more than \(Self.maximumCopies) times")
        }
        if maximum == 0 { return [] }
        program.terms.work.spend(minimum >> 2)
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
}
