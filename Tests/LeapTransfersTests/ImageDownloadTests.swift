import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Pictures at addresses that somebody else chose.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct ImageDownloadTests {
    private static let loopback = NetworkAddress([127, 0, 0, 1])
    private static let picture = [UInt8]("picture: ".utf8) + (0..<5000).map { UInt8(truncatingIfNeeded: $0) }

    /// Every transport that this system has.
    private static var transports: [any Transport] {
        let standard = StandardTransport.make()
        return standard is URLSessionTransport ? [standard] : [standard, URLSessionTransport()]
    }

    private func bytes(
        of address: String, transport: any Transport = StandardTransport.make(), maxBytes: Int = 10_000,
        schemes: Set<String> = ["http"], allowsLoopback: Bool = true,
        seconds: (begin: Double, stall: Double, total: Double) = (600, 600, 600)
    ) async throws -> Data {
        let download = ImageDownload(
            transport: transport, schemes: schemes,
            addresses: .publicInternet(and: allowsLoopback ? Set([Self.loopback].compactMap { $0 }) : []),
            seconds: seconds)
        return try await download.bytes(of: address, maxBytes: maxBytes) { $0.starts(with: "picture: ".utf8) }
    }

    private func failure(_ body: () async throws -> Data) async -> DownloadError? {
        await #expect(throws: DownloadError.self) { try await body() }
    }

    @Test("A picture is fetched, whatever the server says that it is, through up to five redirects")
    func fetched() async throws {
        let server = try Server { request in
            let left = Int(request.path.dropFirst()) ?? 0
            return left > 0
                ? .redirect(to: "/\(left - 1)?q=1")
                : Reply(fields: [("Content-Type", "text/html")], body: .bytes(Self.picture))
        }
        defer { server.stop() }
        for transport in Self.transports {
            #expect(try await bytes(of: server.url("/5").absoluteString, transport: transport) == Data(Self.picture))
            let error = await failure { try await bytes(of: server.url("/6").absoluteString, transport: transport) }
            #expect(error?.code == .tooManyRedirects)
        }
        #expect(server.requests.allSatisfy { $0.fields["authorization"] == nil && $0.fields["cookie"] == nil })
    }

    @Test(
        "An address of a private network is not connected to: as it is, as a number, by a name, and behind a redirect")
    func privateAddresses() async throws {
        let inner = try Server { _ in Reply(body: .bytes(Self.picture)) }
        defer { inner.stop() }
        let outer = try Server { request in .redirect(to: "http://127.0.0.2:\(inner.port)\(request.path)") }
        defer { outer.stop() }
        let port = inner.port
        for transport in Self.transports {
            for host in ["127.0.0.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]", "[::1]"] {
                let error = await failure {
                    try await bytes(of: "http://\(host):\(port)/", transport: transport, allowsLoopback: false)
                }
                #expect(error?.code == .invalidAddress || error?.code == .network, "\(host): \(error?.message ?? "")")
            }
            // What is allowed is the server that redirects, and nothing beside it.
            let error = await failure {
                try await bytes(of: outer.url("/x").absoluteString, transport: transport)
            }
            #expect(error?.code == .invalidAddress)
            #expect(error?.message.contains("127.0.0.2") == true, "\(error?.message ?? "")")
        }
        #expect(inner.requests.isEmpty)
        #expect(outer.requests.count == Self.transports.count)
    }

    @Test("A connection that another transfer left open is not used for an address that may not be connected to")
    func reusedConnection() async throws {
        let server = try Server { _ in Reply(body: .bytes(Self.picture)) }
        defer { server.stop() }
        for transport in Self.transports {
            _ = try await transport.send(
                HTTPRequest(url: server.url("/")), to: HTTPReceiver(head: { _ in true }, body: { _ in true }))
            let error = await failure {
                try await bytes(of: server.url("/").absoluteString, transport: transport, allowsLoopback: false)
            }
            #expect(error?.code == .invalidAddress)
        }
        #expect(server.requests.count == Self.transports.count)
    }

    @Test("Only https is fetched, and a redirect does not lead away from it")
    func schemes() async throws {
        for address in [
            "http://example.org/a.png", "file:///etc/passwd", "ftp://example.org/a.png", "data:,x", "", "a b",
            "https://", "https:///a.png",
        ] {
            let error = await failure { try await bytes(of: address, schemes: ["https"]) }
            #expect(error?.code == .invalidAddress, "\(address)")
        }
        let server = try Server { _ in .redirect(to: "file:///etc/passwd") }
        defer { server.stop() }
        let error = await failure { try await bytes(of: server.url("/").absoluteString) }
        #expect(error?.code == .invalidAddress)
    }

    @Test("A picture that is too long is given up: before its body where the server says so, else at the limit")
    func tooLong() async throws {
        let server = try Server { request in
            switch request.path {
            case "/announced":
                Reply(fields: [("Content-Length", "20000")], body: .bytes([])).with { $0.stallsAfter = 0 }
            case "/absurd": Reply(fields: [("Content-Length", "99999999999999999999")], body: .bytes(Self.picture))
            default: Reply(body: .endless(Self.picture)).with { $0.hidesLength = true }
            }
        }
        defer { server.stop() }
        for path in ["/announced", "/absurd", "/endless"] {
            let error = await failure { try await bytes(of: server.url(path).absoluteString) }
            #expect(error?.code == .protocolViolation, "\(path)")
        }
        let exact = try Server { _ in Reply(body: .bytes(Self.picture)) }
        defer { exact.stop() }
        let address = exact.url("/").absoluteString
        #expect(try await bytes(of: address, maxBytes: Self.picture.count).count == Self.picture.count)
        #expect(await failure { try await bytes(of: address, maxBytes: Self.picture.count - 1) } != nil)
    }

    @Test("A server that does not begin, that drips, or that does not end is given up")
    func slow() async throws {
        let server = try Server { request in
            switch request.path {
            case "/silent": Reply().with { $0.delayMilliseconds = 3_600_000 }
            case "/headers":
                Reply().with {
                    $0.headersForever = true
                    // On a busy machine time must be up before the headers are too long.
                    $0.dripMilliseconds = 20
                }
            default:
                Reply(body: .endless(Self.picture)).with {
                    $0.hidesLength = true
                    $0.longestPiece = 16
                    $0.dripMilliseconds = 20
                }
            }
        }
        defer { server.stop() }
        for (path, seconds) in [
            ("/silent", (0.3, 600.0, 600.0)), ("/headers", (0.3, 600, 600)), ("/drip", (600, 0.3, 600)),
            ("/drip", (600, 600, 0.3)),
        ] {
            let error = await failure {
                try await bytes(of: server.url(path).absoluteString, maxBytes: 1 << 30, seconds: seconds)
            }
            #expect(error?.code == .stalled, "\(path): \(error?.message ?? "")")
        }
    }

    @Test("What is no picture is given up with its first bytes, and a status that is no success names itself")
    func noImage() async throws {
        let server = try Server { request in
            switch request.path {
            case "/page":
                Reply(fields: [("Content-Type", "image/png")], body: .endless(Array("<html>".utf8))).with {
                    $0.hidesLength = true
                }
            case "/short": .text("pic")
            case "/empty": .text("")
            default: .text("nothing", status: Int(request.path.dropFirst()) ?? 500)
            }
        }
        defer { server.stop() }
        for path in ["/page", "/short", "/empty"] {
            let error = await failure { try await bytes(of: server.url(path).absoluteString, maxBytes: 1 << 30) }
            #expect(error?.code == .protocolViolation && error?.message.contains("not a picture") == true, "\(path)")
        }
        for (status, code) in [
            (404, DownloadError.Code.notFound), (403, .accessDenied), (500, .unexpectedStatus),
            (204, .unexpectedStatus),
            (206, .unexpectedStatus),
        ] {
            let error = await failure { try await bytes(of: server.url("/\(status)?token=secret").absoluteString) }
            #expect(error?.code == code && error?.status == status)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test("Cancelling ends it")
    func cancelled() async throws {
        let server = try Server { _ in Reply().with { $0.delayMilliseconds = 3_600_000 } }
        defer { server.stop() }
        let task = Task { try await bytes(of: server.url("/").absoluteString) }
        try await wait { !server.requests.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
