import Foundation
import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Servers that fail in every way we know, and what becomes of the file.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct TransferFaultTests {
    let content = Content(count: 3_000_017)

    @Test("A whole file arrives in parallel ranges, with its hash")
    func honest() async throws {
        let content = content
        let bench = try Workbench { $0.serve(content, fields: [("x-linked-etag", "\"\(sha256(content.bytes))\"")]) }
        let model = try await bench.install()
        #expect(try bench.bytes(model) == content.bytes)
        #expect(model.files[0].sha256 == sha256(content.bytes))
        #expect(model.files[0].isVerified)
        #expect(Set(bench.server.requests.dropFirst().map(\.connection)).count > 1)
        #expect(bench.partialFiles.isEmpty)
    }

    @Test("Connections that close at random places are taken up where they ended")
    func closesAtRandom() async throws {
        let content = content
        let bench = try Workbench { request in
            request.serve(content).with {
                if request.index % 3 != 0 { $0.closesAfter = 40_000 + request.index * 7919 % 50_000 }
            }
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
        #expect(Double(bench.server.bytesSent) < Double(content.count) * 1.05)
    }

    @Test("A server that hangs up without a word is asked again")
    func hangsUp() async throws {
        let content = content
        // Every second request, whichever connection it comes on: it may be the same one several times in a row.
        let bench = try Workbench { request in request.serve(content).with { $0.hangsUp = request.index % 2 == 0 } }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("A part whose connection is dropped again and again is asked for as long as other parts arrive")
    func oneConnectionFails() async throws {
        // One part for each of four connections.
        let content = Content(count: 4 << 20)
        let (drops, sent) = (Counter(), Counter())
        let bench = try Workbench({ $0.shortestRange = 1 << 20 }) { request in
            let reply = request.serve(content)
            guard let range = request.range(size: content.count), range.count > 1 else { return reply }
            guard range.lowerBound > 0 else {
                let isDropped = drops.next() < 8
                return reply.with { $0.hangsUp = isDropped }
            }
            // The other parts go on with every drop, and are not there before the last one.
            return reply.with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                $0.isHeld = { drops.count <= 8 && sent.count >= drops.count * (64 << 10) }
            }
        }
        #expect(bench.configuration.retry.attempts < 8)
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
        #expect(drops.count > 8)
    }

    @Test("A server that always hangs up is given up, and nothing is visible")
    func alwaysHangsUp() async throws {
        let content = content
        let bench = try Workbench { request in request.serve(content).with { $0.hangsUp = true } }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .network)
        #expect(bench.visibleModels.isEmpty)
        #expect(bench.server.requests.count == 4)
    }

    @Test("429 and 503 are waited out as long as Retry-After says", arguments: [429, 503])
    func overloaded(status: Int) async throws {
        let content = content
        let refusals = TestLevel.rounds(1, all: 2)
        let bench = try Workbench { request in
            request.index < refusals ? Reply(status: status, fields: [("Retry-After", "1")]) : request.serve(content)
        }
        let began = Date()
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
        #expect(Date().timeIntervalSince(began) >= Double(refusals))
    }

    @Test("A Retry-After of an hour ends the transfer with a message that says so")
    func retryAfterAnHour() async throws {
        let bench = try Workbench { _ in Reply(status: 503, fields: [("Retry-After", "3600")]) }
        let error = await failure { try await bench.install() }
        #expect(error?.message.contains("3600 seconds") == true)
        #expect(bench.server.requests.count == 1)
    }

    @Test("A 429 in the middle costs connections, not the file")
    func tooManyConnections() async throws {
        let content = content
        let bench = try Workbench { request in
            (3...6).contains(request.index) ? Reply(status: 429) : request.serve(content)
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("500 is asked again, and given up after the attempts of the policy")
    func serverError() async throws {
        let bench = try Workbench { _ in Reply(status: 500) }
        let error = await failure { try await bench.install() }
        #expect(error?.status == 500)
        #expect(bench.server.requests.count == 4)
    }

    @Test(
        "401, 403 and 404 are not asked again and say what to do",
        arguments: [
            (401, DownloadError.Code.accessDenied, "HF_TOKEN"), (403, .accessDenied, "licence"),
            (404, .notFound, "check"),
        ])
    func refused(status: Int, code: DownloadError.Code, advice: String) async throws {
        let bench = try Workbench { _ in Reply(status: status) }
        let error = await failure { try await bench.install() }
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(error?.message.contains(advice) == true)
        #expect(bench.server.requests.count == 1)
    }

    @Test(
        "A name that Hugging Face does not know is answered by 401, and the error says to check the name",
        arguments: ["Basic realm=\"x\"", "Bearer realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", ""])
    func unknownName(challenge: String) async throws {
        let bench = try Workbench { _ in
            .text("Sorry", status: 401, fields: challenge.isEmpty ? [] : [("WWW-Authenticate", challenge)])
        }
        let library = await failure { try await bench.store.install(.library(model: "No", quantization: "Q4_0")) }
        #expect(library?.code == .notFound)
        #expect(library?.message.contains("check the name") == true)
        let repository = ModelReference.repository(owner: "o", name: "r", quantization: "Q4_0", revision: "main")
        let error = await failure { try await bench.store.install(repository) }
        #expect(error?.status == 401)
        #expect(error?.message.contains("check the name") == true)
        // Two places of a manifest, and the list of the repository, twice.
        #expect(bench.server.requests.count == 4)
    }

    @Test("A server that ignores ranges and answers 200 is read on one connection")
    func ignoresRanges() async throws {
        let content = content
        let bench = try Workbench { _ in Reply(body: .content(content, 0..<content.count)) }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("A server without length or ranges is read to its end")
    func noLength() async throws {
        let content = content
        let bench = try Workbench { _ in
            Reply(body: .content(content, 0..<content.count)).with { $0.hidesLength = true }
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("A server that gives parts at first and then all of the file is read on one connection")
    func rangesVanish() async throws {
        let content = content
        let bench = try Workbench { request in
            request.index < 3
                ? request.serve(content)
                : Reply(fields: [("ETag", "\"one\"")], body: .content(content, 0..<content.count))
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
        #expect(bench.partialFiles.isEmpty)
    }

    /// The requests that a server with half an understanding of parts grants; all others get the whole file.
    enum Grant: CaseIterable {
        /// Requests that begin at the first byte.
        case firstBytes
        /// Requests for a single byte, which is how the file is described.
        case oneByte
        /// Requests without a condition.
        case unconditional
        /// The first few requests of a transfer's connections.
        case firstRequests

        func grants(_ request: Request, _ range: Range<Int>) -> Bool {
            switch self {
            case .firstBytes: range.lowerBound == 0
            case .oneByte: range.count == 1
            case .unconditional: request.fields["if-range"] == nil
            case .firstRequests: range.count == 1 || request.index < 8
            }
        }
    }

    @Test(
        "A server that grants the first part and answers later ones with the whole file is read on one connection",
        arguments: Grant.allCases, [true, false])
    func grantsTheFirstPart(grant: Grant, namesLength: Bool) async throws {
        let content = content
        let bench = try Workbench { request in
            if let range = request.range(size: content.count), grant.grants(request, range) {
                return request.serve(content)
            }
            return Reply(fields: [("ETag", "\"one\"")], body: .content(content, 0..<content.count)).with {
                $0.hidesLength = !namesLength
            }
        }
        let log = ProgressLog()
        let model = try await bench.install { log.add($0) }
        #expect(try bench.bytes(model) == content.bytes)
        #expect(bench.partialFiles.isEmpty)
        #expect(log.all.compactMap(\.note).contains { $0.contains("no longer sends parts") }, "\(grant)")
        // Not asked for parts again and again: a few on each connection.
        #expect(bench.server.requests.count < 60, "\(grant): \(bench.server.requests.count)")
    }

    @Test("A node that sends the whole file now and then costs no second fetch")
    func oneNodeSendsAll() async throws {
        let content = content
        let bench = try Workbench({ $0.longestRange = 64 << 10 }) { request in
            guard [6, 24, 42].contains(request.index) else { return request.serve(content) }
            // Its bytes are not waited for.
            return Reply(fields: [("ETag", "\"one\"")], body: .content(content, 0..<content.count)).with {
                $0.longestPiece = 1024
                $0.stallsAfter = 1024
            }
        }
        let log = ProgressLog()
        #expect(try bench.bytes(try await bench.install { log.add($0) }) == content.bytes)
        #expect(!log.all.compactMap(\.note).contains { $0.contains("no longer sends parts") })
        #expect(Double(bench.server.bytesSent) <= 1.1 * Double(content.count), "\(bench.server.bytesSent)")
    }

    @Test("A second attempt that is shorter than the first leaves nothing of the first behind")
    func shorterThanBefore() async throws {
        // The first attempt gets far enough for the hash to have begun.
        let content = Content(count: 9_000_000)
        let shorter = Content(count: 1_000_000, seed: 4)
        let bench = try Workbench { request in
            switch request.index {
            case 0: Reply().with { $0.hidesLength = true }
            case 1: Reply(body: .content(content, 0..<content.count)).with { $0.closesAfter = 8_000_000 }
            default: Reply(body: .content(shorter, 0..<shorter.count)).with { $0.hidesLength = true }
            }
        }
        let model = try await bench.install()
        let expected = shorter.bytes
        #expect(try bench.bytes(model) == expected)
        #expect(model.files[0].sha256 == sha256(expected))
    }

    @Test("A drop from a server without ranges begins the file anew, whole")
    func dropsWithoutRanges() async throws {
        let content = content
        let bench = try Workbench { request in
            Reply(body: .content(content, 0..<content.count)).with {
                if request.index == 1 { $0.closesAfter = 1_000_000 }
            }
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("A file that changes on the way is fetched anew as a whole, never mixed")
    func changesMidway() async throws {
        let old = content
        let new = Content(count: 2_500_000, seed: 9)
        let bench = try Workbench { request in
            request.index < 4 ? request.serve(old, etag: "\"old\"") : request.serve(new, etag: "\"new\"")
        }
        let log = ProgressLog()
        #expect(try bench.bytes(try await bench.install { log.add($0) }) == new.bytes)
        #expect(log.all.last?.total == Int64(new.count))
        #expect(zip(log.all, log.all.dropFirst()).allSatisfy { $0.fraction <= $1.fraction && $0.bytes <= $1.bytes })
    }

    @Test("A file that changes again and again is given up")
    func changesForever() async throws {
        let content = content
        let bench = try Workbench { request in request.serve(content, etag: "\"\(request.index)\"") }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .changedOnServer)
        #expect(bench.visibleModels.isEmpty)
        #expect(bench.partialFiles.isEmpty)
    }

    @Test("A 206 for other bytes than asked for is refused")
    func wrongRange() async throws {
        let content = content
        let bench = try Workbench { request in
            guard request.index > 0 else { return request.serve(content) }
            return Reply(
                status: 206, fields: [("ETag", "\"one\""), ("Content-Range", "bytes 5-104/\(content.count)")],
                body: .content(content, 5..<105))
        }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .protocolViolation)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("Fewer bytes than announced are noticed, more are not written")
    func liesAboutLength() async throws {
        let content = content
        let short = try Workbench { request in
            let reply = request.serve(content)
            guard request.index % 2 == 1, case .content(let file, let range) = reply.body, range.count > 1000 else {
                return reply
            }
            return reply.with { $0.body = .content(file, range.lowerBound..<range.upperBound - 1000) }
        }
        #expect(try short.bytes(try await short.install()) == content.bytes)
        let long = try Workbench { request in
            let reply = request.serve(content)
            guard request.index > 0, case .content(let file, let range) = reply.body else { return reply }
            return reply.with {
                $0.body = .content(file, range.lowerBound..<min(content.count, range.upperBound + 5000))
            }
        }
        #expect(try long.bytes(try await long.install()) == content.bytes)
    }

    @Test("The sizes of the repository and of the server that holds the file must agree")
    func sizesDisagree() async throws {
        let content = content
        let bench = try Workbench { $0.serve(content, fields: [("x-linked-size", "12")]) }
        #expect(await failure { try await bench.install() }?.code == .sizeMismatch)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A damaged file is fetched once more, and refused if it is damaged again")
    func damaged() async throws {
        let good = content
        let bad = Content(count: content.count, seed: 3)
        let tag = [("x-linked-etag", "\"\(sha256(good.bytes))\"")]
        let once = try Workbench { request in request.serve(request.index < 5 ? bad : good, fields: tag) }
        #expect(try once.bytes(try await once.install()) == good.bytes)
        let always = try Workbench { $0.serve(bad, fields: tag) }
        let error = await failure { try await always.install() }
        #expect(error?.code == .checksumMismatch)
        #expect(error?.message.contains("deleted") == true)
        #expect(always.visibleModels.isEmpty)
        #expect(always.partialFiles.isEmpty)
    }

    @Test("Where the server hashes its parts, only the damaged part is fetched again", arguments: [true, false])
    func damagedPart(hashesTheWhole: Bool) async throws {
        // Long enough for the hash of the whole file to have passed the damaged part before it is noticed.
        let content = Content(count: 12_000_017)
        let whole = hashesTheWhole ? [("x-linked-etag", "\"\(sha256(content.bytes))\"")] : []
        let spoilt = Counter()
        let bench = try Workbench({
            $0.connections = 1
            $0.longestRange = 6 << 20
            $0.shortestRange = 6 << 20
        }) { request in
            let reply = request.serve(content, fields: whole)
            guard case .content(_, let range) = reply.body else { return reply }
            var bytes = content.read(range)
            let digest = Data(digest256(bytes)).base64EncodedString()
            if range.count > 1, spoilt.next() == 0 { bytes[0] ^= 1 }
            return reply.with {
                $0.fields.append(("Content-Digest", "sha-256=:\(digest):"))
                $0.body = .bytes(bytes)
            }
        }
        let model = try await bench.install()
        #expect(try bench.bytes(model) == content.bytes)
        #expect(model.files[0].sha256 == sha256(content.bytes))
        #expect(bench.server.bytesSent <= content.count + 6 << 20 + 1)
        #expect(try await bench.store.verify(model).isEmpty)
    }

    @Test("A checksum beside the file is honoured")
    func checksumBeside() async throws {
        let content = content
        let bench = try Workbench(
            servesChecksums: true, { $0.endpoint = URL(string: "https://huggingface.co") ?? $0.endpoint }
        ) { request in
            request.path.hasSuffix(".sha256")
                ? .text("\(String(repeating: "0", count: 64))  model.gguf\n") : request.serve(content)
        }
        #expect(await failure { try await bench.install() }?.code == .checksumMismatch)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("Silence and drips end a connection, and the rest comes on another", arguments: [true, false])
    func stalls(drips: Bool) async throws {
        let content = content
        let bench = try Workbench({
            $0.stallTimeout = 0.5
            $0.retry.attempts = 20
        }) { request in
            request.serve(content).with { reply in
                guard request.index == 2 else { return }
                if drips { reply.dripMilliseconds = 60 } else { reply.stallsAfter = 10_000 }
            }
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("A server that only drips is given up")
    func alwaysDrips() async throws {
        let content = content
        let bench = try Workbench({
            $0.retry.attempts = 2
            $0.stallTimeout = 0.3
        }) { request in request.serve(content).with { if request.index > 0 { $0.dripMilliseconds = 60 } } }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .stalled)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("Headers without end are given up", .timeLimit(.minutes(30)))
    func headersForever() async throws {
        let bench = try Workbench({
            $0.retry.attempts = 1
            $0.responseTimeout = 0.7
        }) { _ in Reply().with { $0.headersForever = true } }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .stalled || error?.code == .network)
    }

    @Test("Bytes that are no HTTP are a failed connection")
    func garbage() async throws {
        let bench = try Workbench({ $0.retry.attempts = 1 }) { _ in
            Reply().with { $0.raw = Array("\u{0}\u{1}SSH-2.0-garbage\r\n\r\nxxxx".utf8) }
        }
        let error = await failure { try await bench.install() }
        #expect(error != nil)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A web page in place of a model is refused, as networks that want a login send it")
    func webPage() async throws {
        let bench = try Workbench { _ in
            .text("<html>Welcome</html>", fields: [("Content-Type", "text/html; charset=utf-8")])
        }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .protocolViolation)
        #expect(error?.message.contains("web page") == true)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A server that compresses although asked not to is refused")
    func compresses() async throws {
        let content = content
        let bench = try Workbench { request in request.serve(content, fields: [("Content-Encoding", "br")]) }
        #expect(await failure { try await bench.install() } != nil)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("Whenever it is cancelled, an exchange ends", arguments: [true, false])
    func cancelledAtAnyTime(isStandard: Bool) async throws {
        let content = content
        let bench = try Workbench { $0.serve(content) }
        let transport: any Transport = isStandard ? StandardTransport.make() : URLSessionTransport()
        let request = HTTPRequest(url: bench.server.url("/model.gguf"))
        for round in 0..<TestLevel.rounds(18, all: 150) {
            let task = Task {
                let body: @Sendable (UnsafeRawBufferPointer) -> Bool = { _ in true }
                _ = try await transport.send(request, to: HTTPReceiver(head: { _ in true }, body: body))
            }
            // Before it begins, while it begins, and while it runs.
            for _ in 0..<round % 15 { await Task.yield() }
            if round % 3 == 2 { try await Task.sleep(nanoseconds: UInt64(round) * 20_000) }
            task.cancel()
            _ = await task.result
        }
    }

    @Test("A server that gives a little and falls silent, again and again, is given up")
    func littleByLittle() async throws {
        let content = content
        let bench = try Workbench({
            $0.retry.attempts = 3
            $0.stallTimeout = 0.25
            $0.connections = 1
        }) { request in request.serve(content).with { if request.index > 0 { $0.stallsAfter = 5000 } } }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .stalled)
        #expect(bench.server.requests.count < 10)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("An address with a number of IPv6 is an address", .enabled(if: canUseIPv6))
    func ipv6() async throws {
        let content = content
        let server = try Server(host: "::1") { request in
            request.path.hasSuffix(".sha256") ? Reply(status: 404) : request.serve(content)
        }
        defer { server.stop() }
        let bench = try Workbench { _ in Reply(status: 404) }
        let model = try await bench.store.install(.file(server.url("/model.gguf", host: "[::1]")))
        #expect(try bench.bytes(model) == content.bytes)
        #expect(try bench.store.list().count == 1)
    }

    static let canUseIPv6: Bool = {
        guard let server = try? Server(host: "::1", script: { _ in Reply() }) else { return false }
        server.stop()
        return true
    }()

    @Test(
        "A token with a line break is refused before anything is sent",
        arguments: ["hf_x\n", "hf_x\r\nX-Evil: 1", "hf x", "hf_\u{e9}"])
    func badToken(token: String) async throws {
        let content = content
        let bench = try Workbench({ $0.token = token }) { $0.serve(content) }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .invalidToken)
        #expect(error?.message.contains("hf_") == false)
        #expect(bench.server.requests.isEmpty)
    }
}
