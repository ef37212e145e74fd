import Foundation
import LeapBase
import LeapHTTP
import MisbehavingServer

@testable import LeapOpenAIClient

/// Replies of endpoints, and what clients make of them.
enum ClientSupport {
    static let key = "sk-test-0123456789abcdef"
    static let request = ChatCompletionRequest(model: "m", messages: [.user("Hi")])
    static let events = [("Content-Type", "text/event-stream")]

    /// A stream as OpenAI sends it.
    static let stream = """
        data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

        : keep-alive

        data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"reasoning_content":"Let me"}}]}

        data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":"Tōkyō"}}]}

        data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":" 🗼."}}]}

        data: {"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"f","arguments":"{\\"a\\""}}]}}]}

        data: {"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}

        data: {"id":"c1","model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

        data: {"id":"c1","model":"m-1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":8}}}

        data: [DONE]


        """

    static func client(_ server: Server, _ change: (inout OpenAiClientConfig) -> Void = { _ in }) -> OpenAiClient {
        var config = OpenAiClientConfig(apiKey: key, baseUrl: server.url("/v1").absoluteString)
        change(&config)
        return OpenAiClient(config: config)
    }

    /// Both ways of sending requests.
    static let transports: [@Sendable () -> any Transport] = [{ StandardTransport.make() }, { URLSessionTransport() }]
}

/// The part of a reply that arrived, and its error.
struct Outcome: Equatable {
    var chunks: [ChatCompletionChunk] = []
    var error: OpenAiClientError?
    var isCancelled = false

    var text: String { chunks.compactMap(\.content).joined() }

    init(_ client: OpenAiClient, _ request: ChatCompletionRequest = ClientSupport.request) async throws {
        do {
            for try await chunk in client.streamChunks(request: request) { chunks.append(chunk) }
        } catch let error as OpenAiClientError {
            self.error = error
        } catch is CancellationError {
            isCancelled = true
        }
    }
}

/// A transport that delivers an answer in given pieces, without a network.
struct PiecesTransport: Transport {
    var status = 200
    var type = "text/event-stream"
    let pieces: [[UInt8]]

    func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
        let head = HTTPHead(status: status, fields: [("Content-Type", type)])
        guard try receiver.head(head) else { return head }
        // Not on a thread of the pool: the receiver may make it wait.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        for piece in pieces {
                            guard try piece.withUnsafeBytes({ try receiver.body($0) }) else { break }
                        }
                        return head
                    })
            }
        }
    }
}
