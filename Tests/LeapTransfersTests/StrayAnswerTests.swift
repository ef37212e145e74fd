import Foundation
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Single answers that do not fit among many that do: what was fetched is kept.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct StrayAnswerTests {
    static let content = Content(count: 3_000_017)
    static let bytes = content.bytes
    static let knownHash = [("x-linked-etag", "\"\(sha256(bytes))\"")]

    /// An answer that does not fit.
    enum Stray: String, CaseIterable {
        case loginPage, noSuchRange, anotherTag, anotherTotal, otherBytes, notFound, forbidden, serverError, noContent

        func reply(to request: Request, _ content: Content) -> Reply {
            switch self {
            case .loginPage:
                .text("<html>Log in</html>", fields: [("Content-Type", "text/html")])
            case .noSuchRange: Reply(status: 416)
            case .anotherTag: .text("another file", fields: [("ETag", "\"another\"")])
            case .anotherTotal:
                Reply(
                    status: 206, fields: [("ETag", "\"one\""), ("Content-Range", "bytes 0-9/10")],
                    body: .content(content, 0..<10))
            case .otherBytes:
                Reply(
                    status: 206,
                    fields: [("ETag", "\"one\""), ("Content-Range", "bytes 7-16/\(content.count)")],
                    body: .content(content, 7..<17))
            case .notFound: Reply(status: 404)
            case .forbidden: Reply(status: 403)
            case .serverError: Reply(status: 500)
            case .noContent: Reply(status: 204)
            }
        }
    }

    private func change(_ configuration: inout TransferConfiguration) {
        configuration.shortestRange = 16 << 10
        configuration.longestRange = 16 << 10
    }

    private func hash(_ isKnown: Bool) -> [(String, String)] {
        isKnown ? Self.knownHash : []
    }

    @Test(
        "1.5% of stray answers cost at most a tenth more bytes", arguments: Stray.allCases, [true, false])
    func strays(stray: Stray, knowsHash: Bool) async throws {
        let (content, fields) = (Self.content, hash(knowsHash))
        let bench = try Workbench(change) { request in
            // One in 67 requests, the first of them late enough for something to be lost.
            request.index % 67 == 40 ? stray.reply(to: request, content) : request.serve(content, fields: fields)
        }
        #expect(try bench.bytes(try await bench.install()) == Self.bytes)
        #expect(bench.server.requests.count > 180)
        #expect(Double(bench.server.bytesSent) <= 1.1 * Double(content.count), "\(bench.server.bytesSent)")
    }

    @Test("Nodes of one server may disagree about the tag where the hash is known")
    func nodes() async throws {
        let (content, fields) = (Self.content, hash(true))
        let bench = try Workbench(change) { request in
            request.serve(content, etag: "\"node \(request.index % 3)\"", fields: fields)
        }
        #expect(try bench.bytes(try await bench.install()) == Self.bytes)
        #expect(Double(bench.server.bytesSent) <= 1.1 * Double(content.count), "\(bench.server.bytesSent)")
    }

    @Test(
        "A network that wants a login near the end costs the transfer, not what is there", arguments: [true, false])
    func loginNearTheEnd(knowsHash: Bool) async throws {
        let (content, fields) = (Self.content, hash(knowsHash))
        let wantsLogin = Gate()
        let sent = Counter()
        let bench = try Workbench(change) { request in
            if sent.count >= wantsLogin.limit { return Stray.loginPage.reply(to: request, content) }
            return request.serve(content, fields: fields).with { $0.onSent = { sent.add($0) } }
        }
        wantsLogin.set(2_875_000)
        let error = await failure { try await bench.install() }
        #expect(error?.code == .protocolViolation, "\(error?.message ?? "")")
        #expect(bench.visibleModels.isEmpty)
        #expect(bench.journaled > 2_700_000)
        // Still there the next time the network is asked and still wants its login.
        _ = await failure { try await bench.install() }
        #expect(bench.journaled > 2_700_000)
        wantsLogin.set(.max)
        #expect(try bench.bytes(try await bench.install()) == Self.bytes)
        #expect(Double(bench.server.bytesSent) <= 1.1 * Double(content.count), "\(bench.server.bytesSent)")
    }

    @Test(
        "A transfer that is taken up looks twice before it gives up what is there",
        arguments: ["another tag", "another length", "no ranges"])
    func takenUp(oddity: String) async throws {
        let content = Self.content
        let phase = Counter()
        let bench = try Workbench(change) { request in
            if phase.count == 0 {
                return request.index > 150 ? Reply(status: 401) : request.serve(content)
            }
            // The first answer of the second attempt is of another node.
            guard phase.count == 1 else { return request.serve(content) }
            phase.next()
            return switch oddity {
            case "another tag": request.serve(content, etag: "\"two\"")
            case "another length":
                Reply(
                    status: 206, fields: [("ETag", "\"one\""), ("Content-Range", "bytes 0-0/999")],
                    body: .content(content, 0..<1))
            default:
                Reply(fields: [("ETag", "\"one\"")], body: .content(content, 0..<1000)).with { $0.hidesLength = true }
            }
        }
        _ = await failure { try await bench.install() }
        #expect(bench.journaled > 2_000_000)
        phase.next()
        #expect(try bench.bytes(try await bench.install()) == Self.bytes)
        #expect(Double(bench.server.bytesSent) <= 1.1 * Double(content.count), "\(bench.server.bytesSent)")
    }

    @Test("Why there is a wait or a second fetch is said in the progress")
    func notes() async throws {
        let content = Self.content
        let bad = Content(count: content.count, seed: 3)
        let tag = Self.knownHash
        let bench = try Workbench { request in
            if request.index == 0 { return Reply(status: 503, fields: [("Retry-After", "1")]) }
            return request.serve(request.index < 5 ? bad : content, fields: tag)
        }
        let log = ProgressLog()
        _ = try await bench.install { log.add($0) }
        let notes = log.all.compactMap(\.note)
        #expect(notes.contains { $0.contains("503") && $0.contains("waiting 1 second") }, "\(Set(notes))")
        #expect(notes.contains { $0.contains("damaged") && $0.contains("fetched again") }, "\(Set(notes))")
    }
}
