import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Answers in a form, and calls, of models whose replies are messages to recipients.
@Suite(.inTurns)
struct RecipientConstraintTests {
    private static let vocabulary = ChannelVocabulary.recipients
    private static let schema =
        #"{"type": "object", "properties": {"answer": {"type": "string"}, "sure": {"type": "boolean"}}, "required": ["answer", "sure"], "additionalProperties": false}"#
    private static let weather = LeapFunction(
        name: "get_weather", description: "",
        parameters: [
            LeapFunctionParameter(name: "city", type: .string(StringType()), description: ""),
            LeapFunctionParameter(
                name: "days", type: .array(ArrayType(itemType: .integer(IntegerType()))), description: "",
                optional: true),
        ])
    private static let now = LeapFunction(name: "time.now", description: "", parameters: [])

    private func constraint(
        schema: String? = nil, extras: String = "{}", functions: [LeapFunction] = [], openTurn: String = "",
        budget: Int = 240, style: any CallStyle = AtemFunctionCallParser()
    ) throws -> (any TokenConstraint)? {
        try Self.vocabulary.constraint(
            schema: schema, extras: extras, functions: functions, openTurn: openTurn, budget: budget, style: style)
    }

    private static func call(_ name: String, _ parameters: String = "", to recipient: String? = nil) -> String {
        " to=\(recipient ?? name)<|message|><atem:function_calls>\n<atem:invoke name=\"\(name)\">\n\(parameters)"
            + "</atem:invoke>\n</atem:function_calls>"
    }

    private static let next = "<|eom|><|start|>assistant"
    private static let thought = " to=self<|message|>Hm, {\"x\"} <atem:function_calls>." + next
    private static let answer = #" to=user<|message|>{"answer": "Yes.", "sure": true}"#
    private static let text = " to=user<|message|>Rome is warm."
    private static let rome = call("get_weather", "<atem:parameter name=\"city\"> Rome </atem:parameter>\n")

    @Test("An answer in a form goes to the user, with reasoning in front of it or none")
    func forms() throws {
        func admits(_ text: String) throws -> Bool {
            try Self.vocabulary.admits(text, constraint(schema: Self.schema))
        }
        #expect(try admits(Self.answer) && admits(Self.thought + Self.answer))
        #expect(try admits(Self.thought + Self.thought + Self.answer))
        #expect(try !admits(Self.text) && !admits(Self.rome) && !admits(Self.thought) && !admits(""))
        #expect(try !admits(#"{"answer": "Yes.", "sure": true}"#))
        #expect(try !admits(" to=self<|message|>Hm.<|start|>"))
    }

    @Test("The prompt may have begun the header")
    func openTurns() throws {
        func admits(_ text: String, _ openTurn: String) throws -> Bool {
            try Self.vocabulary.admits(text, constraint(schema: Self.schema, openTurn: openTurn))
        }
        #expect(try admits(#"{"answer": "Yes.", "sure": true}"#, " to=user<|message|>"))
        #expect(try admits("Hm." + Self.next + Self.answer, " to=self<|message|>"))
    }

