import Foundation
import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapOpenAIClient

/// The replies that the client reads from an endpoint's bytes, wherever they are cut.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct ReplyStreamTests {
    /// An answer that was recorded, and whether it is a whole reply.
    struct Recording: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let code: OpenAiClientError.Code?
        var status = 200
        var type = "text/event-stream"
        var testDescription: String { name }
    }

    static let recordings: [Recording] = [
        Recording(name: "whole", text: ClientSupport.stream, code: nil),
        Recording(name: "CR LF", text: ClientSupport.stream.replacingOccurrences(of: "\n", with: "\r\n"), code: nil),
        Recording(
            name: "without [DONE]", text: ClientSupport.stream.replacingOccurrences(of: "data: [DONE]\n", with: ""),
            code: nil),
        Recording(
            name: "without the last empty line",
            text: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]", code: nil),
        Recording(
            name: "error in the middle",
            text:
                "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"message\":\"boom\",\"code\":502}}\n\n",
            code: .endpointFailed),
        Recording(
            name: "no JSON in the middle",
            text: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {oops\n\ndata: [DONE]\n\n",
            code: .malformedAnswer),
        Recording(
            name: "cut off", text: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choi",
            code: .incomplete),
        Recording(name: "nothing", text: "", code: .incomplete),
        Recording(
            name: "too long",
            text: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: "
                + String(repeating: "x", count: 900),
            code: .eventTooLong),
        Recording(
            name: "more after the end",
            text: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\ndata: junk\n\n",
            code: nil),
        Recording(
            name: "not streamed",
            text:
                "{\"id\":\"x\",\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}",
            code: nil, type: "application/json; charset=utf-8"),
        Recording(
            name: "an error that says it is a success", text: "{\"error\":{\"message\":\"no credits\"}}",
            code: .endpointFailed, type: "application/json"),
        Recording(
            name: "another document", text: "{\"ok\":true}", code: .malformedAnswer, type: "application/json"),
        Recording(
            name: "context", text: "{\"error\":{\"message\":\"too long\",\"code\":\"context_length_exceeded\"}}",
            code: .contextLengthExceeded, status: 400, type: "application/json"),
        Recording(
            name: "a web page", text: "<html>nothing here</html>", code: .notFound, status: 404, type: "text/html"),
    ]

    private func outcome(_ recording: Recording, _ pieces: [[UInt8]]) async throws -> Outcome {
        let transport = PiecesTransport(status: recording.status, type: recording.type, pieces: pieces)
        let config = OpenAiClientConfig(apiKey: "", baseUrl: "http://localhost", maxRetries: 0, maxEventBytes: 800)
        return try await Outcome(OpenAiClient(config: config, transport: transport))
    }

    @Test("A reply is the same wherever its bytes are cut", arguments: recordings)
    func cuts(recording: Recording) async throws {
        let bytes = Array(recording.text.utf8)
        let whole = try await outcome(recording, [bytes])
        #expect(whole.error?.code == recording.code, "\(whole)")
        if recording.status == 200, recording.type != "application/json", recording.code != .incomplete {
            #expect(!whole.chunks.isEmpty)
        }
        for cut in stride(from: 0, to: bytes.count, by: TestLevel.rounds(5, all: 1)) {
            let outcome = try await outcome(recording, [Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(outcome == whole, "at \(cut)")
        }
        #expect(try await outcome(recording, bytes.map { [$0] }) == whole)
    }

    @Test("Chunks have text, reasoning, calls, the reason of the end and tokens")
    func chunks() async throws {
        let outcome = try await outcome(Self.recordings[0], [Array(ClientSupport.stream.utf8)])
        #expect(outcome.text == "Tōkyō 🗼.")
        #expect(outcome.chunks.compactMap(\.reasoning) == ["Let me"])
        let calls = outcome.chunks.flatMap(\.toolCalls)
        #expect(calls.map(\.index) == [0, 0] && calls.first?.id == "call_1" && calls.first?.name == "f")
        #expect(calls.compactMap(\.arguments).joined() == "{\"a\":1}")
        #expect(outcome.chunks.compactMap(\.finishReason) == ["stop"])
        #expect(
            outcome.chunks.last?.usage
                == Usage(promptTokens: 9, completionTokens: 4, totalTokens: 13, cachedPromptTokens: 8))
        #expect(outcome.chunks.first?.id == "c1" && outcome.chunks.first?.model == "m-1")
    }

    @Test("Documents of any shape end in chunks or a typed error")
    func hostile() async throws {
        let values = [
            "null", "1", "\"x\"", "[]", "{}", "{\"choices\":1}", "{\"choices\":[1]}", "{\"choices\":[{}]}",
            "{\"choices\":[{\"delta\":{\"content\":1,\"tool_calls\":[1,{\"index\":-5},{\"index\":99999999999999}]}}]}",
            "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}", "{\"usage\":{\"prompt_tokens\":1e400}}",
            "{\"usage\":{\"prompt_tokens\":-1,\"completion_tokens\":9223372036854775807,\"total_tokens\":9223372036854775807}}",
            "{\"error\":null,\"choices\":[]}", "{\"error\":\"text\"}", "{\"error\":{\"message\":1}}",
            String(repeating: "[", count: 700),
        ]
        for value in values {
            let recording = Recording(name: "", text: "", code: nil)
            let outcome = try await outcome(recording, [Array("data: \(value)\n\ndata: [DONE]\n\n".utf8)])
            #expect(outcome.text.isEmpty, "\(value)")
            #expect(!outcome.chunks.flatMap(\.toolCalls).contains { $0.index < 0 || $0.index > 1 << 16 })
        }
    }
}
