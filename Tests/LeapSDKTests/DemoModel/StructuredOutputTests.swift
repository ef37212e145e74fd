import Foundation
import LeapSDK
import LeapTestSupport
import Testing

/// Constrained replies of the demo model.
struct StructuredOutputTests {
    private static let schemas: [String] = [
        #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0,"maximum":150}},"required":["name","age"],"additionalProperties":false}"#,
        #"{"type":"object","properties":{"departure_airport_code":{"type":"string","maxLength":6},"arrival_airport_code":{"type":"string","maxLength":6},"passenger_count":{"type":"integer"}},"required":["departure_airport_code","arrival_airport_code","passenger_count"],"additionalProperties":false}"#,
        #"{"type":"array","items":{"type":"object","properties":{"temperature":{"type":"number"},"unit":{"enum":["celsius","fahrenheit"]}},"required":["temperature","unit"],"additionalProperties":false},"minItems":2,"maxItems":3}"#,
        #"{"type":"object","properties":{"status":{"const":"completed_successfully"},"tags":{"type":"array","items":{"type":"string"},"maxItems":2}},"required":["status","tags"],"additionalProperties":false}"#,
        #"{"enum":["red","green","blue"]}"#,
        #"{"type":"object"}"#,
    ]

    private func reply(
        _ options: GenerationOptions, to text: String = "Tell me about Rome."
    ) async throws -> (text: String, completion: MessageCompletion) {
        let runner = try await DemoModel.runner.value
        let responses = try await runner.createConversation(systemPrompt: nil)
            .generateResponse(userTextMessage: text, generationOptions: options).collect()
        return (responses.text, try #require(responses.completion))
    }

    @Test("Every reply under a schema parses, and one batch or one by one is the same", arguments: schemas)
    func everySchema(schema: String) async throws {
        for seed in TestLevel.isAll ? [Int64?.none, 1, 2] : [1] {
            var options = DemoModel.greedy.with(jsonSchema: schema).with(maxTokens: 120)
            if let seed { options = options.with(temperature: 1.5).with(rngSeed: seed) }
            let jumped = try await reply(options)
            let stepped = try await reply(options.with(extras: #"{"jumpForward": false}"#))
            #expect(jumped.text == stepped.text)
            #expect(jumped.completion.stats?.completionTokens == stepped.completion.stats?.completionTokens)
            #expect(jumped.completion.finishReason == .stop || jumped.completion.limit == .maxTokens(120))
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(jumped.text.utf8), options: .fragmentsAllowed)
            }
        }
    }

    @Test("A schema without a word on further members gives those that it names, and an answer that ends by itself")
    func documented() async throws {
        let schema = #"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#
        let closed = DemoModel.greedy.with(jsonSchema: schema)
        func members(_ options: GenerationOptions, _ question: String) async throws -> [String: Any] {
            let (text, completion) = try await reply(options, to: question)
            #expect(completion.finishReason == .stop, "\(text)")
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        let rome = try await members(closed, "Give the facts about Rome as JSON.")
        #expect(rome as? [String: String] == ["name": "Rome"])
        #expect(try await members(closed, "A person as JSON.").keys.sorted() == ["name"])
        let open = closed.with(extras: #"{"openObjects": true}"#)
        #expect(try await members(open, "Give the facts about Rome as JSON.").count > 1)
    }

    @Test("Functions that are not registered are not called, though nothing is set")
    func registeredAlone() async throws {
        let runner = try await DemoModel.runner.value
        for question in ["What's the weather in Paris?", "What time is it?", "Set a timer for five minutes."] {
            let conversation = runner.createConversation(systemPrompt: nil)
            conversation.registerFunction(.weather)
            let responses = try await conversation.generateResponse(
                userTextMessage: question, generationOptions: DemoModel.greedy
            ).collect()
            #expect(responses.calls.allSatisfy { $0.name == "get_weather" && $0.issue == nil }, "\(responses.calls)")
        }
    }

    @Test("When the tokens run out the JSON is whole all the same, and the completion says so")
    func maxTokens() async throws {
        let schema = #"{"type":"object","properties":{"story":{"type":"string"}},"required":["story"]}"#
        let options = DemoModel.greedy.with(jsonSchema: schema).with(maxTokens: 24)
        let (text, completion) = try await reply(options, to: "Tell me a story about a fox.")
        #expect(completion.finishReason == .exceedContext && completion.limit == .maxTokens(24), "\(text)")
        struct Story: Decodable { let story: String }
        #expect(try JSONDecoder().decode(Story.self, from: Data(text.utf8)).story.count > 3)
        #expect(try #require(completion.stats).completionTokens <= 24)
    }

    @Test("A budget that no answer fits into is an error that names both numbers")
    func tooFewTokens() async throws {
        let error = await #expect(throws: LeapGenerationTokenBudgetException.self) {
            try await reply(DemoModel.greedy.with(jsonSchema: Self.schemas[1]).with(maxTokens: 9))
        }
        #expect(error?.availableTokens == 9 && error?.limit == .maxTokens(9))
        #expect((error?.neededTokens ?? 0) > 9)
    }

    @Test("A schema that cannot be enforced is refused, with the place")
    func refused() async throws {
        let schema = #"{"type":"object","properties":{"x":{"type":"string","pattern":"(a)\\1"}}}"#
        let error = await #expect(throws: LeapGeneratableSchematizationException.self) {
            try await reply(DemoModel.greedy.with(jsonSchema: schema))
        }
        #expect(error?.pointer == "/properties/x/pattern")
        let relaxed = try await reply(
            DemoModel.greedy.with(jsonSchema: schema).with(extras: #"{"relaxedKeywords": ["pattern"]}"#))
        #expect(relaxed.completion.finishReason != .error)
        await #expect(throws: LeapGeneratableSchematizationException.self) {
            try await reply(DemoModel.greedy.with(jsonSchema: "{not JSON"))
        }
    }

    @Test("A regular expression or a grammar holds the whole reply; two constraints at once are refused")
    func otherConstraints() async throws {
        let pattern = try await reply(DemoModel.greedy.with(extras: #"{"regex": "(Paris|Rome), [0-9]{4}"}"#))
        #expect(try #/(Paris|Rome), [0-9]{4}/#.wholeMatch(in: pattern.text) != nil, "\(pattern.text)")
        let grammar = #"{"grammar": "root ::= \"answer: \" (\"yes\" | \"no\") \"!\""}"#
        let text = try await reply(DemoModel.greedy.with(extras: grammar)).text
        #expect(["answer: yes!", "answer: no!"].contains(text))
        let wrong = await #expect(throws: LeapGeneratableSchematizationException.self) {
            try await reply(DemoModel.greedy.with(extras: #"{"grammar": "root ::= missing"}"#))
        }
        #expect(wrong?.message.contains("missing") == true)
        await #expect(throws: LeapGenerationException.self) {
            try await reply(DemoModel.greedy.with(jsonSchema: "{}").with(extras: #"{"regex": "a"}"#))
        }
    }

    @Test("Reasoning that the model is asked for stays free, and the answer follows the schema")
    func reasoning() async throws {
        let schema = #"{"type":"object","properties":{"apples":{"type":"integer"}},"required":["apples"]}"#
        let runner = try await DemoModel.runner.value
        let responses = try await runner.createConversation(systemPrompt: nil).generateResponse(
            userTextMessage: "Tom has 3 apples and gets 4 more. How many apples does Tom have?",
            generationOptions: DemoModel.greedy.with(jsonSchema: schema).with(enableThinking: true)
                .with(injectSchemaIntoPrompt: false)
        ).collect()
        #expect(responses.reasoning.contains("3 plus 4 is 7"), "\(responses.reasoning)")
        struct Count: Decodable { let apples: Int }
        #expect(throws: Never.self) { try JSONDecoder().decode(Count.self, from: Data(responses.text.utf8)) }
    }

    @Test("A call that is asked for comes, well-formed, whatever the question", arguments: ["required", "get_weather"])
    func toolChoice(choice: String) async throws {
        let runner = try await DemoModel.runner.value
        for question in ["What's the weather in Paris?", "Tell me a joke."] {
            let conversation = runner.createConversation(systemPrompt: nil)
            conversation.registerFunction(.weather)
            let responses = try await conversation.generateResponse(
                userTextMessage: question,
                generationOptions: DemoModel.greedy.with(extras: #"{"toolChoice": "\#(choice)"}"#)
            ).collect()
            #expect(responses.calls.map(\.name) == ["get_weather"])
            #expect(responses.calls.allSatisfy { $0.issue == nil } && responses.completion?.issues.isEmpty == true)
            if question.contains("Paris") { #expect(responses.calls.first?.arguments["city"] as? String == "Paris") }
        }
    }

    @Test("With auto the model still decides; with none it cannot call")
    func toolChoiceAuto() async throws {
        let runner = try await DemoModel.runner.value
        func reply(_ question: String, _ choice: String) async throws -> [MessageResponse] {
            let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
            conversation.registerFunction(.weather)
            return try await conversation.generateResponse(
                userTextMessage: question,
                generationOptions: DemoModel.greedy.with(extras: #"{"toolChoice": "\#(choice)"}"#)
            ).collect()
        }
        let weather = try await reply("What's the weather in Paris?", "auto")
        #expect(weather.calls.map(\.name) == ["get_weather"] && weather.completion?.finishReason == .stop)
        #expect(try await reply("What's the weather in Paris?", "none").calls.isEmpty)
    }
}
