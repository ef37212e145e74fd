import Testing

@testable import LeapGrammar

/// Random grammars against a recogniser that shares nothing with the compiler: it tries every derivation.
@Suite struct GBNFPropertyTests {
    indirect enum Node {
        case text(String)
        case set(String)
        case rule(Int)
        case sequence([Node])
        case choice([Node])
        case repeated(Node, Int, Int)

        var source: String {
            switch self {
            case .text(let text): "\"\(text)\""
            case .set(let members): "[\(members)]"
            case .rule(let index): "r\(index)"
            case .sequence(let parts): parts.map(\.source).joined(separator: " ")
            case .choice(let parts): "(" + parts.map(\.source).joined(separator: " | ") + ")"
            case .repeated(let body, let low, let high):
                switch (low, high) {
                case (0, -1): "(\(body.source))*"
                case (1, -1): "(\(body.source))+"
                case (0, 1): "(\(body.source))?"
                case (let low, -1): "(\(body.source)){\(low),}"
                default: "(\(body.source)){\(low),\(high)}"
                }
            }
        }
    }

    /// Ends of the beginnings of `text[start...]` that a node derives.
    static func ends(_ node: Node, _ rules: [Node], _ text: [Character], _ start: Int, fuel: Int) -> Set<Int> {
        if fuel == 0 { return [] }
        switch node {
        case .text(let part):
            let part = Array(part)
            let end = start + part.count
            return end <= text.count && Array(text[start..<end]) == part ? [end] : []
        case .set(let members): return start < text.count && members.contains(text[start]) ? [start + 1] : []
        case .rule(let index): return ends(rules[index], rules, text, start, fuel: fuel - 1)
        case .sequence(let parts):
            var positions: Set<Int> = [start]
            for part in parts {
                positions = Set(positions.flatMap { ends(part, rules, text, $0, fuel: fuel) })
            }
            return positions
        case .choice(let parts): return Set(parts.flatMap { ends($0, rules, text, start, fuel: fuel) })
        case .repeated(let body, let low, let high):
            var result: Set<Int> = low == 0 ? [start] : []
            var positions: Set<Int> = [start]
            var count = 0
            while !positions.isEmpty, high < 0 || count < high, count < low + text.count + 1 {
                positions = Set(positions.flatMap { ends(body, rules, text, $0, fuel: fuel) })
                count += 1
                if count >= low { result.formUnion(positions) }
            }
            return result
        }
    }

    /// Rules call others, themselves too, only after a character: nothing is left-recursive.
    static func node(_ depth: Int, _ random: inout SeededGenerator) -> Node {
        switch random.below(depth == 0 ? 3 : 7) {
        case 0: return .text(["a", "b", "ab", ""][random.below(4)])
        case 1: return .set(["a", "ab", "b"][random.below(3)])
        case 2, 3: return .sequence([.text(random.below(2) == 0 ? "a" : "b"), .rule(random.below(3))])
        case 4: return .sequence((0..<2 + random.below(2)).map { _ in node(depth - 1, &random) })
        case 5: return .choice((0..<2 + random.below(2)).map { _ in node(depth - 1, &random) })
        default:
            let low = random.below(3)
            let high = random.below(3) == 0 ? -1 : low + random.below(3)
            return .repeated(node(depth - 1, &random), low, high)
        }
    }

    /// The same, with rules that may begin with themselves and others.
    static func leftRecursive(_ depth: Int, _ random: inout SeededGenerator) -> Node {
        switch random.below(depth == 0 ? 3 : 7) {
        case 0: .text(["a", "b", "ab", ""][random.below(4)])
        case 1, 2: .rule(random.below(3))
        case 3: .sequence([.rule(random.below(3)), .text(random.below(2) == 0 ? "a" : "b")])
        case 4: .sequence((0..<2).map { _ in leftRecursive(depth - 1, &random) })
        case 5: .choice((0..<2 + random.below(2)).map { _ in leftRecursive(depth - 1, &random) })
        default:
            .repeated(
                leftRecursive(depth - 1, &random), random.below(2), random.below(2) == 0 ? -1 : 1 + random.below(2))
        }
    }

    /// Texts up to a length that rules derive, from below: what is known grows until nothing is added.
    static func texts(_ rules: [Node], upTo length: Int) -> [Set<String>] {
        var known = [Set<String>](repeating: [], count: rules.count)
        func texts(_ node: Node) -> Set<String> {
            switch node {
            case .text(let text): return text.count <= length ? [text] : []
            case .set(let members): return Set(members.map(String.init))
            case .rule(let index): return known[index]
            case .choice(let parts): return parts.reduce(into: []) { $0.formUnion(texts($1)) }
            case .sequence(let parts): return parts.reduce([""]) { joined($0, texts($1)) }
            case .repeated(let body, let low, let high):
                let one = texts(body)
                var result: Set<String> = []
                var current: Set<String> = [""]
                for count in 0...(high < 0 ? low + length + 1 : high) {
                    if count >= low { result.formUnion(current) }
                    current = joined(current, one)
                }
                return result
            }
        }
        func joined(_ first: Set<String>, _ second: Set<String>) -> Set<String> {
            var result: Set<String> = []
            for a in first { for b in second where a.count + b.count <= length { result.insert(a + b) } }
            return result
        }
        while true {
            let next = rules.map { texts($0) }
            if next == known { return known }
            known = next
        }
    }

    @Test("Random grammars with left recursion admit what can be derived from below")
    func randomLeftRecursion() throws {
        var random = SeededGenerator(6)
        var all = [""]
        for length in 1...5 {
            all += (0..<1 << length).map { bits in String((0..<length).map { bits >> $0 & 1 == 0 ? "a" : "b" }) }
        }
        var compiled = 0
        for _ in 0..<150 {
            let rules = (0..<3).map { _ in Self.leftRecursive(3, &random) }
            let source =
                "root ::= r0\n" + rules.enumerated().map { "r\($0) ::= \($1.source)" }.joined(separator: "\n")
            let expected = Self.texts(rules, upTo: 5)[0]
            let grammar: CompiledGrammar
            do { grammar = try CompiledGrammar.gbnf(source) } catch {
                #expect(error.code == .unsatisfiable && expected.isEmpty, "\(error)\n\(source)")
                continue
            }
            compiled += 1
            for text in all {
                #expect(Judge.accepts(grammar, text) == expected.contains(text), "\(text)\n\(source)")
            }
        }
        #expect(compiled > 50, "\(compiled)")
    }

    @Test("Random grammars admit what trying every derivation admits")
    func randomGrammarsAdmitWhat() throws {
        var random = SeededGenerator(5)
        var judged = (valid: 0, invalid: 0)
        for _ in 0..<200 {
            let rules = (0..<3).map { _ in Self.node(3, &random) }
            let source =
                "root ::= r0\n" + rules.enumerated().map { "r\($0) ::= \($1.source)" }.joined(separator: "\n")
            let grammar: CompiledGrammar
            do { grammar = try CompiledGrammar.gbnf(source) } catch {
                #expect(error.code == .unsatisfiable, "\(error)\n\(source)")
                continue
            }
            for _ in 0..<25 {
                let text = String((0..<random.below(8)).map { _ in random.below(2) == 0 ? "a" : "b" })
                let isValid = Self.ends(rules[0], rules, Array(text), 0, fuel: 12).contains(text.count)
                #expect(Judge.accepts(grammar, text) == isValid, "\(text)\n\(source)")
                if isValid { judged.valid += 1 } else { judged.invalid += 1 }
            }
        }
        #expect(judged.valid > 100 && judged.invalid > 1_000, "the texts judged are of both kinds: \(judged)")
    }
}
