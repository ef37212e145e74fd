import LeapEngine
import LeapGrammar
import LeapJSON
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// A limit on the tokens changes nothing in a reply that need not follow a grammar, but where it is cut off.
@Suite(.inTurns)
struct FreeReplyTests {
    private static let library = ConstraintRunTests.library

    /// Parameters with each keyword that later values, or ways to the end, depend on; and some others.
    private static let parameters = [
        #"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#,
        #"{"type":"array","items":{"type":"integer"},"uniqueItems":true,"minItems":4}"#,
        #"{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","minLength":40}},"required":["a"]},"uniqueItems":true}"#,
        #"{"type":"object","minProperties":1}"#,
        #"{"type":"object","minProperties":5,"additionalProperties":{"type":"integer"}}"#,
        #"{"type":"object","propertyNames":{"pattern":"^[ab]$"},"minProperties":2}"#,
        #"{"type":"object","patternProperties":{"^x":{"type":"null"}},"minProperties":2}"#,
        #"{"type":"object","additionalProperties":{"type":"array","items":{"enum":[1,2,3]},"uniqueItems":true,"minItems":2}}"#,
        #"{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true,"minItems":2}"#,
        #"{"type":"array","contains":{"const":7},"minContains":3}"#,
        #"{"type":"string","minLength":60}"#, #"{"type":"string","pattern":"^[a-z]{30}$"}"#,
        #"{"type":"array","minItems":12}"#, #"{"type":"integer","minimum":1000000}"#,
    ]

    private static let replies = [
        "Once upon a time there was a curious fox named Nina. One morning she walked to the village.",
        "I look it up: [f(<tool> ",
    ]

    private func constraint(_ parameter: String, parser: LeapFunctionCallParser, budget: Int) throws
        -> any TokenConstraint
    {
        let function = try LeapFunction(
            name: "delete_files", description: "d",
            parametersSchema: #"{"type":"object","properties":{"a":\#(parameter)},"required":["a"]}"#)
        var settings = GenerationSettings()
        settings.functionCallParser = parser
        settings.further.toolChoice = .auto
        let constraint = try ConstraintFactory.make(
            settings: settings, functions: [function], library: Self.library)
        return try #require(
            try ConstraintFactory.tokenConstraint(
                constraint, settings: settings, library: Self.library, isReasoningOpen: false,
                available: budget, limit: .maxTokens(budget))?())
    }

    private func mask(_ constraint: inout any TokenConstraint) -> TokenMask {
        var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
        constraint.computeMask(into: &mask)
        return mask
    }

    @Test("Every token may come that may come without a limit", arguments: parameters)
    func masks(parameter: String) throws {
        let tokenizer = Self.library.tokenizer
        for (parser, reply) in [
            (LFMFunctionCallParser() as LeapFunctionCallParser, Self.replies[0]),
            (HermesFunctionCallParser(), Self.replies[1]),
        ] {
            let tokens = tokenizer.encode(reply, addSpecial: false)
            var free: [TokenMask] = []
            var unlimited = try constraint(parameter, parser: parser, budget: 100_000)
            for token in tokens {
                free.append(mask(&unlimited))
                try unlimited.accept(token)
            }
            for budget in TestLevel.isAll ? [1, 2, 3, 5, 9, 14, 40] : [1, 3, 14] {
                var limited = try constraint(parameter, parser: parser, budget: budget)
                for (index, token) in tokens.prefix(budget).enumerated() {
                    #expect(
                        mask(&limited) == free[index], "\(budget): \(tokenizer.decode(Array(tokens.prefix(index))))")
                    #expect(limited.maskWithoutBudget == nil)
                    try limited.accept(token)
                }
            }
        }
    }

    @Test("A call that the limit cuts off is the beginning of the one that it would have been")
    func calls() throws {
        let tokenizer = Self.library.tokenizer
        let parser = LFMFunctionCallParser()
        let reply = tokenizer.encode(
            "Of course. " + parser.toolCallStartToken, addSpecial: false, parseSpecial: true)
        // What a model without sense writes, and what is forced on it.
        func write(budget: Int) throws -> [TokenID] {
            var constraint = try constraint(Self.parameters[0], parser: parser, budget: budget)
            var tokens: [TokenID] = []
            while tokens.count < budget {
                let allowed = mask(&constraint).tokens
                let token = tokens.count < reply.count ? reply[tokens.count] : allowed[allowed.count / 2]
                #expect(allowed.contains(token))
                if Self.library.endTokens.contains(token) { break }
                try constraint.accept(token)
                tokens.append(token)
                for token in constraint.forcedTokens() where tokens.count < budget {
                    try constraint.accept(token)
                    tokens.append(token)
                }
            }
            return tokens
        }
        let whole = try write(budget: 60)
        #expect(whole.count > reply.count + 4)
        for budget in 1..<whole.count {
            #expect(try write(budget: budget) == Array(whole.prefix(budget)), "\(budget)")
        }
    }
}
