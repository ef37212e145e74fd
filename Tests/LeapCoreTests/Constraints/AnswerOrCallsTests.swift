import LeapBase
import LeapEngine
import LeapGrammar
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Replies that are an answer in a form, or calls.
@Suite(.inTurns)
struct AnswerOrCallsTests {
    private static let library = ConstraintRunTests.library
    private static let schema =
        #"{"type": "object", "properties": {"answer": {"type": "string"}, "sure": {"type": ["boolean", "null"]}}, "required": ["answer", "sure"], "additionalProperties": false}"#
    private static let weather = LeapFunction(
        name: "get_weather", description: "",
        parameters: [
            LeapFunctionParameter(name: "city", type: .string(StringType()), description: ""),
            LeapFunctionParameter(name: "detailed", type: .boolean(BooleanType()), description: "", optional: true),
        ])

    private func constraint(
        _ style: any CallStyle, _ extras: String, budget: Int = 120
    ) throws -> (ReplyConstraint, any TokenConstraint) {
        var settings = GenerationSettings()
        settings.functionCallParser = style
        settings.jsonSchemaConstraint = Self.schema
        settings.extras = extras
        try settings.readExtras()
        let made = try ConstraintFactory.make(
            settings: settings, functions: [Self.weather], library: Self.library)
        let factory = try ConstraintFactory.tokenConstraint(
            made, settings: settings, library: Self.library, isReasoningOpen: false, available: budget,
            limit: .maxTokens(budget))
        let make = try #require(factory)
        return (made, make())
    }

    /// Returns whether a text can be written from the beginning to the end.
    private func admits(_ text: String, _ constraint: any TokenConstraint) throws -> Bool {
        var constraint = constraint
        for token in Self.library.tokenizer.encode(text, addSpecial: false, parseSpecial: true) {
            var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            guard mask[token] else { return false }
            try constraint.accept(token)
        }
        if constraint.isComplete { return true }
        var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
        constraint.computeMask(into: &mask)
        return Self.library.endTokens.contains { mask[$0] }
    }

    private static let answer = #"{"answer": "The mark is <tool_call>.", "sure": null}"#

    @Test("A reply is an answer in full or calls and nothing else, in every style", arguments: 0..<CallStyles.all.count)
    func either(index: Int) throws {
        let style = CallStyles.all[index].init()
        let call = style.dump([LeapFunctionCall(name: "get_weather", arguments: ["city": "Lisbon", "detailed": true])])
        // The choice is no matter of the style: all ways to leave it free with one of them.
        let free = ["{}", #"{"toolChoice": "auto"}"#, #"{"parallelToolCalls": false}"#]
        for extras in free.prefix(TestLevel.isAll || index == 0 ? free.count : 1) {
            func admits(_ text: String) throws -> Bool { try self.admits(text, constraint(style, extras).1) }
            #expect(try admits(Self.answer) && admits(call), "\(call)")
            #expect(try !admits("Lisbon is warm."))
            #expect(try !admits(Self.answer + call))
            #expect(
                try !admits(
                    style.dump([LeapFunctionCall(name: "get_weather", arguments: ["city": "Lisbon", "detailed": 3])])))
            #expect(try !admits(#"{"answer": "x", "sure": None}"#))
            #expect(try constraint(style, extras).0.isAnswerOrCalls)
        }
        func admits(_ text: String, _ extras: String) throws -> Bool {
            try self.admits(text, constraint(style, extras).1)
        }
        for choice in ["required", "get_weather"] {
            let extras = #"{"toolChoice": "\#(choice)"}"#
            #expect(try admits(call, extras) && !admits(Self.answer, extras))
        }
        let none = #"{"toolChoice": "none"}"#
        #expect(try !admits(call, none) && admits(Self.answer, none))
    }

    @Test(
        "Whatever is sampled, and however few tokens there are, one of both is whole",
        arguments: 0..<CallStyles.all.count)
    func sampled(index: Int) throws {
        let style = CallStyles.all[index].init()
        for seed in TestLevel.seeds(1, all: 10) {
            let budget = 30 + Int(seed) * 6
            var constraint = try self.constraint(style, "{}", budget: budget).1
            var random = SeededGenerator(seed: seed)
            var parser = ResponseParser(
                .init(functionCallParser: style, functions: [Self.weather], readsTextAsAnswer: true))
            let tokenizer = Self.library.tokenizer
            for _ in 0..<budget where !constraint.isComplete {
                var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
                constraint.computeMask(into: &mask)
                let allowed = mask.tokens
                let token = try #require(allowed.isEmpty ? nil : allowed[Int(random.next() % UInt64(allowed.count))])
                if Self.library.endTokens.contains(token) { break }
                try constraint.accept(token)
                let isMark = style.marks.all.contains(tokenizer.text(of: token))
                _ = parser.consume(isMark ? Array(tokenizer.text(of: token).utf8) : tokenizer.bytes(of: token))
            }
            _ = parser.finish(.natural)
            #expect(parser.issues.isEmpty, "\(parser.issues)")
            if parser.calls.isEmpty {
                let grammar = try CompiledGrammar.jsonSchema(Self.schema)
                #expect(try InstanceCheck.fault(in: Array(parser.text.utf8), against: grammar) == nil, "\(parser.text)")
            } else {
                #expect(parser.text.isEmpty)
            }
        }
    }

    @Test("Marks of calls inside of an answer are part of it")
    func marksInAnswers() throws {
        for style in CallStyles.all.map({ $0.init() }) {
            let text = #"{"answer": "\#(style.toolCallStartToken)[get_weather(city=1)]\#(style.toolCallEndToken)"}"#
            for cut in 0...text.utf8.count {
                var parser = ResponseParser(
                    .init(functionCallParser: style, functions: [Self.weather], readsTextAsAnswer: true))
                _ = parser.consume(text.utf8.prefix(cut))
                _ = parser.consume(text.utf8.dropFirst(cut))
                _ = parser.finish(.natural)
                #expect(parser.text == text && parser.calls.isEmpty)
            }
        }
    }

    @Test("A conversation with functions and a schema gets a call, then an answer; a value is never a call")
    func conversation() async throws {
        let call = #"<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>"#
        let (runner, backend) = DemoVocabulary.runner([.init(text: call), .init(text: Self.answer)])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunction(Self.weather)
        let options = GenerationOptions(jsonSchemaConstraint: Self.schema)
        let first = try await conversation.generateResponse(userTextMessage: "?", generationOptions: options).collect()
        #expect(first.calls.map(\.name) == ["get_weather"] && first.text.isEmpty)
        conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: "24"))
        let second = try await conversation.generateResponse(userTextMessage: "", generationOptions: options).collect()
        #expect(second.text == Self.answer && second.calls.isEmpty)
        let prompts = backend.requests.withLock { $0.map { DemoVocabulary.tokenizer.decode($0.prompt) } }
        #expect(prompts.allSatisfy { $0.contains("Unless you call a function, answer with JSON that follows") })
    }
}
