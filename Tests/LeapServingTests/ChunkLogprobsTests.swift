import Foundation
import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Log probabilities in the chunks of streams.
@Suite(.inTurns)
struct ChunkLogprobsTests {
    private static let question = #"[{"role": "user", "content": "What is the capital of Portugal?"}]"#
    private static let tool =
        #"{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}"#

    private static func chat(_ more: String) -> String {
        #"{"temperature": 0, "logprobs": true, "top_logprobs": 2, "messages": \#(question)\#(more)}"#
    }

    private static func text(_ tokens: [JSONValue]) -> String {
        let bytes = tokens.flatMap { $0["bytes"]?.array ?? [] }.compactMap(\.integer).map { UInt8($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func tokens(_ texts: [String]) throws -> [TokenLogprob] {
        try texts.enumerated().map { index, text in
            let json =
                #"{"id": \#(index), "token": "", "bytes": \#(Array(text.utf8)), "logprob": 0, "top_logprobs": []}"#
            return try JSONDecoder().decode(TokenLogprob.self, from: Data(json.utf8))
        }
    }

    @Test("Each chunk of a chat has the tokens that its text is made of, and all chunks together those of the reply")
    func chat() async throws {
        let server = try ServingSupport.server()
        for more in [#", "n": 2, "seed": 1"#, #", "stop": ["Lisbon"]"#, #", "max_tokens": 3"#] {
            let whole = try await server.post("/v1/chat/completions", Self.chat(more))
            let chunks = try await server.events("/v1/chat/completions", Self.chat(more + #", "stream": true"#))
                .compactMap { $0["choices"]?.array?.first }
            for choice in whole.body["choices"]?.array ?? [] {
                var tokens: [JSONValue] = []
                var textChunks = 0
                for chunk in chunks where chunk["index"] == choice["index"] {
                    let own = chunk["logprobs"]?["content"]?.array ?? []
                    if let text = chunk["delta"]?["content"]?.string, !text.isEmpty {
                        textChunks += 1
                        // A stop sequence may begin within a token.
                        let isWhole = Self.text(own) == text || more.contains("stop")
                        #expect(isWhole && Self.text(own).hasPrefix(text), "\(more): \(chunk)")
                    }
                    tokens += own
                }
                let expected = try #require(choice["logprobs"]?["content"]?.array)
                #expect(tokens.map { $0["token"] } == expected.map { $0["token"] }, "\(more)")
                #expect(tokens.allSatisfy { $0["top_logprobs"]?.array?.count == 2 })
                #expect(textChunks > 1, "\(more)")
            }
        }
    }

    @Test("The tokens of a call come with it, and without the field there are none")
    func calls() async throws {
        let server = try ServingSupport.server()
        let more = #", "tools": [\#(Self.tool)], "tool_choice": "required""#
        let whole = try await server.post("/v1/chat/completions", Self.chat(more))
        let chunks = try await server.events("/v1/chat/completions", Self.chat(more + #", "stream": true"#))
            .compactMap { $0["choices"]?.array?.first }
        let expected = whole.body["choices"]?.array?.first?["logprobs"]?["content"]?.array ?? []
        let tokens = chunks.flatMap { $0["logprobs"]?["content"]?.array ?? [] }
        #expect(!expected.isEmpty && tokens.map { $0["token"] } == expected.map { $0["token"] })
        let call = chunks.first { $0["delta"]?["tool_calls"] != nil }
        #expect(call?["logprobs"]?["content"]?.array?.isEmpty == false)
        let plain = try await server.events(
            "/v1/chat/completions", #"{"stream": true, "max_tokens": 4, "messages": \#(Self.question)}"#)
        let logprobs = plain.compactMap { $0["choices"]?.array?.first?["logprobs"] }
        #expect(logprobs.count > 2 && logprobs.allSatisfy { $0 == .null })
    }

    @Test("Each chunk of a text completion has its tokens, whose places are those in the whole text")
    func text() async throws {
        let server = try ServingSupport.server()
        for echo in [true, false] {
            let body =
                #""prompt": ["The capital of", "One, two"], "echo": \#(echo), "logprobs": 1, "max_tokens": 6, "temperature": 0, "ignore_eos": true"#
            let whole = try await server.post("/v1/completions", "{\(body)}")
            let chunks = try await server.events("/v1/completions", "{\(body), \"stream\": true}")
                .compactMap { $0["choices"]?.array?.first }
            for choice in whole.body["choices"]?.array ?? [] {
                let own = chunks.filter { $0["index"] == choice["index"] }
                #expect(own.compactMap { $0["text"]?.string }.joined() == choice["text"]?.string)
                for name in ["tokens", "text_offset"] {
                    let expected = choice["logprobs"]?[name]?.array ?? []
                    let lists = own.compactMap { $0["logprobs"]?[name]?.array }
                    #expect(lists.count > 2 && lists.flatMap { $0 } == expected, "\(name) \(lists)")
                }
            }
        }
    }

    @Test("Deltas of a response have their tokens where those are included")
    func responses() async throws {
        let events = try await ServingSupport.server().events(
            "/v1/responses",
            #"{"stream": true, "temperature": 0, "max_output_tokens": 20, "input": "What is the capital of Portugal?", "include": ["message.output_text.logprobs"]}"#
        )
        let deltas = events.filter { $0["type"] == "response.output_text.delta" }
        #expect(deltas.count > 3)
        for delta in deltas {
            #expect(Self.text(delta["logprobs"]?.array ?? []) == delta["delta"]?.string, "\(delta)")
        }
    }

    @Test("Marks come before the text behind them, and what is held back waits for its text")
    func places() throws {
        var chunks = ChunkLogprobs()
        chunks.add(try Self.tokens(["<think>", "a", "b"]))
        let first = chunks.take("a")
        #expect(first.before.map(\.id) == [0] && first.own.map(\.id) == [1])
        let second = chunks.take("b")
        #expect(second.before.isEmpty && second.own.map(\.id) == [2])
        // The text ends within a token.
        chunks.add(try Self.tokens(["cd", "ef"]))
        #expect(chunks.take("cde").own.map(\.id) == [0, 1])
        #expect(chunks.take("f").own.isEmpty && chunks.takeAll().isEmpty)
    }
}
