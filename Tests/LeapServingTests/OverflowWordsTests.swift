import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The words and numbers by which agents know a full context.
@Suite(.inTurns)
struct OverflowWordsTests {
    /// The words that an agent or a library looks for in the error of a protocol.
    struct Reader: Sendable, CustomTestStringConvertible {
        let name: String
        let shape: ErrorShape
        /// A regular expression, without regard to case.
        let pattern: String
        var testDescription: String { name }
    }

    /// As `docs/Server.md` lists them.
    static let readers = [
        Reader(name: "Claude Code", shape: .anthropic, pattern: #"prompt is too long: (\d+) tokens > (\d+) maximum"#),
        Reader(name: "pi, Anthropic's protocol", shape: .anthropic, pattern: "prompt is too long"),
        Reader(name: "Cline, Anthropic's protocol", shape: .anthropic, pattern: #"prompt is too long"#),
        Reader(name: "LiteLLM", shape: .openAI, pattern: "this model's maximum context length is"),
        Reader(name: "gptme", shape: .openAI, pattern: "maximum context length"),
        Reader(name: "mistral-vibe", shape: .openAI, pattern: "maximum context length"),
        Reader(name: "pi, OpenAI's protocol", shape: .openAI, pattern: #"maximum context length is \d+ tokens"#),
        Reader(
            name: "Cline, OpenAI's protocol", shape: .openAI,
            pattern: #"\b(?:context\s*(?:length|window)|(?:maximum|max)\s*context)\b"#),
        Reader(
            name: "clients of llama.cpp's server", shape: .ollama, pattern: "exceeds the available context size"),
    ]

    private static let error = APIError(
        LeapGenerationPromptExceedContextLengthException(neededTokens: 813, availableTokens: 512))

    private static func message(_ shape: ErrorShape) -> String {
        let document = shape.document(of: error)
        return document["error"]?["message"]?.string ?? document["error"]?.string ?? ""
    }

    @Test("The error of a protocol has the words that its clients look for", arguments: readers)
    func words(reader: Reader) throws {
        let message = Self.message(reader.shape)
        let pattern = try Regex(reader.pattern).ignoresCase()
        #expect(message.firstMatch(of: pattern) != nil, "\(message)")
        #expect(message.contains("813") && message.contains("512"))
        #expect(Self.error.status == 400 && Self.error.code == "context_length_exceeded")
    }

    @Test(
        "Users of a server are told of no settings that only apps have",
        arguments: [ErrorShape.openAI, .anthropic, .ollama])
    func settings(shape: ErrorShape) {
        for word in ["contextSize", "contextOverflowPolicy", "trimOldestTurns", "maxTokens"] {
            #expect(!Self.message(shape).contains(word), "\(word)")
        }
        let budget = APIError(
            LeapGenerationTokenBudgetException(neededTokens: 9, availableTokens: 2, limit: .maxTokens(2)))
        #expect(budget.message.contains("'max_tokens' is 2") && !budget.message.contains("maxTokens"))
    }

    @Test("Requests that are too long are told so, with the part at fault")
    func requests() async throws {
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 128
        let server = try ServingSupport.server(nil, configuration)
        let text = String(repeating: "word ", count: 300)
        let message = #"{"role": "user", "content": "\#(text)"}"#
        let anthropic = try await server.post("/v1/messages", #"{"max_tokens": 4, "messages": [\#(message)]}"#)
        let words = anthropic.body["error"]?["message"]?.string ?? ""
        #expect(words.contains(/^prompt is too long: \d+ tokens > 128 maximum/), "\(anthropic.body)")
        #expect(anthropic.body["error"]?["type"] == "invalid_request_error")
        let chat = try await server.post("/v1/chat/completions", #"{"messages": [\#(message)]}"#)
        #expect(chat.body["error"]?["code"] == "context_length_exceeded" && chat.body["error"]?["param"] == "messages")
        let ollama = try await server.post(
            "/api/chat", #"{"stream": false, "truncate": false, "messages": [\#(message)]}"#)
        #expect(ollama.body["error"]?.string?.contains("available context size of 128") == true, "\(ollama.body)")
    }

    @Test("Ollama's chats leave the oldest turns out, unless a request says otherwise")
    func truncated() async throws {
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 256
        let server = try ServingSupport.server(nil, configuration)
        var messages: [JSONValue] = [.object(["role": "system", "content": "Be brief."])]
        for index in 0..<12 {
            let text = JSONValue.string("number \(index): " + String(repeating: "word ", count: 20))
            messages.append(.object(["role": .string(index % 2 == 0 ? "user" : "assistant"), "content": text]))
        }
        messages.append(.object(["role": "user", "content": "What is the capital of Portugal?"]))
        for (truncate, status) in [(JSONValue.null, 200), (.bool(true), 200), (.bool(false), 400)] {
            let body = JSONValue.object([
                "stream": .bool(false), "messages": .array(messages), "truncate": truncate,
                "options": .object(["num_predict": .integer(4), "temperature": .integer(0)]),
            ])
            let reply = try await server.post("/api/chat", JSONWriter.string(body))
            #expect(reply.status == status && reply.headers["warning"] == nil, "\(truncate): \(reply.body)")
            if status == 200 { #expect(reply.body["prompt_eval_count"]?.integer ?? 999 <= 256) }
        }
    }
}
