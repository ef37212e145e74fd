import LeapCore
import LeapJSON
import LeapOpenAIClient
import LeapOpenAIFormat
import LeapTestTraits
import Testing

@testable import LeapServing

/// Tests that the client reads what the server writes.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct ClientReadsTests {
    private static let dim = LeapFunctionCall(name: "dim", arguments: ["level": 3])
    private static let note = LeapFunctionCall(name: "note", arguments: ["input": "Feed the cat."])

    @Test("Text, reasoning, calls of both types, the end and the tokens of a streamed reply")
    func chunks() async throws {
        let reply = try await WrittenReply.make(
            #""stream": true, "stream_options": {"include_usage": true}, \#(WrittenReply.tools)"#,
            [
                .reasoningChunk("Let me"), .chunk("Tō"), .chunk("kyō"), .functionCall([Self.dim, Self.note]),
                WrittenReply.completion(),
            ])
        let chunks = try await RecordedExchange(reply).chunks()
        #expect(chunks.allSatisfy { $0.id == "chatcmpl-1" && $0.model == "demo" })
        #expect(chunks.compactMap(\.reasoning) == ["Let me"])
        #expect(chunks.compactMap(\.content) == ["Tō", "kyō"])
        let calls = chunks.flatMap(\.toolCalls)
        #expect(calls.map(\.index) == [0, 1] && calls.map(\.name) == ["dim", "note"])
        #expect(calls.map(\.arguments) == [#"{"level":3}"#, "Feed the cat."])
        #expect(Set(calls.compactMap(\.id)).count == 2)
        #expect(chunks.compactMap(\.finishReason) == ["tool_calls"])
        #expect(
            chunks.compactMap(\.usage)
                == [Usage(promptTokens: 8, completionTokens: 4, totalTokens: 12, cachedPromptTokens: 3)])
        // The role, the four pieces, the end and the tokens.
        #expect(chunks.count == 7)
    }

    @Test("A reply that is not streamed is one chunk with the same")
    func whole() async throws {
        let reply = try await WrittenReply.make(
            WrittenReply.tools,
            [
                .reasoningChunk("Let me"), .chunk("Tōkyō"), .functionCall([Self.dim, Self.note]),
                WrittenReply.completion(),
            ])
        let chunks = try await RecordedExchange(reply).chunks()
        let chunk = try #require(chunks.first)
        #expect(chunks.count == 1 && chunk.content == "Tōkyō" && chunk.reasoning == "Let me")
        #expect(chunk.toolCalls.map(\.name) == ["dim", "note"] && chunk.toolCalls.map(\.index) == [0, 1])
        #expect(chunk.toolCalls.map(\.arguments) == [#"{"level":3}"#, "Feed the cat."])
        #expect(chunk.finishReason == "tool_calls" && chunk.usage?.totalTokens == 12)
    }

    @Test("A call in the shape that there was before tools", arguments: [false, true])
    func functionCall(isStream: Bool) async throws {
        let reply = try await WrittenReply.make(
            #""stream": \#(isStream), "functions": [{"name": "dim", "parameters": {"type": "object"}}]"#,
            [.functionCall([Self.dim]), WrittenReply.completion()])
        let chunks = try await RecordedExchange(reply).chunks()
        let calls = chunks.flatMap(\.toolCalls)
        #expect(calls.map(\.name) == ["dim"] && calls.map(\.arguments) == [#"{"level":3}"#])
        #expect(chunks.compactMap(\.finishReason) == ["function_call"])
    }

    @Test(
        "Every reason of an end",
        arguments: [(GenerationFinishReason.stop, "stop"), (.exceedContext, "length"), (.error, "error")])
    func finishReasons(reason: GenerationFinishReason, word: String) async throws {
        for isStream in [false, true] {
            let reply = try await WrittenReply.make(
                #""stream": \#(isStream)"#, [.chunk("Tōkyō"), WrittenReply.completion(reason)])
            let chunks = try await RecordedExchange(reply).chunks()
            #expect(chunks.compactMap(\.finishReason) == [word] && chunks.compactMap(\.content) == ["Tōkyō"])
            #expect(OpenAI.FinishReason(rawValue: word) != nil)
        }
    }

    @Test("Sound is passed over, and what is beside it is read")
    func sound() async throws {
        let reply = try await WrittenReply.make(
            #""stream": true, "modalities": ["text", "audio"], "audio": {"format": "pcm16"}"#,
            [.chunk("Tōkyō"), .audioSample(samples: [0, 0.5], sampleRate: 24_000), WrittenReply.completion()])
        let chunks = try await RecordedExchange(reply).chunks()
        #expect(chunks.compactMap(\.finishReason) == ["stop"] && chunks.count > 3)
        #expect(chunks.allSatisfy { $0.content == nil && $0.toolCalls.isEmpty })
    }

    @Test("Errors in the middle of a reply and in its place have their codes")
    func errors() async throws {
        let context = LeapGenerationPromptExceedContextLengthException(message: "too long", cause: nil)
        let full = LeapGenerationQueueFullException(message: "full")
        let kinds: [(any Error, OpenAiClientError.Code, OpenAiClientError.Code, String)] = [
            (context, .contextLengthExceeded, .contextLengthExceeded, "context_length_exceeded"),
            (full, .endpointFailed, .rateLimited, "overloaded"),
        ]
        for (error, midway, instead, code) in kinds {
            let late = try await WrittenReply.make(#""stream": true"#, [.chunk("Tō")], error: error)
            let found = await #expect(throws: OpenAiClientError.self) {
                try await RecordedExchange(late).chunks()
            }
            #expect(found?.code == midway && found?.endpointCode == code)
            let reply = APIError(error).reply
            let refused = await #expect(throws: OpenAiClientError.self) {
                try await RecordedExchange(reply).chunks()
            }
            #expect(refused?.code == instead && refused?.endpointCode == code && refused?.status == reply.status)
        }
    }

    @Test("A prompt that is too long for llama.cpp's server, whose code is the status")
    func contextSize() async throws {
        let error: JSONValue = .object([
            "error": .object([
                "code": .integer(400), "type": .string(OpenAI.ErrorCode.contextSizeExceeded), "message": "too long",
            ])
        ])
        let found = await #expect(throws: OpenAiClientError.self) {
            try await RecordedExchange(.json(error, status: 400)).chunks()
        }
        #expect(found?.code == .contextLengthExceeded && found?.endpointCode == "400")
    }

    @Test("Errors are read as they are written", arguments: OpenAI.ErrorType.allCases)
    func errorBodies(type: OpenAI.ErrorType) {
        let error = APIError(status: 400, type: type, message: "wrong", parameter: "seed", code: "invalid_seed")
        let body = OpenAI.ErrorBody(error.json)
        #expect(body == OpenAI.ErrorBody(message: "wrong", type: type, parameter: "seed", code: "invalid_seed"))
        let bare = OpenAI.ErrorBody(APIError(status: 400, type: type, message: "wrong").json)
        #expect(bare.parameter == nil && bare.code == nil && bare.type == type.rawValue)
    }
}
