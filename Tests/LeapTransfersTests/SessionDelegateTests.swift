import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Every optional method of the session's delegate is called: one whose signature does not match would be passed over
/// in silence.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct SessionDelegateTests {
    /// Sends one request and collects what the receiver is told.
    private func send(_ url: URL) async throws -> (head: HTTPHead, heads: [Int], body: [UInt8]) {
        let seen = Locked<(heads: [Int], body: [UInt8])>(([], []))
        let receiver = HTTPReceiver(
            head: { head in
                seen.withLock { $0.heads.append(head.status) }
                return true
            },
            body: { bytes in
                seen.withLock { $0.body.append(contentsOf: bytes) }
                return true
            })
        let head = try await URLSessionTransport().send(HTTPRequest(url: url), to: receiver)
        let (heads, body) = seen.withLock { $0 }
        return (head, heads, body)
    }

    @Test("A redirect reaches the receiver and is not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let server = try Server { _ in Reply(status: status, fields: [("Location", "/elsewhere")]) }
        defer { server.stop() }
        let (head, heads, _) = try await send(server.url("/file"))
        #expect(head.status == status && heads == [status])
        #expect(head["location"] == "/elsewhere")
        #expect(server.requests.map(\.path) == ["/file"])
    }

    @Test("The head comes before the body, and the end after it")
    func headAndBody() async throws {
        let server = try Server { _ in
            Reply(status: 200, fields: [("X-Word", "tide")], body: .bytes(Array("water".utf8)))
        }
        defer { server.stop() }
        let (head, heads, body) = try await send(server.url("/file"))
        #expect(heads == [200] && head["x-word"] == "tide" && body == Array("water".utf8))
    }

    @Test("A challenge reaches the receiver as the answer it is")
    func challenge() async throws {
        let server = try Server { _ in Reply(status: 401, fields: [("WWW-Authenticate", "Basic realm=\"x\"")]) }
        defer { server.stop() }
        #expect(try await send(server.url("/file")).head.status == 401)
    }

    @Test("A connection that breaks ends the exchange with an error")
    func failure() async throws {
        let server = try Server { _ in Reply(status: 200, body: .bytes([1])).with { $0.hangsUp = true } }
        defer { server.stop() }
        await #expect(throws: HTTPFailure.self) { _ = try await send(server.url("/file")) }
    }
}
