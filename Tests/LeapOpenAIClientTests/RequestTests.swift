import FoundationEssentials
import LeapHTTP
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapOpenAIClient

/// The requests that are sent.
@Suite(.inServerTurns)
struct RequestTests {
    @Test("Every property of a request is sent under its name, and nothing else")
    func names() throws {
        let request = ChatCompletionRequest(
            model: "m", messages: [.user("u")], temperature: 0.5, topP: 0.25, maxCompletionTokens: 10, maxTokens: 11,
            frequencyPenalty: 1, presencePenalty: 2, stop: ["x"], topK: 40, repetitionPenalty: 1.5, minP: 0.125,
            topA: 0.75, transforms: ["t"], models: ["n"], route: "fallback",
            provider: ProviderPreferences(order: ["a"], allowFallbacks: false, only: ["b"], ignore: ["c"]),
            extras: "{\"tools\":[],\"seed\":7,\"model\":\"other\"}")
        let expected = """
            {"model":"other","messages":[{"role":"user","content":"u"}],"temperature":0.5,"top_p":0.25,"max_completion_tokens":10,
            "max_tokens":11,"frequency_penalty":1.0,"presence_penalty":2.0,"stop":["x"],"top_k":40,"repetition_penalty":1.5,
            "min_p":0.125,"top_a":0.75,"transforms":["t"],"models":["n"],"route":"fallback",
            "provider":{"order":["a"],"allow_fallbacks":false,"only":["b"],"ignore":["c"]},"tools":[],"seed":7}
            """
        #expect(try JSONValue.object(request.document()) == JSONParser.parse(expected))
        #expect(
            try ChatCompletionRequest(model: "m", messages: []).document() == ["model": "m", "messages": .array([])])
    }

    @Test("Messages in OpenAI's shape are sent as they are")
    func messages() throws {
        let json = """
            [{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:,"}}]},
            {"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","content":"r","tool_call_id":"1"}]
            """
        let messages = try ChatMessage.messages(fromJSON: json)
        #expect(JSONValue.array(messages.map { .object($0.document) }) == (try JSONParser.parse(json)))
        #expect(messages.map(\.role) == [.user, .assistant, .tool] && messages[0].content == "a")
        #expect(messages[2] == .tool(content: "r", toolCallId: "1"))
        for text in ["", "{", "{}", "[1]", "[{}]", "[{\"role\":1}]", "3"] {
            let error = #expect(throws: OpenAiClientError.self) { try ChatMessage.messages(fromJSON: text) }
            #expect(error?.code == .invalidRequest, "\(text)")
        }
        #expect(try ChatMessage(json: "{\"role\":\"developer\",\"content\":\"x\"}").role == nil)
        #expect(throws: OpenAiClientError.self) { try ChatMessage(json: "[]") }
    }

    @Test("Requests that cannot be sent are refused by the name of what is wrong")
    func refused() throws {
        for (request, word) in [
            (ChatCompletionRequest(model: "m", messages: [], temperature: .nan), "temperature"),
            (ChatCompletionRequest(model: "m", messages: [], minP: .infinity), "minP"),
            (ChatCompletionRequest(model: "m", messages: [], extras: "["), "extras"),
            (ChatCompletionRequest(model: "m", messages: [], extras: "[]"), "extras"),
        ] {
            let error = #expect(throws: OpenAiClientError.self) { try request.document() }
            #expect(error?.code == .invalidRequest && error?.message.contains(word) == true)
        }
    }

    @Test(
        "A configuration that cannot be used is refused by the name of what is wrong, and without its secrets",
        arguments: [
            (OpenAiClientConfig(apiKey: "k", baseUrl: ""), "baseUrl"),
            (OpenAiClientConfig(apiKey: "k", baseUrl: "ftp://x"), "baseUrl"),
            (OpenAiClientConfig(apiKey: "k", baseUrl: "https://"), "baseUrl"),
            (OpenAiClientConfig(apiKey: "secret-1\r\nX-Evil: 1"), "apiKey"),
            (OpenAiClientConfig(apiKey: "secret-1 \n"), "apiKey"),
            (OpenAiClientConfig(apiKey: "k", extraHeaders: ["X-A": "secret-1\r\nX-Evil: 1"]), "extraHeaders"),
            (OpenAiClientConfig(apiKey: "k", extraHeaders: ["X A": "secret-1"]), "extraHeaders"),
            (OpenAiClientConfig(apiKey: "k", extraHeaders: ["": "secret-1"]), "extraHeaders"),
            (OpenAiClientConfig(apiKey: "k", stallTimeout: .nan), "stallTimeout"),
        ])
    func configuration(config: OpenAiClientConfig, word: String) async throws {
        let outcome = try await Outcome(OpenAiClient(config: config, transport: PiecesTransport(pieces: [])))
        #expect(outcome.error?.code == .invalidConfiguration)
        #expect(outcome.error?.message.contains(word) == true)
        #expect(outcome.error?.message.contains("secret-1") == false)
    }

    @Test("Address and path are joined with one slash")
    func joined() throws {
        for (base, path, joined) in [
            ("http://h/v1", "/chat/completions", "http://h/v1/chat/completions"),
            ("http://h/v1/", "chat", "http://h/v1/chat"), ("http://h/v1//", "/chat", "http://h/v1/chat"),
            ("http://h/v1", "", "http://h/v1"),
            ("http://h", "/chat?api-version=1", "http://h/chat?api-version=1"),
        ] {
            let endpoint = try Endpoint(OpenAiClientConfig(apiKey: "", baseUrl: base, chatCompletionsPath: path))
            #expect(endpoint.url.absoluteString == joined)
        }
    }

    @Test("Headers of the app take the place of ours")
    func headers() throws {
        let config = OpenAiClientConfig(apiKey: "k", extraHeaders: ["authorization": "Basic x", "X-Title": "t"])
        let request = try Endpoint(config).request([])
        let fields = request.fields.map { "\($0.name): \($0.value)" }
        #expect(fields.contains("authorization: Basic x") && fields.contains("X-Title: t"))
        #expect(!fields.contains { $0.hasPrefix("Authorization") })
        let open = try Endpoint(OpenAiClientConfig(apiKey: "")).request([])
        #expect(!open.fields.contains { $0.name == "Authorization" })
    }

    @Test("No description of a client or configuration has a secret")
    func descriptions() {
        let config = OpenAiClientConfig(
            apiKey: "secret-1", baseUrl: "https://user:secret-1@h/v1?key=secret-1", extraHeaders: ["X-Key": "secret-1"])
        let client = OpenAiClient(config: config)
        var dumped = ""
        dump(config, to: &dumped)
        dump(client, to: &dumped)
        let texts = [
            "\(config)", "\(client)", String(reflecting: config), String(reflecting: client), dumped,
            "\([config])", "\(Optional(client) as Any)",
        ]
        for text in texts { #expect(text.contains("https://h/v1") && !text.contains("secret-1"), "\(text)") }
    }
}
