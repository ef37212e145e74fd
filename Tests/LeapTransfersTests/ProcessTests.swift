import Foundation
import LeapTestSupport
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Processes that are killed, and processes that race.
@Suite(.inServerTurns, .serialized, .timeLimit(.minutes(30)))
struct ProcessTests {
    static let probe = ProgramBesideTests.url("leap-transfer-probe")

    /// A process, and its end as something to wait for: blocking a thread here would hold up the other tests.
    struct Running {
        let process: Process
        let ended: Task<String, Never>

        /// Returns the output of the process once it has ended.
        func output() async -> String { await ended.value }
    }

    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
        let process = Process()
        process.executableURL = Self.probe
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        let ended = Task {
            for await _ in stream {}
            return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        return Running(process: process, ended: ended)
    }

    @Test("Killed at any point, the transfer goes on and at most 2% is fetched twice", .enabled(if: probe != nil))
    func killed() async throws {
        let content = Content(count: 12 << 20)
        let sent = Counter()
        let gate = Gate()
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                // Up to a point, so that what is on its way when the process dies is known.
                $0.isHeld = { sent.count >= gate.limit }
            }
        }
        let url = bench.server.url("/model.gguf").absoluteString
        let kills = 5
        // A busy machine is no reason to give up.
        let patient = ["PROBE_TIMEOUT": "3600", "PROBE_ATTEMPTS": "1000"]
        for index in 0..<kills {
            let share = content.count / (kills + 1)
            let point = share * index + Int.random(in: share / 2...share)
            gate.set(max(point, sent.count))
            let running = try start([bench.folder, url], environment: patient)
            // The server counts what it gave to the system; the journal counts what is in the file.
            try await wait { sent.count >= gate.limit || !running.process.isRunning }
            let twice = Int64(content.count) * Int64(index + 1) / 50
            try await wait { bench.journaled >= Int64(sent.count) - twice || !running.process.isRunning }
            kill(running.process.processIdentifier, SIGKILL)
            let text = await running.output()
            #expect(text == "")
            #expect(bench.visibleModels.isEmpty)
        }
        gate.set(.max)
        let running = try start([bench.folder, url], environment: patient)
        let text = await running.output()
        #expect(running.process.terminationStatus == 0, "\(text)")
        let model = try #require(try bench.store.installed(bench.model))
        #expect(try bench.bytes(model) == content.bytes)
        #expect(Double(bench.server.bytesSent - content.count) <= 0.02 * Double(kills * content.count))
    }

    @Test("Two processes that want one model transfer it once", .enabled(if: probe != nil))
    func race() async throws {
        let content = Content(count: 4 << 20)
        let gate = Gate()
        let sent = Counter()
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.onSent = { sent.add($0) }
                $0.isHeld = { sent.count >= gate.limit }
            }
        }
        gate.set(1 << 20)
        let url = bench.server.url("/model.gguf").absoluteString
        let first = try start([bench.folder, url])
        try await wait { sent.count >= 1 << 20 }
        let second = try start([bench.folder, url])
        // From outside it is seen to run, and nothing but the end of the first lets the second go on.
        #expect(bench.store.state(bench.model) != .absent)
        if case .running = bench.store.state(bench.model) {} else { Issue.record("not seen to run") }
        gate.set(.max)
        let (one, two) = (await first.output(), await second.output())
        #expect(first.process.terminationStatus == 0 && second.process.terminationStatus == 0, "\(one) \(two)")
        #expect(one.split(separator: " ").first == two.split(separator: " ").first)
        #expect(
            bench.server.bytesSent < content.count + 1000,
            "\(bench.server.requests.map { ($0.fields["range"] ?? "", $0.connection) })")
    }

    @Test("Proxies of the environment are used", .enabled(if: probe != nil))
    func proxy() async throws {
        let content = Content(count: 100_000)
        let bench = try Workbench { request in
            // A proxy gets the whole address, or CONNECT for https.
            request.method == "CONNECT" ? Reply(status: 502) : request.serve(content)
        }
        let proxy = bench.server.url("").absoluteString
        let environment = [
            "http_proxy": proxy, "HTTPS_PROXY": proxy, "https_proxy": "", "no_proxy": "", "NO_PROXY": "",
        ]
        let plain = try start([bench.folder, "http://model.invalid/model.gguf"], environment: environment)
        let text = await plain.output()
        #expect(plain.process.terminationStatus == 0, "\(text)")
        #expect(bench.server.requests.allSatisfy { $0.target.hasPrefix("http://model.invalid/") })
        // For https the proxy is asked to connect; this one refuses.
        let secure = try start(
            [bench.folder, "https://model.invalid/model.gguf"],
            environment: environment.merging(["PROBE_ATTEMPTS": "1"]) { $1 })
        _ = await secure.output()
        #expect(secure.process.terminationStatus != 0)
        #expect(bench.server.requests.last?.method == "CONNECT")
        #expect(bench.server.requests.last?.target == "model.invalid:443")
    }

    @Test("Waiting for a server that is silent takes no processor time", .enabled(if: probe != nil))
    func silence() async throws {
        let bench = try Workbench { _ in Reply().with { $0.delayMilliseconds = 60_000 } }
        let url = bench.server.url("/model.gguf").absoluteString
        let running = try start(
            [bench.folder, url], environment: ["PROBE_ATTEMPTS": "1", "PROBE_TIMEOUT": "10", "PROBE_USAGE": "1"])
        let text = await running.output()
        let seconds = try #require(text.split(separator: "\n").last.flatMap { Double($0) }, "\(text)")
        // Processor time, not the clock's: seven of ten seconds where the transport turns in a loop.
        #expect(seconds < 3, "\(text)")
    }

    static let openssl: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    #if os(Linux)
        @Test("SSL_CERT_FILE says whom to trust", .enabled(if: probe != nil && openssl != nil))
        func certificates() async throws {
            let content = Content(count: 100_000)
            let bench = try Workbench { _ in Reply(status: 404) }
            try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
            let (key, certificate) = (bench.folder + "/.key.pem", bench.folder + "/.certificate.pem")
            let maker = Process()
            maker.executableURL = URL(fileURLWithPath: try #require(Self.openssl))
            maker.arguments = [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ]
            maker.standardError = FileHandle.nullDevice
            try maker.run()
            maker.waitUntilExit()
            let served = bench.folder + "/.served"
            try FileManager.default.createDirectory(atPath: served, withIntermediateDirectories: true)
            try Data(content.bytes).write(to: URL(fileURLWithPath: served + "/model.gguf"))
            let server = Process()
            server.executableURL = maker.executableURL
            server.currentDirectoryURL = URL(fileURLWithPath: served)
            server.arguments = ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-WWW"]
            let output = Pipe()
            server.standardOutput = output
            server.standardError = FileHandle.nullDevice
            try server.run()
            // Not a softer end: what a thread of Dispatch starts holds those back.
            defer { kill(server.processIdentifier, SIGKILL) }
            var text = ""
            while !text.contains("ACCEPT"), server.isRunning {
                text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            }
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") })
            let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
            let url = "https://127.0.0.1:\(port)/model.gguf"
            let environment = ["PROBE_ATTEMPTS": "1", "no_proxy": "*", "HTTPS_PROXY": "", "https_proxy": ""]
            let refused = try start(
                [bench.folder, url], environment: environment.merging(["SSL_CERT_FILE": ""]) { $1 })
            let reason = await refused.output()
            #expect(refused.process.terminationStatus != 0)
            #expect(reason.lowercased().contains("certificate"), "\(reason)")
            let trusted = try start(
                [bench.folder, url], environment: environment.merging(["SSL_CERT_FILE": certificate]) { $1 })
            let outcome = await trusted.output()
            #expect(trusted.process.terminationStatus == 0, "\(outcome)")
        }
    #endif
}
