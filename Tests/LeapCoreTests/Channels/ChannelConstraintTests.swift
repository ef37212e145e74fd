import LeapEngine
import LeapGrammar
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Answers in a form, and calls, of models whose replies are messages on channels.
@Suite(.inTurns)
struct ChannelConstraintTests {
    private static let vocabulary = ChannelVocabulary.harmony
    private static let schema =
        #"{"type": "object", "properties": {"answer": {"type": "string"}, "sure": {"type": "boolean"}}, "required": ["answer", "sure"], "additionalProperties": false}"#
    private static let weather = LeapFunction(
        name: "get_weather", description: "",
        parameters: [LeapFunctionParameter(name: "city", type: .string(StringType()), description: "")])

    private func constraint(
        schema: String? = nil, extras: String = "{}", functions: [LeapFunction] = [], openTurn: String = "",
        budget: Int = 120, style: any CallStyle = HarmonyFunctionCallParser()
    ) throws -> (any TokenConstraint)? {
        try Self.vocabulary.constraint(
            schema: schema, extras: extras, functions: functions, openTurn: openTurn, budget: budget, style: style)
    }

    private func admits(_ text: String, _ constraint: (any TokenConstraint)?) throws -> Bool {
        try Self.vocabulary.admits(text, constraint)
    }

    private static let thought = "<|channel|>analysis<|message|>Hm, {\"x\"}.<|end|><|start|>assistant"
    private static let answer = #"<|channel|>final<|message|>{"answer": "Yes.", "sure": true}"#
    private static let call =
        #"<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Rome"}"#
    private static let text = "<|channel|>final<|message|>Rome is warm."

    @Test("An answer in a form stands on its channel, with reasoning in front of it or none")
    func forms() throws {
        func admits(_ text: String) throws -> Bool { try self.admits(text, constraint(schema: Self.schema)) }
        #expect(try admits(Self.answer) && admits(Self.thought + Self.answer))
        #expect(try admits(Self.thought + Self.thought + Self.answer))
        #expect(try !admits(Self.text) && !admits(Self.call) && !admits(Self.thought) && !admits(""))
        #expect(try !admits(#"{"answer": "Yes.", "sure": true}"#))
        #expect(try !admits("<|channel|>analysis<|message|>Hm.<|channel|>"))
    }

    @Test("The prompt may have begun the header")
    func openTurns() throws {
        let open = try constraint(schema: Self.schema, openTurn: "<|channel|>final<|message|>")
        #expect(try admits(#"{"answer": "Yes.", "sure": true}"#, open))
        let reasoning = try constraint(schema: Self.schema, openTurn: "<|channel|>analysis<|message|>")
        #expect(try admits("Hm.<|end|><|start|>assistant" + Self.answer, reasoning))
        // A header that the format does not have: the text comes at once.
        let strange = try constraint(schema: Self.schema, openTurn: "<|channel|>strange<|message|>")
        #expect(try admits(#"{"answer": "Yes.", "sure": true}"#, strange))
    }

    @Test("Calls that are demanded come, whole, and nothing else")
    func demanded() throws {
        for choice in ["required", "get_weather"] {
            func admits(_ text: String) throws -> Bool {
                try self.admits(text, constraint(extras: #"{"toolChoice": "\#(choice)"}"#, functions: [Self.weather]))
            }
            #expect(try admits(Self.call) && admits(Self.call + "<|call|>") && admits(Self.thought + Self.call))
            #expect(try !admits(Self.text) && !admits("<|channel|>commentary<|message|>Let me see."))
            #expect(try !admits(Self.call.replacing("Rome\"", with: "Rome\", \"x\": 1")))
        }
    }

    @Test("Calls that are free keep to their functions, beside text on other channels")
    func free() throws {
        func admits(_ text: String) throws -> Bool {
            try self.admits(text, constraint(extras: #"{"toolChoice": "auto"}"#, functions: [Self.weather]))
        }
        let preamble = "<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant"
        #expect(try admits(Self.call) && admits(Self.text) && admits(preamble + Self.call))
        #expect(try admits(Self.thought + preamble + Self.thought + Self.text))
        #expect(try !admits(Self.call.replacing("city", with: "town")))
        #expect(try !admits(Self.call.replacing("get_weather", with: "get_news")))
    }

    @Test("A reply is an answer in a form or a call, each on its channel")
    func either() throws {
        func admits(_ text: String) throws -> Bool {
            try self.admits(text, constraint(schema: Self.schema, functions: [Self.weather]))
        }
        #expect(try admits(Self.answer) && admits(Self.thought + Self.call))
        #expect(try !admits(Self.text))
        #expect(try !admits(#"<|channel|>final<|message|>{"city": "Rome"}"#))
    }

    @Test("Calls in a style of another model stand in the answer's channel")
    func otherStyle() throws {
        let hermes = HermesFunctionCallParser()
        let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>"
        let demanded = try constraint(
            extras: #"{"toolChoice": "required"}"#, functions: [Self.weather], style: hermes)
        #expect(try admits("<|channel|>final<|message|>" + call, demanded))
    }

    @Test("Calls can be forbidden")
    func forbidden() throws {
        func admits(_ text: String) throws -> Bool {
            try self.admits(text, constraint(extras: #"{"toolChoice": "none"}"#, functions: []))
        }
        #expect(try admits(Self.text) && !admits(Self.call))
    }

    @Test(
        "An answer is whole however few tokens there are, as long as it fits",
        arguments: TestLevel.cases([24, 30, 45, 80, 200], standard: 3))
    func budgets(budget: Int) throws {
        for seed in TestLevel.seeds(3, all: 12) {
            let constraint = try #require(try constraint(schema: Self.schema, budget: budget))
            let tokens = try Self.vocabulary.babble(constraint, budget: budget, seed: seed)
            var parser = ResponseParser(.init(openTurn: ""))
            for token in tokens {
                _ = parser.consume(Self.vocabulary.bytes(token, marks: ChannelForm.harmony.marks))
            }
            _ = parser.finish(.natural)
            #expect(
                parser.text.hasPrefix("{") && parser.text.hasSuffix("}"),
                "\(budget), \(seed): \(Self.vocabulary.tokenizer.decode(tokens))")
        }
    }
}