    @Test("Calls that are demanded come, whole, and nothing else")
    func demanded() throws {
        for choice in ["required", "get_weather"] {
            func admits(_ text: String) throws -> Bool {
                try Self.vocabulary.admits(
                    text, constraint(extras: #"{"toolChoice": "\#(choice)"}"#, functions: [Self.weather, Self.now]))
            }
            #expect(try admits(Self.rome) && admits(Self.thought + Self.rome))
            #expect(
                try admits(
                    Self.call(
                        "get_weather",
                        "<atem:parameter name=\"city\">a </b> \"c\"\n\n</atem:parameter>\n<atem:parameter name=\"days\">[1, 2]</atem:parameter>\n"
                    )))
            #expect(try !admits(Self.text) && !admits(Self.call("get_weather")))
            #expect(try !admits(Self.call("get_weather", "<atem:parameter name=\"town\">Rome</atem:parameter>\n")))
            // The header and the call name the same function.
            #expect(try admits(Self.call("time.now")) == (choice == "required"))
            #expect(try !admits(Self.call("time.now", to: "get_weather")))
            // Only where any are demanded there may be several, each a message.
            #expect(try admits(Self.rome + Self.next + Self.rome) == (choice == "required"))
        }
    }

    @Test("Calls that are free keep to their functions, beside text to the user")
    func free() throws {
        func admits(_ text: String, _ extras: String = #"{"toolChoice": "auto"}"#) throws -> Bool {
            try Self.vocabulary.admits(text, constraint(extras: extras, functions: [Self.weather]))
        }
        let preamble = " to=user<|message|>Let me see." + Self.next
        #expect(try admits(Self.rome) && admits(Self.text) && admits(preamble + Self.rome))
        #expect(try admits(Self.thought + preamble + Self.thought + Self.text))
        #expect(try admits(Self.rome + Self.next + Self.rome))
        let single = #"{"toolChoice": "auto", "parallelToolCalls": false}"#
        #expect(try admits(Self.rome, single) && !admits(Self.rome + Self.next + Self.rome, single))
        #expect(try !admits(Self.rome.replacing("city", with: "town")))
        #expect(try !admits(Self.rome.replacing("get_weather", with: "get_news")))
    }

    @Test("A reply is an answer in a form or a call, each to its recipient")
    func either() throws {
        func admits(_ text: String) throws -> Bool {
            try Self.vocabulary.admits(text, constraint(schema: Self.schema, functions: [Self.weather]))
        }
        #expect(try admits(Self.answer) && admits(Self.thought + Self.rome))
        #expect(try !admits(Self.text) && !admits(#" to=user<|message|>{"city": "Rome"}"#))
    }

    @Test("Calls in a style of another model stand in what goes to the user")
    func otherStyle() throws {
        let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Rome\"}}\n</tool_call>"
        let demanded = try constraint(
            extras: #"{"toolChoice": "required"}"#, functions: [Self.weather], style: HermesFunctionCallParser())
        #expect(try Self.vocabulary.admits(" to=user<|message|>" + call, demanded))
    }

    @Test("Calls can be forbidden")
    func forbidden() throws {
        func admits(_ text: String) throws -> Bool {
            try Self.vocabulary.admits(text, constraint(extras: #"{"toolChoice": "none"}"#))
        }
        #expect(try admits(Self.text) && !admits(Self.rome))
    }

    @Test(
        "An answer, and a demanded call, are whole however few tokens there are, as long as they fit",
        arguments: TestLevel.cases([70, 90, 130, 240], standard: 2))
    func budgets(budget: Int) throws {
        for (seed, isCall) in TestLevel.seeds(2, all: 12).flatMap({ [($0, false), ($0, true)] }) {
            let made = try constraint(
                schema: isCall ? nil : Self.schema, extras: isCall ? #"{"toolChoice": "time.now"}"# : "{}",
                functions: isCall ? [Self.now] : [], budget: budget)
            let tokens = try Self.vocabulary.babble(try #require(made), budget: budget, seed: seed)
            var parser = ResponseParser(
                .init(
                    functionCallParser: AtemFunctionCallParser(), functions: [Self.now], openTurn: "",
                    channelForm: .atem))
            for token in tokens {
                _ = parser.consume(Self.vocabulary.bytes(token, marks: ChannelForm.atem.marks))
            }
            _ = parser.finish(.natural)
            let written = Self.vocabulary.tokenizer.decode(tokens)
            #expect(parser.issues.isEmpty, "\(written)")
            if isCall {
                #expect(parser.calls.map(\.name) == ["time.now"] && parser.text.isEmpty, "\(written)")
            } else {
                #expect(parser.text.hasPrefix("{") && parser.text.hasSuffix("}"), "\(budget), \(seed): \(written)")
            }
        }
    }
}
