import Foundation
import FoundationModels
import LeapCore
import LeapDemoModel
import LeapJSON
import Testing

@testable import LeapFoundationModelsOverStub

/// A GGUF model behind Apple's protocols, over the stub of FoundationModels.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct FoundationModelsTests {
    static let weather = #"""
        {"type": "object", "title": "Arguments", "additionalProperties": false, "required": ["city"],
         "properties": {"city": {"type": "string"}}, "x-order": ["city"]}
        """#

    private func tools() throws -> [Transcript.ToolDefinition] {
        [
            Transcript.ToolDefinition(
                name: "get_weather", description: "Get the weather of a city", parameters: try schema(Self.weather))
        ]
    }

    @Test("A session of several turns computes only what each turn adds; sessions share one model")
    func session() async throws {
        let model = LeapLanguageModel(
            url: try LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "").with(contextSize: 1024))
        let session = try FoundationSession(
            model: model, instructions: "You are a helpful assistant.", tools: try tools())
        session.prewarm()
        let capital = try await session.ask("What is the capital of France?")
        #expect(capital.text.contains("Paris") && capital.pieces > 1 && capital.output > 0)
        let weather = try await session.ask("What is the weather in Paris?")
        let call = try #require(weather.calls.first)
        #expect(call.name == "get_weather" && call.arguments.contains("Paris"))
        let answer = try await session.answer(call, #"{"temperature": 21, "condition": "sunny"}"#)
        #expect(!answer.text.isEmpty && answer.calls.isEmpty)
        try await session.ask("What is the capital of Japan?")
        let runner = try await session.executor.loaded.runner()
        // The first request goes on from what prewarming computed of the instructions and the tool, each other one from
        // all before it.
        #expect(session.computed == [41, 17, 25, 17])
        #expect(session.cached == [64, 112, 140, 178])
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let page = try String(contentsOf: root.appendingPathComponent("docs/FoundationModels.md"), encoding: .utf8)
        let transcript = session.rows.joined(separator: "\n")
        #expect(page.contains("|---|---|---|---|---|\n\(transcript)\n\n"), "the page shows:\n\(transcript)")
        // Prewarming is a generation too.
        #expect(runner.statistics.generations == 5)

        let other = try FoundationSession(model: model, instructions: "You are a helpful assistant.")
        try await other.ask("What is the capital of Italy?")
        #expect(try await other.executor.loaded.runner() === runner)
    }

    @Test("A schema is kept to, with its members in the order of x-order; the next prompt goes on from it")
    func structured() async throws {
        let model = LeapLanguageModel(url: try LeapDemoModel.url)
        let session = try FoundationSession(model: model, instructions: "You are a helpful assistant.")
        let person = try schema(
            #"""
            {"type": "object", "additionalProperties": false, "required": ["name", "age"], "x-order": ["name", "age"],
             "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}, "name": {"enum": ["Ada", "Bob"]}}}
            """#)
        #expect(
            try JSONWriter.string(SchemaText.json(person)).contains(
                #""properties":{"name":{"enum":["Ada","Bob"]},"age":{"maximum":99,"minimum":0,"type":"integer"}}"#))
        let context = ContextOptions(includeSchemaInPrompt: false)
        let sent = try await session.ask("Who are you?", schema: person, context: context)
        #expect(
            try #/^\{\s*"name":\s*"(Ada|Bob)",\s*"age":\s*\d{1,2}\s*\}$/#.wholeMatch(in: sent.text) != nil,
            "\(sent.text)")
        let next = try await session.ask("And now?")
        #expect(next.cached >= sent.total + sent.output - 1)
    }

    @Test("What a model cannot do is told by FoundationModels' errors")
    func errors() async throws {
        let options = LiquidInferenceEngineOptions(bundlePath: "").with(contextSize: 256)
        let model = LeapLanguageModel(url: try LeapDemoModel.url, options: options)
        #expect(!model.capabilities.contains(.reasoning) && model.capabilities.contains(.toolCalling))
        let session = try FoundationSession(model: model, instructions: "You are a helpful assistant.")
        do {
            try await session.ask(String(repeating: "the capital of France ", count: 200))
            Issue.record("a prompt that is too long was answered")
        } catch LanguageModelError.contextSizeExceeded(let details) {
            #expect(details.contextSize == 256 && details.tokenCount > 256)
        }
        let guided = try FoundationSession(model: model, instructions: "")
        do {
            try await guided.ask("Hello", schema: try schema(#"{"type": "string", "pattern": "(?=a)b(?<=c)"}"#))
            Issue.record("a pattern that cannot be kept to was accepted")
        } catch LanguageModelError.unsupportedGenerationGuide(let details) {
            #expect(details.debugDescription.contains("pattern"))
        }
        do {
            try await guided.ask("Hello", context: ContextOptions(reasoningLevel: .light))
            Issue.record("a model without reasoning accepted a level of it")
        } catch LanguageModelError.unsupportedCapability(let details) {
            #expect(details.capability == .reasoning)
        }
        guided.transcript.append(
            .prompt(Transcript.Prompt(segments: [.attachment(Transcript.AttachmentSegment(label: "photo"))])))
        do {
            _ = try await guided.request()
            Issue.record("an attachment was accepted")
        } catch LanguageModelError.unsupportedCapability(let details) {
            #expect(details.capability == .vision)
        }
        let missing = LeapLanguageModel(url: URL(fileURLWithPath: "/nowhere/model.gguf"))
        let nothing = try FoundationSession(model: missing, instructions: "")
        await #expect(throws: LeapModelLoadingException.self) { try await nothing.ask("Hello") }
    }

    @Test(
        "Calls are required or disallowed as the request says; a seed gives the same reply; released models load again")
    func options() async throws {
        let model = LeapLanguageModel(url: try LeapDemoModel.url)
        let session = try FoundationSession(
            model: model, instructions: "You are a helpful assistant.", tools: try tools())
        try await session.ask("What is the weather in Rome?")
        let asked = session.transcript.prefix(2)
        session.transcript = Transcript(entries: asked)
        var options = FoundationModels.GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 60)
        options.toolCallingMode = .disallowed
        #expect(try await session.request(options: options).calls.isEmpty)
        session.transcript = Transcript(entries: asked.prefix(1))
        session.transcript.append(
            .prompt(Transcript.Prompt(segments: [.text(Transcript.TextSegment(content: "Tell me a story."))])))
        let story = session.transcript
        options.toolCallingMode = .required
        #expect(try await session.request(options: options).calls.first?.name == "get_weather")
        options = .init(samplingMode: .random(top: 40, seed: 7), temperature: 1.5, maximumResponseTokens: 12)
        var texts: [String] = []
        for _ in 0..<2 {
            session.transcript = story
            let sent = try await session.request(options: options)
            #expect(sent.output <= 12)
            texts.append(sent.text)
        }
        #expect(texts[0] == texts[1])
        let runner = try await session.executor.loaded.runner()
        await LeapLanguageModel.releaseModels()
        session.transcript = story
        #expect(try await session.request(options: options).text == texts[0])
        #expect(try await session.executor.loaded.runner() !== runner)
    }

    @Test("A level of reasoning is a share of the reply's tokens, and the usage counts those of the reasoning")
    func reasoningLevels() async throws {
        let model = LeapLanguageModel(url: try LeapDemoModel.url, reasons: true)
        let question = "Tom has 3 apples and gets 4 more. How many apples does Tom have?"
        var counts: [Int] = []
        for (level, word, share) in [
            (.custom("none"), "none", nil), (.custom("brief"), "brief", nil), (.light, "low", 0.125),
            (.moderate, "medium", 0.25), (.deep, "high", 0.5), (.custom("max"), "max", 0.875),
        ] as [(ContextOptions.ReasoningLevel, String, Double?)] {
            let session = try FoundationSession(model: model, instructions: "")
            let request = LanguageModelExecutorGenerationRequest(
                id: UUID(), transcript: session.transcript, enabledTools: [], schema: nil,
                generationOptions: .init(), contextOptions: ContextOptions(reasoningLevel: level))
            let options = try ReplySettings(request, model: model).options
            #expect(options.enableThinking == (word != "none") && options.further.thinkingShare == share)
            #expect(options.further.templateArguments["reasoning_effort"]?.string == word)
            let sent = try await session.ask(question, context: ContextOptions(reasoningLevel: level))
            #expect((sent.reasoningTokens > 0) == (word != "none"), "\(word): \(sent.reasoningTokens) in \(sent.text)")
            #expect(sent.reasoningTokens <= sent.output)
            if let share { #expect(sent.reasoningTokens <= Int(60 * share), "\(word)") }
            counts.append(sent.reasoningTokens)
        }
        // What is light is shorter than what has no limit.
        #expect(counts[2] < counts[1])
    }

    @Test("Messages become a transcript and come back the same")
    func transcripts() throws {
        var reply = ChatMessage(role: .assistant, textContent: "I look it up.")
        reply.reasoningContent = "They want the weather."
        reply.functionCalls = [
            try LeapFunctionCall(name: "get_weather", argumentsJSON: #"{"city":"Rome"}"#, id: "call_1")
        ]
        let messages = [
            ChatMessage(role: .system, textContent: "Be brief."), ChatMessage(role: .user, textContent: "Weather?"),
            reply,
            ChatMessage(role: .tool, content: [.text("sunny")], toolCallId: "call_1", name: "get_weather"),
            ChatMessage(role: .assistant, textContent: "It is sunny."),
        ]
        let transcript = try Transcript(leapMessages: messages)
        #expect(transcript.count == 7)
        #expect(try transcript.leapMessages() == messages)
    }
}
