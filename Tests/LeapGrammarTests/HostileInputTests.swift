import LeapJSON
import LeapTestSupport
import Testing

@testable import LeapGrammar

/// Schemas, patterns and grammars made to hurt: each is refused with a typed error, or works.
@Suite(.timeLimit(.minutes(30))) struct HostileInputTests {
    private func code(of schema: String) -> GrammarError.Code? {
        do {
            _ = try CompiledGrammar.jsonSchema(schema)
            return nil
        } catch { return error.code }
    }

    @Test("A schema of ten megabytes is refused by its size")
    func schemaTenMegabytesRefused() {
        let names = (0..<600_000).map { "\"name number \($0)\"" }.joined(separator: ",")
        do {
            _ = try CompiledGrammar.jsonSchema("{\"enum\":[\(names)]}")
            Issue.record("compiled")
        } catch {
            #expect(error.code == .tooComplex)
            #expect(error.reason.contains("bytes"), "\(error)")
        }
    }

    @Test("Nesting without end")
    func nestingWithoutEnd() {
        #expect(code(of: String(repeating: "[", count: 100_000)) == .invalidJSON)
        #expect(code(of: String(repeating: "{\"a\":", count: 100_000)) == .invalidJSON)
        let deep =
            String(repeating: "{\"not\":{\"allOf\":[", count: 200) + "{\"type\":\"null\"}"
            + String(repeating: "]}}", count: 200)
        #expect(code(of: deep) != nil)
    }

    @Test("References in cycles")
    func referencesCycles() {
        #expect(code(of: ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##) != nil)
        #expect(code(of: ##"{"allOf":[{"$ref":"#"}]}"##) == .unresolvedReference)
        #expect(code(of: ##"{"not":{"$ref":"#"}}"##) == .unresolvedReference)
        #expect(code(of: ##"{"$ref":"http://example.com/a#/b"}"##) == .unresolvedReference)
        #expect(
            code(of: ##"{"type":"array","items":{"$ref":"#"},"minItems":1}"##) == .unsatisfiable,
            "arrays in arrays without end")
    }

    @Test("Combinations that multiply")
    func combinationsMultiply() {
        func branches(_ count: Int, _ index: Int) -> String {
            (0..<count).map { ##"{"properties":{"k\##(index)":{"const":\##($0)}},"required":["k\##(index)"]}"## }
                .joined(separator: ",")
        }
        for keyword in ["anyOf", "oneOf"] {
            let parts = (0..<24).map { "{\"\(keyword)\":[\(branches(4, $0))]}" }.joined(separator: ",")
            #expect(code(of: "{\"type\":\"object\",\"allOf\":[\(parts)]}") == .tooComplex, "\(keyword)")
        }
        let many = (0..<300).map { ##"{"properties":{"a\##($0)":{"type":"integer"}},"minProperties":\##($0 % 7)}"## }
        #expect(code(of: "{\"oneOf\":[\(many.joined(separator: ","))]}") != nil)
        var defs = ""
        for index in 0..<40 {
            defs +=
                ##""d\##(index)":{"anyOf":[{"$ref":"#/$defs/d\##(index + 1)"},{"allOf":[{"$ref":"#/$defs/d\##(index + 1)"}]}]},"##
        }
        let doubled = ##"{"$ref":"#/$defs/d0","$defs":{\##(defs)"d40":{"type":"null"}}}"##
        #expect(code(of: doubled) == nil, "shared subschemas are read once")
    }

    @Test("Hundreds of alternatives are one union; their number is bounded by the work they make")
    func manyAlternatives() throws {
        let objects = (0..<420).map { "{\"k\":\($0),\"v\":[\($0)]}" }.joined(separator: ",")
        let grammar = try CompiledGrammar.jsonSchema("{\"enum\":[\(objects)]}")
        #expect(Judge.accepts(grammar, "{\"k\": 419, \"v\": [419]}"))
        #expect(!Judge.accepts(grammar, "{\"k\": 419, \"v\": [417]}"))
        let many = (0..<2_100).map { "{\"const\":[\($0)]}" }.joined(separator: ",")
        #expect(code(of: "{\"anyOf\":[\(many)]}") == .tooComplex)
    }

    @Test("Patterns that take other matchers forever")
    func patternsTakeOtherMatchers() throws {
        for (pattern, text) in [
            ("^(a*)*b$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"), ("^(a|aa)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ("^(([a-z])+.)+[A-Z]([a-z])+$", "aaaaaaaaaaaaaaaaaaaaaAa"), ("^(x+x+)+y$", "xxxxxxxxxxxxxxxxxxxxxxxxxy"),
            ("(.*)(.*)(.*)(.*)[^a]$", "aaaaaaaaaaaaaaaaaaaab"),
        ] {
            let grammar = try CompiledGrammar.jsonSchema("{\"type\":\"string\",\"pattern\":\"\(pattern)\"}")
            #expect(Judge.accepts(grammar, "\"\(text)\""), "\(pattern)")
        }
    }

    /// Patterns that are longer than a line of a log.
    private static let hostilePatterns: [String] = [
        String(repeating: "a?", count: 9_000), String(repeating: "(", count: 3_000),
        String(repeating: "(a|b", count: 150) + String(repeating: ")*", count: 150),
        "((((a{1,1000}){1,1000}){1,1000}){1,1000}){1,1000}", "a{1000000}b{1000000}", "(a{0,999}b{0,999}){0,999}",
        String(repeating: "(a|b)", count: 1_500), "[" + String(repeating: "a-z", count: 6_000) + "]",
        "(^a|b$)*" + String(repeating: "(^c|d$)*", count: 8), String(repeating: "a", count: 30_000),
        "^(" + (0..<600).map { "w\($0)x{0,9}" }.joined(separator: "|") + ")*$",
    ]

    @Test("Patterns too large, too deep or too often repeated", arguments: hostilePatterns.indices)
    func patterns(index: Int) {
        let pattern = Self.hostilePatterns[index]
        // No expectation but that it returns: with a grammar that can be walked, or with an error.
        for schema in ["{\"type\":\"string\",\"pattern\":\"\(pattern)\"}", "{\"not\":{\"pattern\":\"\(pattern)\"}}"] {
            guard let grammar = try? CompiledGrammar.jsonSchema(schema) else { continue }
            let matcher = grammar.matcher(vocabulary: TestVocabulary.mixed)
            _ = matcher.accept(bytes: "\"aaab".utf8)
            _ = matcher.mask()
        }
        _ = try? CompiledGrammar.regex(pattern)
    }

    @Test("Numbers at the edges")
    func numbersEdges() {
        #expect(code(of: ##"{"minimum":1e999999999}"##) == .invalidJSON)
        #expect(code(of: ##"{"type":"number","minimum":1e5000}"##) != nil)
        #expect(code(of: ##"{"type":"number","multipleOf":1e-400}"##) != nil)
        #expect(code(of: ##"{"type":"integer","multipleOf":999983,"minimum":1,"maximum":999982}"##) != nil)
        #expect(code(of: ##"{"type":"string","minLength":99999999999999999999}"##) != nil)
        #expect(code(of: ##"{"type":"array","minItems":99999999999999999999,"maxItems":3}"##) == .unsatisfiable)
        #expect(code(of: ##"{"type":"object","minProperties":5,"maxProperties":4}"##) == .unsatisfiable)
    }

    @Test("A grammar as large as may be")
    func grammarLargeMay() {
        var text = "root ::= r0\n"
        for index in 0..<3_000 {
            text += "r\(index) ::= \"\" | [ab] r\((index + 1) % 3_000) | r\((index * 7 + 1) % 3_000) \"c\"\n"
        }
        let refused: Bool
        do {
            _ = try CompiledGrammar.gbnf(text)
            refused = false
        } catch { refused = error.code == .tooComplex }
        #expect(refused, "left recursion through thousands of rules is found, and too much to be rewritten")
        #expect(throws: GrammarError.self) { try CompiledGrammar.gbnf(String(repeating: "a ", count: 700_000)) }
    }

    @Test(
        "A schema whose compiling is interrupted for two seconds is judged like any other",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func pausedCompile() async throws {
        let parts = (0..<300).map { ##"{"properties":{"a\##($0)":{"type":"integer"}},"required":["a\##($0)"]}"## }
        let schema = try JSONParser.parse(Array("{\"anyOf\":[\(parts.joined(separator: ","))]}".utf8))
        let compiler = SchemaCompiler(schema, options: GrammarOptions())
        var builder = ProgramBuilder(compiler)
        try await Task.sleep(for: .seconds(2))
        _ = try builder.node(compiler.location(0))
        try builder.finish()
        #expect(builder.program.nodes[0].cost != TermStore.unreachable)
    }

    @Test("Compiling takes the same number of steps each time")
    func stepsAreRepeatable() throws {
        for schema in WalkSchemas.all {
            let counts = try (0..<2).map { _ in try CompiledGrammar.jsonSchema(schema).program.terms.work.left }
            #expect(counts[0] == counts[1], "\(schema)")
        }
    }

    @Test("A budget that no searched answer fits says what was found, not a limit of the search")
    func budgetTooLarge() throws {
        var text = "root ::= a0\n"
        for index in 0..<30 { text += "a\(index) ::= a\(index + 1) a\(index + 1)\n" }
        text += "a30 ::= \"x\""
        let matcher = try CompiledGrammar.gbnf(text).matcher(vocabulary: TestVocabulary.mixed)
        do {
            try matcher.requireBudget(100)
            Issue.record("the budget is enough")
        } catch {
            #expect(error.code == .budgetTooSmall)
            #expect(error.reason.contains("\(1 << 30) bytes") && !error.reason.contains("200000 tokens"), "\(error)")
        }
    }

    @Test("A matcher that gives up says why and allows nothing")
    func matcherGivesUp() throws {
        let matcher = try CompiledGrammar.regex(String(repeating: ".*", count: 550))
            .matcher(vocabulary: TestVocabulary.mixed)
        for _ in 0..<40 where matcher.failure == nil {
            _ = matcher.mask()
            _ = matcher.accept(bytes: "aaaa".utf8)
        }
        #expect(matcher.failure?.code == .tooComplex)
        #expect(matcher.mask().allSatisfy { $0 == 0 })
        #expect(!matcher.isAccepting && !matcher.isFinished && !matcher.accept(0x61))
        matcher.reset()
        #expect(matcher.failure == nil && matcher.accept(0x61))
    }
}
