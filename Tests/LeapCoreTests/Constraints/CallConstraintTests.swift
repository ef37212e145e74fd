import LeapEngine
import LeapGrammar
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Calls that are held to their functions' parameters, whatever the sampler does.
@Suite(.inTurns)
struct CallConstraintTests {
    private static let library = ConstraintRunTests.library
    private static let functions = [
        LeapFunction(
            name: "get_weather", description: "",
            parameters: [
                LeapFunctionParameter(name: "city", type: .string(StringType()), description: ""),
                LeapFunctionParameter(
                    name: "unit", type: .string(StringType(enumValues: ["celsius", "fahrenheit"])), description: "",
                    optional: true),
                LeapFunctionParameter(name: "days", type: .integer(IntegerType()), description: "", optional: true),
            ]),
        LeapFunction(name: "now", description: "", parameters: []),
        LeapFunction(
            name: "list-open-issues", description: "",
            parameters: [
                LeapFunctionParameter(name: "only-mine", type: .boolean(BooleanType()), description: "")
            ]),
        LeapFunction(
            name: "lights.set", description: "",
            parameters: [
                LeapFunctionParameter(name: "on", type: .boolean(BooleanType()), description: "", optional: true),
                LeapFunctionParameter(
                    name: "rooms", type: .array(ArrayType(itemType: .string(StringType()))), description: ""),
                LeapFunctionParameter(
                    name: "color",
                    type: .object(
                        ObjectType(
                            properties: ["hue": .number(NumberType()), "name": .null(NullType())], required: ["hue"])),
                    description: ""),
            ]),
    ]

    private func plan(
        _ extras: String, parser: LeapFunctionCallParser, budget: Int
    ) throws -> (any TokenConstraint)? {
        var settings = GenerationSettings()
        settings.functionCallParser = parser
        settings.extras = extras
        try settings.readExtras()
        let constraint = try ConstraintFactory.make(
            settings: settings, functions: Self.functions, library: Self.library)
        return try ConstraintFactory.tokenConstraint(
            constraint, settings: settings, library: Self.library, isReasoningOpen: false,
            available: budget, limit: .maxTokens(budget))?()
    }

    /// Returns the tokens that a model without sense writes under a constraint.
    private func babble(_ constraint: any TokenConstraint, budget: Int, seed: UInt64) throws -> [TokenID] {
        var constraint = constraint
        var random = SeededGenerator(seed: seed)
        var tokens: [TokenID] = []
        while tokens.count < budget {
            var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            let allowed = mask.tokens
            try #require(!allowed.isEmpty, "nothing after \(Self.library.tokenizer.decode(tokens))")
            let token = allowed[Int(random.next() % UInt64(allowed.count))]
            if Self.library.endTokens.contains(token) { break }
            var next = [token]
            while let token = next.first {
                next.removeFirst()
                try constraint.accept(token)
                tokens.append(token)
                if constraint.isComplete { return tokens }
                if next.isEmpty, token == tokens.last { next = constraint.forcedTokens() }
            }
        }
        return tokens
    }

    /// Returns the text that begins a call.
    private static func opening(_ parser: LeapFunctionCallParser) -> String {
        parser is Llama3FunctionCallParser ? #"{"name": ""# : parser.toolCallStartToken
    }

    /// A reply as the parser takes it apart.
    private func parse(
        _ tokens: [TokenID], _ parser: LeapFunctionCallParser, _ ending: ResponseParser.Ending = .natural
    ) -> ResponseParser {
        var result = ResponseParser(.init(functionCallParser: parser, functions: Self.functions))
        let marks = [parser.toolCallStartToken, parser.toolCallEndToken].compactMap {
            Self.library.tokenizer.token(for: $0)
        }
        for token in tokens {
            let bytes =
                marks.contains(token)
                ? Array(Self.library.tokenizer.text(of: token).utf8) : Self.library.tokenizer.bytes(of: token)
            _ = result.consume(bytes)
        }
        _ = result.finish(ending)
        return result
    }

    private static let parsers: [LeapFunctionCallParser] =
        CallStyles.all.map { $0.init() } + [MistralFunctionCallParser(namesBeforeArguments: true)]

