import Foundation
import LeapAudio
import LeapCore
import LeapJSON
import LeapModel
import LeapOpenAIClient
import LeapOpenAIFormat
import LeapTestTraits
import Testing

@testable import LeapHybrid
@testable import LeapServing

/// Tests that the server reads what the client writes.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct ServerReadsTests {
    /// The request as it is sent.
    private func sent(_ request: ChatCompletionRequest) async throws -> ChatRequest {
        let exchange = try await RecordedExchange(
            WrittenReply.make(#""stream": true"#, [WrittenReply.completion()]))
        _ = try await exchange.chunks(request)
        return try ChatRequest(exchange.request)
    }

    @Test("Every option of a request, and the messages that have initialisers")
    func options() async throws {
        let chat = try await sent(
            ChatCompletionRequest(
                model: "demo",
                messages: [
                    .system("Be brief."), .user("?"), .assistant("!"), .tool(content: "3", toolCallId: "call_1"),
                ],
                temperature: 0.5, topP: 0.25, maxCompletionTokens: 9, frequencyPenalty: 0.75, presencePenalty: -0.5,
                stop: ["x"], topK: 7, repetitionPenalty: 1.5, minP: 0.125))
        #expect(chat.order.model == "demo" && chat.order.isStream && chat.includesUsage && chat.order.ignored.isEmpty)
        #expect(chat.order.messages.map(\.role) == [.system, .user, .assistant, .tool])
        #expect(
            chat.order.messages.map(\.text) == ["Be brief.", "?", "!", "3"]
                && chat.order.messages[3].toolCallId == "call_1")
        let options = chat.order.options[0]
        #expect(options.temperature == 0.5 && options.topP == 0.25 && options.minP == 0.125 && options.topK == 7)
        #expect(options.maxTokens == 9 && options.repetitionPenalty == 1.5 && options.stopSequences == ["x"])
        #expect(options.further.sampling[.frequencyPenalty] == 0.75)
        #expect(options.further.sampling[.presencePenalty] == -0.5)
        let older = try await sent(ChatCompletionRequest(model: "demo", messages: [.user("?")], maxTokens: 4))
        #expect(older.order.options[0].maxTokens == 4)
    }

    /// Messages with everything that a conversation may hold.
    private static let history: [LeapCore.ChatMessage] = [
        .init(role: .system, textContent: "Be brief."),
        .init(
            role: .user,
            content: [
                .text("What is here?"), .image(Data([0xFF, 0xD8, 0xFF, 0xE0])),
                .image(url: "https://example.org/a.png"),
                .audio(WAVFile.encode([0, 0.5], sampleRate: 16_000)),
            ]),
        .init(
            role: .assistant, content: [], reasoningContent: "A lamp.",
            functionCalls: [
                LeapFunctionCall(name: "dim", arguments: ["level": 3], id: "call_1"),
                LeapFunctionCall(name: "dim", arguments: [:], id: "call_2"),
            ]),
        .init(role: .tool, content: [.text("done")], toolCallId: "call_1", name: "dim"),
    ]

    @Test("Messages of a conversation: pictures, sounds, thoughts, calls and results")
    func messages() async throws {
        let text = JSONWriter.string(.array(Self.history.map(\.json)))
        let chat = try await sent(
            ChatCompletionRequest(model: "demo", messages: LeapOpenAIClient.ChatMessage.messages(fromJSON: text)))
        #expect(chat.order.messages == Self.history)
        #expect(chat.order.ignored.isEmpty)
    }

    /// A conversation's request to an endpoint, as the server reads it.
    private func cloud(
        _ options: LeapCore.GenerationOptions, functions: [LeapFunction] = [Self.dim]
    ) throws -> ChatRequest {
        let request = ReplyRequest(history: Self.history, functions: functions, options: options)
        let document = try CloudRequest(request, model: "demo", isExtended: true).document
        return try ChatRequest(JSONWriter.bytes(.object(document)))
    }

    private static let dim = LeapFunction(
        name: "dim", description: "Dims a lamp",
        parameters: [LeapFunctionParameter(name: "level", type: .integer(IntegerType()), description: "0 to 9")])

    @Test("A conversation with a model elsewhere: history, functions, constraint and sampling")
    func conversation() throws {
        let options = LeapCore.GenerationOptions(
            temperature: 0.5, topP: 0.25, minP: 0.125, repetitionPenalty: 1.5, topK: 7, rngSeed: 3,
            jsonSchemaConstraint: #"{"type":"object"}"#, maxTokens: 9, enableThinking: true)
        options.stopSequences = ["x"]
        options.further.templateArguments = ["tone": "dry"]
        let chat = try cloud(options)
        #expect(
            chat.order.messages == Self.history && chat.order.tools.callable.map(\.tool) == [Self.dim.tool]
                && chat.order.ignored.isEmpty)
        let read = chat.order.options[0]
        #expect(read.temperature == 0.5 && read.topP == 0.25 && read.minP == 0.125 && read.topK == 7)
        #expect(read.repetitionPenalty == 1.5 && read.rngSeed == 3 && read.maxTokens == 9 && read.enableThinking)
        #expect(read.jsonSchemaConstraint == #"{"type":"object"}"# && read.stopSequences == ["x"])
        #expect(read.further.templateArguments["tone"] == "dry")
        for (key, path) in [(\GenerationExtras.regex, "a+"), (\GenerationExtras.grammar, "root ::= \"a\"")] {
            let options = LeapCore.GenerationOptions()
            options.further[keyPath: key] = path
            #expect(try cloud(options).order.options[0].further[keyPath: key] == path)
        }
    }

    @Test("Every choice of tools", arguments: ["auto", "none", "required", "dim"])
    func toolChoices(word: String) throws {
        let choice = GenerationExtras.ToolChoice(word)
        #expect(GenerationExtras.ToolChoice(openAI: choice.json) == choice)
        let options = LeapCore.GenerationOptions()
        options.further.toolChoice = choice
        #expect(try cloud(options).order.options[0].further.toolChoice == choice)
        let text = LeapCore.GenerationOptions(extras: JSONWriter.string(.object(["toolChoice": choice.json])))
        #expect(try cloud(text).order.options[0].further.toolChoice == choice)
    }

    @Test("At most one call holds calls to a choice, whether it is said as text or as a value, here and elsewhere")
    func parallelCalls() throws {
        let typed = LeapCore.GenerationOptions()
        typed.further.parallelToolCalls = false
        let text = LeapCore.GenerationOptions(extras: #"{"parallelToolCalls": false}"#)
        for options in [typed, text] {
            let extras = try GenerationExtras.parse(options.extras, over: options.further).extras
            #expect(extras.effectiveToolChoice == .auto)
            let read = try cloud(options).order.options[0].further
            #expect(!read.parallelToolCalls && read.toolChoice == .auto)
            // Where nothing can be called, nothing is said of calls.
            let request = ReplyRequest(history: Self.history, functions: [], options: options)
            let document = try CloudRequest(request, model: "demo", isExtended: false).document
            #expect(document["tool_choice"] == nil && document["parallel_tool_calls"] == nil)
        }
        #expect(GenerationExtras().effectiveToolChoice == nil)
    }

    @Test("Every form of a reply")
    func responseFormats() throws {
        let schema: JSONValue = .object(["type": "string"])
        let forms: [(OpenAI.ResponseFormat, String?)] = [
            (.text, nil), (.jsonObject, #"{"type":"object"}"#), (.jsonSchema(schema), #"{"type":"string"}"#),
            (.jsonSchema(schema, name: "reply", isStrict: true), #"{"type":"string"}"#),
        ]
        for (form, expected) in forms {
            let body: JSONValue = .object([
                "messages": .array([.object(["role": "user", "content": "?"])]), "response_format": form.json,
            ])
            let chat = try ChatRequest(JSONWriter.bytes(body))
            #expect(chat.order.options[0].jsonSchemaConstraint == expected && chat.order.ignored.isEmpty)
        }
    }
}
