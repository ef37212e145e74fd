import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct PendingRepliesTests {
    /// A protocol that sends one line for each piece.
    private struct Lines: StreamShape {
        let send: ServerReply.Send

        private func write(_ line: String) async throws { try await send(Array((line + "\n").utf8)) }

        mutating func begin() async throws { try await write("begin") }
        mutating func add(_ piece: ReplyPiece) async throws {
            if case .chunk(let text) = piece.response { try await write("\(piece.index) \(text)") }
        }
        mutating func end(_ parts: [ReplyParts]) async throws { try await write("end \(parts.map(\.text))") }
        mutating func fail(_ error: APIError) async throws { try await write("fail \(error.code ?? "")") }
    }

    private func text(
        _ replies: [PendingReplies.Reply], in limit: Duration? = nil
    ) async throws -> String {
        let lease = try await ServingSupport.pool([ServingSupport.demo()]).lease(nil)
        let request = ServerRequest(method: "POST", path: "/", deadline: limit.map { Deadline(in: $0) })
        return try await PendingReplies(replies, lease, for: request)
            .stream(type: "text/plain") { Lines(send: $0) }.collectText()
    }

    @Test("Pieces are sent as they come, and the whole texts are known at the end")
    func pieces() async throws {
        let reply = PendingReplies.Reply { continuation in
            for piece in ["a", "b", "c"] { continuation.yield(.chunk(piece)) }
            continuation.finish()
        }
        #expect(try await text([reply]) == "begin\n0 a\n0 b\n0 c\nend [\"abc\"]\n")
    }

    @Test("A reply that fails before its first piece is an error of the request, later one of the stream")
    func failure() async throws {
        let error = LeapGenerationQueueFullException(message: "full")
        await #expect(throws: LeapGenerationQueueFullException.self) {
            try await text([PendingReplies.Reply { $0.finish(throwing: error) }])
        }
        let late = PendingReplies.Reply { continuation in
            continuation.yield(.chunk("a"))
            continuation.finish(throwing: error)
        }
        #expect(try await text([late]) == "begin\n0 a\nfail overloaded\n")
    }

    @Test("A reply that is not whole at the deadline fails")
    func deadline() async throws {
        let (reply, continuation) = PendingReplies.Reply.makeStream()
        continuation.yield(.chunk("a"))
        #expect(
            try await text([reply], in: .seconds(5)) == "begin\n0 a\nfail request_timeout\n")
        await #expect(throws: APIError.self) {
            try await text([PendingReplies.Reply.makeStream().stream], in: .milliseconds(10))
        }
    }

    @Test("More pieces than wait for a slow client end its reply")
    func slowClient() async throws {
        let count = MergedReplies.maxWaiting + 8
        let reply = PendingReplies.Reply { continuation in
            for _ in 0..<count { continuation.yield(.chunk("a")) }
            continuation.finish()
        }
        let merged = MergedReplies([reply])
        _ = try await merged.next()
        // All of them are written before the next one is read, as a client's connection would be full.
        for _ in 0..<24_000 where !merged.isOver { try await Task.sleep(for: .milliseconds(5)) }
        var found = 1
        let error = await #expect(throws: APIError.self) { while try await merged.next() != nil { found += 1 } }
        #expect(error?.code == "client_too_slow")
        #expect(found < count)
    }
}
