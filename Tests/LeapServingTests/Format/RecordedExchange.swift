import Foundation
import LeapBase
import LeapCore
import LeapHTTP
import LeapOpenAIClient

@testable import LeapServing

/// A transport that answers every request with one reply of the server, and keeps what was sent.
final class RecordedExchange: Transport {
    private let status: Int
    private let type: String
    private let body: [UInt8]
    private let sent = Locked<[UInt8]>([])

    init(_ reply: ServerReply) async throws {
        status = reply.status
        type = reply.headers.first { $0.name == "content-type" }?.value ?? ""
        body = try await reply.collect()
    }

    /// The body of the last request.
    var request: [UInt8] { sent.withLock { $0 } }

    func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
        sent.withLock { $0 = request.body ?? [] }
        let head = HTTPHead(status: status, fields: [("Content-Type", type)])
        guard try receiver.head(head) else { return head }
        // Not on a thread of the pool: the receiver may make it wait.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [body] in
                continuation.resume(
                    with: Result {
                        _ = try body.withUnsafeBytes { try receiver.body($0) }
                        return head
                    })
            }
        }
    }

    /// The chunks that the client reads of the reply.
    func chunks(_ request: ChatCompletionRequest? = nil) async throws -> [ChatCompletionChunk] {
        let client = OpenAiClient(
            config: OpenAiClientConfig(apiKey: "", baseUrl: "http://localhost/v1", maxRetries: 0), transport: self)
        let request = request ?? ChatCompletionRequest(model: "demo", messages: [.user("?")])
        var chunks: [ChatCompletionChunk] = []
        for try await chunk in client.streamChunks(request: request) { chunks.append(chunk) }
        return chunks
    }
}

/// Replies that no model wrote, in the format of chat completions.
enum WrittenReply {
    static let tools = #"""
        "tools": [
          {"type": "function", "function": {"name": "dim", "parameters": {"type": "object", "properties": {"level": {"type": "integer"}}}}},
          {"type": "custom", "custom": {"name": "note"}}
        ]
        """#

    /// The server's answer to a request, given what a model says.
    ///
    /// - Parameters:
    ///   - members: the members of the request besides its messages.
    ///   - error: ends the reply.
    static func make(
        _ members: String, _ responses: [MessageResponse], error: (any Error)? = nil
    ) async throws -> ServerReply {
        let body = #"{"messages": [{"role": "user", "content": "?"}], \#(members)}"#
        let pool = ServingSupport.pool([try ServingSupport.demo()])
        let reply = PendingReplies.Reply { continuation in
            for response in responses { continuation.yield(response) }
            continuation.finish(throwing: error)
        }
        let pending = PendingReplies(
            [reply], try await pool.lease(nil), for: ServerRequest(method: "POST", path: "/v1/chat/completions"))
        return try await ChatCompletions(pool: pool, spoken: ResponseStore(), running: RunningReplies()).answer(
            pending, try ChatRequest(Array(body.utf8)), Heading(id: "chatcmpl-1", model: "demo"))
    }

    static func completion(
        _ reason: GenerationFinishReason = .stop, _ text: String = "Tōkyō"
    ) -> MessageResponse {
        .complete(
            MessageCompletion(
                message: LeapCore.ChatMessage(role: .assistant, textContent: text), finishReason: reason,
                stats: GenerationStats(
                    promptTokens: 5, completionTokens: 4, tokenPerSecond: 2, cachedPromptTokens: 3)))
    }
}
