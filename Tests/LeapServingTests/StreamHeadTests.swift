import Foundation
import LeapBase
import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The head of a stream, and the events that come while nothing is written yet.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct StreamHeadTests {
    private struct Events: StreamShape {
        let writer: EventWriter

        mutating func begin() async throws { try await writer.event("begin") }
        mutating func add(_ piece: ReplyPiece) async throws { try await writer.event("piece") }
        mutating func end(_ parts: [ReplyParts]) async throws { try await writer.done() }
        mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
    }

    private func pending(
        _ replies: [PendingReplies.Reply], _ acceptance: ReplyAcceptance?
    ) async throws -> PendingReplies {
        let lease = try await ServingSupport.pool([ServingSupport.demo()]).lease(nil)
        return PendingReplies(replies, lease, for: ServerRequest(method: "POST", path: "/"), acceptance)
    }

    private func stream(
        _ pending: PendingReplies, type: String = ServerReply.events
    ) async throws -> ServerReply {
        try await pending.stream(type: type, commentInterval: .milliseconds(20)) {
            Events(writer: EventWriter(send: $0))
        }
    }

    @Test(
        "The head of a stream is there when all replies were taken, before any piece; comments come while there is none"
    )
    func early() async throws {
        let (reply, continuation) = PendingReplies.Reply.makeStream()
        let acceptance = ReplyAcceptance(count: 2)
        acceptance.accept()
        let pending = try await pending([reply, PendingReplies.Reply { $0.finish() }], acceptance)
        let isThere = Locked(false)
        let task = Task {
            let head = try await stream(pending)
            isThere.withLock { $0 = true }
            return head
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(!isThere.withLock { $0 })
        acceptance.accept()
        let head = try await task.value
        #expect(head.headers.contains { $0.name == "x-accel-buffering" && $0.value == "no" })
        let sent = Locked("")
        guard case .stream(let write) = head.body else { return }
        let body = Task {
            try await write { bytes in
                sent.withLock { sent in
                    sent += String(decoding: bytes, as: UTF8.self)
                    // The model begins when comments were seen.
                    if sent.components(separatedBy: ": waiting").count == 4 {
                        continuation.yield(.chunk("a"))
                        continuation.finish()
                    }
                }
            }
        }
        try await body.value
        let text = sent.withLock { $0 }
        let comment = ": waiting for the model\n\n"
        #expect(text.hasPrefix(comment))
        #expect(text.replacing(comment, with: "") == "data: \"begin\"\n\ndata: \"piece\"\n\ndata: [DONE]\n\n")
    }

    @Test("What fails before is an error with a status, what fails later an event; lines of JSON have no comments")
    func failures() async throws {
        let error = LeapGenerationQueueFullException(message: "full")
        let refused = try await pending(
            [PendingReplies.Reply { $0.finish(throwing: error) }], ReplyAcceptance(count: 1))
        await #expect(throws: LeapGenerationQueueFullException.self) { try await stream(refused) }
        for type in [ServerReply.events, "application/x-ndjson"] {
            let (reply, continuation) = PendingReplies.Reply.makeStream()
            let acceptance = ReplyAcceptance(count: 1)
            acceptance.accept()
            let head = try await stream(try await pending([reply], acceptance), type: type)
            #expect(head.status == 200)
            continuation.finish(throwing: error)
            let text = try await head.collectText()
            #expect(text.contains("overloaded") && !text.contains("[DONE]"))
            #expect(text.contains(": waiting") == (type == ServerReply.events))
        }
    }

    @Test(
        "A server's streams begin before the prompt is computed, and what is wrong with a request has its status all the same",
        arguments: [
            ("/v1/chat/completions", #""messages": [{"role": "user", "content": "X"}]"#),
            ("/v1/completions", #""prompt": "X""#), ("/v1/responses", #""input": "X""#),
            ("/api/chat", #""messages": [{"role": "user", "content": "X"}]"#), ("/api/generate", #""prompt": "X""#),
        ])
    func routes(path: String, field: String) async throws {
        let server = try ServingSupport.server()
        func reply(_ words: Int, _ more: String = "") async -> ServerReply {
            let field = field.replacing("X", with: String(repeating: "fox ", count: words))
            return await server.reply(
                to: ServerRequest(
                    method: "POST", path: path,
                    body: Array(#"{"model": "demo", "stream": true, \#(field)\#(more)}"#.utf8)))
        }
        let long = await reply(3000, #", "max_tokens": 1, "max_output_tokens": 1, "options": {"num_predict": 1}"#)
        #expect(long.status == 200)
        // Nothing was computed of it yet: the rest of a stream that is given up is not waited for.
        let tooLong = await reply(20_000)
        #expect(tooLong.status == 400)
        let form = #", "grammar": "root ::= root", "options": {"grammar": "root ::= root"}"#
        #expect(await reply(1, form).status == 400)
    }
}