    @Test(
        "A demanded call is well-formed and fits its function", arguments: 0..<9,
        ["required", "get_weather", "now", "list-open-issues"])
    func demanded(index: Int, choice: String) throws {
        let parser = Self.parsers[index]
        for seed in TestLevel.seeds(1, all: 12) {
            // This vocabulary has no tokens for the marks of two of them.
            let isLong = parser is DeepSeekFunctionCallParser || parser is AtemFunctionCallParser
            let budget = (isLong ? 160 : 60) + Int(seed) * 4
            let constraint = try #require(
                try plan(#"{"toolChoice": "\#(choice)"}"#, parser: parser, budget: budget))
            let tokens = try babble(constraint, budget: budget, seed: seed)
            let reply = parse(tokens, parser)
            #expect(!reply.calls.isEmpty && reply.issues.isEmpty, "\(reply.issues) in \(reply.raw.text)")
            #expect(reply.text.isEmpty)
            if choice != "required" { #expect(reply.calls.map(\.name) == [choice]) }
        }
    }

    @Test(
        "Without parallel calls a reply has at most one, whatever the choice", arguments: 0..<9,
        ["", #""toolChoice": "auto", "#, #""toolChoice": "required", "#])
    func parallelToolCalls(index: Int, choice: String) throws {
        let parser = Self.parsers[index]
        let tokenizer = Self.library.tokenizer
        // A reply that begins with a call's mark, as one that goes on for ever would not be parsed.
        let start = tokenizer.encode(Self.opening(parser), addSpecial: false, parseSpecial: true)
        var counts: Set<Int> = []
        var whole = 0
        for seed in TestLevel.seeds(1, all: 16) {
            var constraint = try #require(
                try plan("{\(choice)\"parallelToolCalls\": false}", parser: parser, budget: 160))
            for token in start { try constraint.accept(token) }
            let tokens = try babble(constraint, budget: 160 - start.count, seed: seed)
            // A call that is not demanded may be cut off by the limit; then it is none.
            let isCutOff = !choice.contains("required") && tokens.count >= 160 - start.count
            let reply = parse(start + tokens, parser, isCutOff ? .cutOff : .natural)
            if isCutOff {
                #expect(reply.calls.count + reply.issues.count == 1, "\(reply.issues) in \(reply.raw.text)")
                #expect(reply.issues.allSatisfy { $0.kind == .incompleteFunctionCall }, "\(reply.issues)")
            } else {
                #expect(reply.calls.count == 1 && reply.issues.isEmpty, "\(reply.issues) in \(reply.raw.text)")
                whole += 1
            }
            constraint = try #require(
                try plan(
                    "{\(choice.isEmpty ? #""toolChoice": "auto", "# : choice)\"parallelToolCalls\": true}",
                    parser: parser, budget: 160))
            for token in start { try constraint.accept(token) }
            counts.insert(
                parse(start + (try babble(constraint, budget: 160 - start.count, seed: seed)), parser).calls.count)
        }
        #expect(whole > 0 || !TestLevel.isAll)
        // Liquid's style writes several calls as one list, which nonsense often does.
        if TestLevel.isAll, parser is LFMFunctionCallParser, choice.contains("required") {
            #expect(counts.contains { $0 > 1 })
        }
    }

    @Test("With auto, text is free and what begins as a call is one", arguments: 0..<9)
    func auto(index: Int) throws {
        let parser = Self.parsers[index]
        let tokenizer = Self.library.tokenizer
        let start = tokenizer.encode(
            "I look it up: [f(<tool> " + Self.opening(parser), addSpecial: false, parseSpecial: true)
        for seed in TestLevel.seeds(1, all: 8) {
            var constraint = try #require(
                try plan(#"{"toolChoice": "auto"}"#, parser: parser, budget: start.count + 100))
            for token in start {
                var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
                constraint.computeMask(into: &mask)
                #expect(mask[token], "\(tokenizer.text(of: token))")
                #expect(Self.library.endTokens.allSatisfy { mask[$0] })
                try constraint.accept(token)
            }
            let tokens = try babble(constraint, budget: 100, seed: seed)
            // Only the limit keeps what began from being a call.
            let isCutOff = tokens.count >= 100
            let reply = parse(start + tokens, parser, isCutOff ? .cutOff : .natural)
            #expect(
                reply.issues.allSatisfy { isCutOff && $0.kind == .incompleteFunctionCall }, "\(reply.issues)")
            // Text before it makes a bare object text too.
            if parser is Llama3FunctionCallParser { continue }
            #expect(reply.text.hasPrefix("I look it up: [f(<tool>"))
        }
    }

    @Test("With auto, a call may begin at any budget, and one that the budget cuts off is none")
    func autoBudget() throws {
        let parser = LFMFunctionCallParser()
        var whole = 0
        for budget in 1..<24 {
            var constraint = try #require(try plan(#"{"toolChoice": "auto"}"#, parser: parser, budget: budget))
            let start = try #require(Self.library.tokenizer.token(for: parser.toolCallStartToken))
            var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            #expect(mask[start])
            try constraint.accept(start)
            let reply = parse([start] + (try babble(constraint, budget: budget - 1, seed: 5)), parser, .cutOff)
            #expect(reply.issues.allSatisfy { $0.kind == .incompleteFunctionCall }, "\(budget): \(reply.issues)")
            if reply.calls.isEmpty { #expect(!reply.issues.isEmpty || budget == 1) } else { whole += 1 }
        }
        #expect(whole < 23)
    }

    @Test("With none, no call begins; a name that is not registered and a parser of one's own are errors")
    func others() throws {
        let parser = LFMFunctionCallParser()
        var constraint = try #require(try plan(#"{"toolChoice": "none"}"#, parser: parser, budget: 10))
        var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
        constraint.computeMask(into: &mask)
        let start = try #require(Self.library.tokenizer.token(for: parser.toolCallStartToken))
        #expect(!mask[start] && mask.allowedCount == mask.count - 1)
        // Where the mark is no token, its last piece is what cannot come.
        let slashes = LeapFunctionCallParser(toolCallStartToken: "call>>", toolCallEndToken: "<<")
        var spelled = try #require(try plan(#"{"toolChoice": "none"}"#, parser: slashes, budget: 10))
        let last = try #require(Self.library.tokenizer.encode(">", addSpecial: false).last)
        for piece in ["call", ">"] {
            for token in Self.library.tokenizer.encode(piece, addSpecial: false) { try spelled.accept(token) }
        }
        spelled.computeMask(into: &mask)
        #expect(!mask[last])
        #expect(try plan("{}", parser: parser, budget: 10) == nil)
        let error = #expect(throws: LeapGenerationException.self) {
            try plan(#"{"toolChoice": "missing"}"#, parser: parser, budget: 10)
        }
        #expect(error?.message.contains("get_weather") == true)
        #expect(throws: LeapGenerationException.self) {
            try plan(
                #"{"toolChoice": "required"}"#,
                parser: LeapFunctionCallParser(toolCallStartToken: "<a>", toolCallEndToken: "</a>"), budget: 10)
        }
        #expect(throws: LeapGenerationTokenBudgetException.self) {
            try plan(#"{"toolChoice": "get_weather"}"#, parser: parser, budget: 4)
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
