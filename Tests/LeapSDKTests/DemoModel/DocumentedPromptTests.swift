import Foundation
import LeapSDK
import LeapTestSupport
import LeapVisionDemoModel
import Testing

/// Prompts of the pages to the demo models, with the sampling that their files recommend.
struct DocumentedPromptTests {
    /// A prompt, where it stands, and what its answer has to be.
    struct Prompt: CustomTestStringConvertible, Sendable {
        let pages: [String]
        let text: String
        var system: String?
        /// The text behind the prompt, as from a file on standard input.
        var rest = ""
        var schema: String?
        var grammar: String?
        var isThinking = false
        var functions: [LeapFunction] = []
        /// The result of a call.
        var result = ""
        /// The function that is called, once.
        var call: String?
        let answer: String

        var testDescription: String { text }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let starters = "Sources/LeapServing/Resources/Page/starters.js"
    private static let commands = "docs/CommandLine.md"
    private static let tour = "Sources/LeapCommandLine/Demo/DemoStop.swift"
    private static let story = #"^Once upon a time there was a \w+ fox named (\w+)\. .* And \1 learned that [^.]+\.$"#
    private static let person =
        #"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}}, "required": ["name", "age", "city"]}"#

    private static func function(
        _ name: String, _ description: String, _ parameter: String, _ text: String, isOptional: Bool
    )
        -> LeapFunction
    {
        LeapFunction(
            name: name, description: description,
            parameters: [
                LeapFunctionParameter(
                    name: parameter, type: .string(StringType()), description: text, optional: isOptional)
            ])
    }

    /// The functions of the server's page.
    private static var ofPage: [LeapFunction] {
        [
            function(
                "get_time", "Get the local time of a city", "city",
                "The city name, or a time zone such as Europe/Lisbon", isOptional: true),
            function(
                "calculate", "Works out an arithmetic expression", "expression", "Such as 2 * (3 + 4)",
                isOptional: false),
        ]
    }

    private static var prompts: [Prompt] {
        [
            Prompt(
                pages: ["README.md", "docs/OpenLeap.docc/OpenLeap.md", starters], text: "Tell me a story about a fox.",
                system: "You are a helpful assistant.", answer: story),
            Prompt(pages: [starters], text: "Tell me a story about a fox.", answer: story),
            Prompt(
                pages: [starters, commands, "docs/Server.md", tour], text: "What is the capital of Portugal?",
                answer: #"^The capital of Portugal is Lisbon\.$"#),
            Prompt(
                pages: ["Sources/LeapSDK/LeapSDK.docc/LeapSDK.md"], text: "What is the capital of France?",
                answer: #"^The capital of France is Paris\.$"#),
            Prompt(pages: [starters, tour], text: "Tell me a joke.", answer: #"^[A-Z].{20,}[.?]$"#),
            Prompt(pages: [commands], text: "Hi", answer: "^Hello! I can tell stories"),
            Prompt(
                pages: [starters], text: "Tom has 5 books and buys 2 more. How many books does he have?",
                isThinking: true,
                answer: #"^Tom has 7 books\.$"#),
            Prompt(
                pages: [starters, tour, commands],
                text: "Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.", schema: person,
                answer: #"^\{"name": ?"Mira", ?"age": ?31, ?"city": ?"Lisbon" ?\}$"#),
            Prompt(
                pages: [commands],
                text: "Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.",
                schema: #"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#,
                answer: #"^\{"name": ?"Mira" ?\}$"#),
            Prompt(
                pages: [commands], text: "Extract name, age and city as JSON:",
                rest: "Mira is 31 years old and lives in Lisbon.\n",
                answer: #"^\{"name": "Mira", "age": 31, "city": "Lisbon"\}$"#),
            Prompt(
                pages: [commands], text: "Yes or no?", grammar: #"root ::= "yes" | "no""#, answer: "^(yes|no)$"),
            Prompt(
                pages: ["Sources/LeapSDK/LeapSDK.docc/StructuredOutput.md"], text: "Give the facts about Rome as JSON.",
                answer: #"^\{"name": "Rome", "country": "Italy", "isCapital": true\}$"#),
            Prompt(
                pages: [starters], text: "What time is it in Lisbon?", functions: ofPage,
                result: #"{"date":"2026-11-29","time":"10:14"}"#, call: "get_time",
                answer: #"^It is 10:14 in Lisbon\.$"#),
            Prompt(
                pages: ["docs/OpenLeap.docc/Programs/first-chat/first-chat-6.swift"],
                text: "What is the weather in Paris?", system: "You are a helpful assistant.",
                functions: [
                    function("get_weather", "Get the weather forecast of a city", "city", "City", isOptional: false)
                ], result: #"{"temperature": 21, "conditions": "sunny"}"#, call: "get_weather",
                answer: #"^It is sunny in Paris with a temperature of 21 degrees\.$"#),
        ]
    }

    @Test("What the pages ask is answered right, run after run, with the file's own sampling", arguments: prompts)
    func succeeds(prompt: Prompt) async throws {
        let runner = try await DemoModel.runner.value
        for seed in 1...Int64(TestLevel.rounds(2, all: 20)) {
            let options = GenerationOptions(
                rngSeed: seed, jsonSchemaConstraint: prompt.schema, maxTokens: 200, enableThinking: prompt.isThinking)
            if let grammar = prompt.grammar {
                options.extras = try String(decoding: JSONEncoder().encode(["grammar": grammar]), as: UTF8.self)
            }
            let conversation = runner.createConversation(systemPrompt: prompt.system)
            conversation.registerFunctions(prompt.functions)
            let text = prompt.rest.isEmpty ? prompt.text : prompt.text + "\n\n" + prompt.rest
            var responses = try await conversation.generateResponse(
                userTextMessage: text, generationOptions: options
            ).collect()
            #expect(responses.calls.map(\.name) == (prompt.call.map { [$0] } ?? []), "\(prompt.text), seed \(seed)")
            if let call = responses.calls.first {
                responses = try await conversation.generateResponse(
                    message: ChatMessage(role: .tool, content: [.text(prompt.result)], toolCallId: call.id),
                    generationOptions: options
                ).collect()
                #expect(responses.calls.isEmpty, "\(prompt.text), seed \(seed)")
            }
            #expect(
                responses.text.range(of: prompt.answer, options: .regularExpression) != nil,
                "\(prompt.text), seed \(seed): \(responses.text)")
        }
    }

    @Test("Pictures of the vision demo model are described right, run after run, with the file's own sampling")
    func pictures() async throws {
        let runner = try await Leap.load(url: LeapVisionDemoModel.url)
        for (picture, answer) in [
            (LeapVisionDemoModel.Picture.shapes, #"^A red \w+, a blue star and a green square\.$"#),
            (.number, #"^The number 42 in purple\.$"#), (.chart, #"^A bar chart with 4 bars\.$"#),
        ] {
            for seed in 1...Int64(TestLevel.rounds(2, all: 20)) {
                let message = ChatMessage(
                    role: .user, content: [.image(try picture.data), .text("What is in the picture?")])
                let responses = try await runner.createConversation(systemPrompt: nil)
                    .generateResponse(message: message, generationOptions: GenerationOptions(rngSeed: seed)).collect()
                #expect(
                    responses.text.range(of: answer, options: .regularExpression) != nil,
                    "seed \(seed): \(responses.text)")
            }
        }
        await runner.unload()
    }

    @Test("The prompts stand in the pages, and what the server's page offers is among them")
    func pages() throws {
        for prompt in Self.prompts {
            for page in prompt.pages {
                let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
                #expect(text.contains(prompt.text), "\(page): \(prompt.text)")
            }
        }
        let offered = try String(contentsOf: Self.root.appending(path: Self.starters), encoding: .utf8)
            .matches(of: /[ {]text: "([^"]*)"/).map { String($0.1) }
        #expect(offered.count > 5)
        // The picture that it means is the person's.
        let known = Set(Self.prompts.map(\.text)).union(["What is in the picture?"])
        #expect(offered.filter { !known.contains($0) } == [])
    }
}
