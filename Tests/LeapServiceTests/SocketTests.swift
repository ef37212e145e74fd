import Foundation
import LeapBase
import LeapCore
import LeapEngine
import LeapModel
import LeapServing
import LeapTestSupport
import Testing

@testable import LeapService

@Suite(.timeLimit(.minutes(30)))
struct SocketTests {
    /// Sends a peer's bytes, and returns the answers and whether the connection was closed for them.
    ///
    /// - Parameter isAll: true for all answers that are waited for; the suite's time limit is for what never comes.
    private func exchange(
        _ bytes: [UInt8], with place: ServicePlace, until isAll: ([ServiceMessage]) -> Bool = { _ in false }
    ) async throws -> (messages: [ServiceMessage], isClosed: Bool) {
        let descriptor = try UnixSocket.connect(place.path)
        defer { UnixSocket.close(descriptor) }
        var rest = bytes[...]
        var reader = FrameReader(limit: ServiceProtocol.replyLimit)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var messages: [ServiceMessage] = []
        var isClosed = false
        while !isClosed, !isAll(messages) {
            if !rest.isEmpty {
                switch UnixSocket.write(descriptor, rest) {
                case .bytes(let count): rest = rest.dropFirst(count)
                case .wouldBlock: break
                case .ended: rest = []
                }
            }
            switch UnixSocket.read(descriptor, into: &buffer) {
            case .bytes(let count):
                reader.append(buffer[..<count])
                while let frame = try reader.next() { messages.append(try frame.message(ServiceMessage.self)) }
            case .ended: isClosed = true
            case .wouldBlock: try await Task.sleep(for: .milliseconds(5))
            }
        }
        return (messages, isClosed)
    }

    private func frames(_ messages: [ClientMessage]) throws -> [UInt8] {
        try messages.flatMap { try WireFrame($0).bytes }
    }

    private static let hello = ClientMessage.hello(version: ServiceProtocol.version, app: nil)

    @Test("A peer that does not keep to the protocol is told so and loses its connection, and nobody else does")
    func violations() async throws {
        let bench = try ServiceBench()
        let load = ClientMessage.load(id: 1, request: LoadRequest(name: nil, files: nil, options: .none))
        let generate = ClientMessage.read(id: 3, request: ReadRequest(texts: []))
        let greeting = try frames([Self.hello])
        let cases: [(name: String, bytes: [UInt8])] = [
            ("nothing of the protocol", Array("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)),
            ("a frame that is too long", [0xFF, 0xFF, 0xFF, 0xFF, 1]),
            ("a greeting that is too long", WireFrame(.message, [UInt8](repeating: 0x20, count: 5000)).bytes),
            ("an unknown kind", [0, 0, 0, 0, 9]),
            ("an empty message", WireFrame(.message, []).bytes),
            ("another version", try frames([.hello(version: 99, app: nil)])),
            ("no greeting", try frames([.status(id: 1)])),
            ("two greetings", greeting + greeting),
            (
                "a step from an app",
                greeting + GenerationStep(generation: 1, event: .token(1), progress: []).frame.bytes
            ),
            (
                "speech from an app",
                greeting
                    + SpeechStep(
                        generation: 1, piece: SpeechPiece(frame: nil, place: 0, samples: [0]), progress: []
                    ).frame.bytes
            ),
            ("speech before a greeting", WireFrame(.speech, [UInt8](repeating: 0, count: 44)).bytes),
            ("speech that is too long", greeting + [0xFF, 0xFF, 0, 0, 4]),
            ("no JSON", greeting + WireFrame(.message, Array("{\"hello\":".utf8)).bytes),
            ("deep JSON", greeting + WireFrame(.message, [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)).bytes),
            ("an unknown message", greeting + WireFrame(.message, Array("{\"explode\":{}}".utf8)).bytes),
            ("two models", greeting + (try frames([load, load]))),
            ("reading before loading", greeting + (try frames([generate]))),
        ]
        for (name, bytes) in cases {
            let (messages, isClosed) = try await exchange(bytes, with: bench.place)
            #expect(isClosed, "\(name): \(messages)")
        }
        let client = try #require(await bench.client())
        #expect(try await client.status().state == "Ready — 0 models loaded")
    }

    @Test("Requests that make no sense are refused and cost nothing")
    func nonsense() async throws {
        let bench = try ServiceBench()
        let prompt = GenerateRequest(
            generation: 5, session: 6, prompt: Data([1, 2, 3]), sampling: [:], stopTokens: [],
            media: [], recipe: WireRecipe(RequestRecipe(settings: .standard, functions: [], isReasoningOpen: false)))
        let expected: [(ServiceMessage) -> Bool] = [
            { message in
                guard case .finished(let finished) = message else { return false }
                return finished.generation == 5 && finished.reason == "failed"
            },
            { message in
                guard case .failure(1, _) = message else { return false }
                return true
            },
            { message in
                guard case .configuration(2, nil) = message else { return false }
                return true
            },
        ]
        func isAll(_ messages: [ServiceMessage]) -> Bool { expected.allSatisfy { messages.contains(where: $0) } }
        let (messages, isClosed) = try await exchange(
            try frames([
                Self.hello, .generate(prompt), .cancel(generation: 77), .release(session: 78), .cancelRead(id: 79),
                .load(id: 1, request: LoadRequest(name: "../../etc", files: nil, options: .none)),
                .configuration(id: 2, model: "nothing"),
            ]), with: bench.place, until: isAll)
        #expect(!isClosed && isAll(messages), "\(messages)")
        #expect(await bench.host.status().sessions == 0)
    }

    @Test("Random bytes, whole and in frames, do no harm")
    func random() async throws {
        let bench = try ServiceBench()
        var numbers = SeededGenerator(seed: 11)
        let valid = try frames([Self.hello, .status(id: 1), .configuration(id: 2, model: "m")])
        for round in 0..<TestLevel.rounds(18, all: 150) {
            var connected: Int32?
            // The queue of connections may be full for a moment.
            _ = try await ServiceBench.eventually {
                connected = try? UnixSocket.connect(bench.place.path)
                return connected != nil
            }
            let descriptor = try #require(connected)
            var bytes = valid
            if round.isMultiple(of: 3) {
                bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            } else {
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
                }
            }
            _ = UnixSocket.write(descriptor, bytes.prefix(Int.random(in: 1...bytes.count, using: &numbers)))
            UnixSocket.close(descriptor)
        }
        // Those that were closed count until the service has seen it.
        var client: LeapServiceClient?
        #expect(
            try await ServiceBench.eventually {
                client = await bench.client()
                return client != nil
            })

        #expect(try await ServiceBench.eventually { try await client?.status().clients == 0 })
    }

    @Test("A connection that does not greet is closed after a while")
    func silent() async throws {
        var limits = ServiceHost.Limits()
        limits.greeting = .milliseconds(20)
        let bench = try ServiceBench(limits: limits)
        let descriptor = try UnixSocket.connect(bench.place.path)
        defer { UnixSocket.close(descriptor) }
        var buffer: [UInt8] = [0]
        #expect(
            try await ServiceBench.eventually {
                if case .ended = UnixSocket.read(descriptor, into: &buffer) { true } else { false }
            })
    }

    @Test("An app has no more connections than it may, and others have theirs")
    func connections() async throws {
        var limits = ServiceHost.Limits()
        limits.connectionsPerClient = 2
        let bench = try ServiceBench(limits: limits)
        let clients = [
            await bench.client(), await bench.client(),
        ]
        #expect(clients.allSatisfy { $0 != nil })
        // More than once: the greeting must not be answered, whether it arrives before the refusal is sent or after.
        for _ in 0..<20 { #expect(await bench.client() == nil) }
        let child = try #require(try Child(["ask", bench.place.path, #filePath, "1"]))
        // The child got as far as to be told that the file is no model.
        #expect(try await child.line("error LeapModelLoadingException") != nil)
        withExtendedLifetime(clients) {}
    }

    @Test("One service for each socket: a second one is refused, and what a dead one left is replaced")
    func listening() async throws {
        let bench = try ServiceBench()
        let error = #expect(throws: FileSystemError.self) { try ServiceListener(bench.place, host: bench.host) }
        #expect(error?.description.contains("already running there") == true)
        #expect(await bench.client() != nil)

        let folder = try ServiceBench.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = ServicePlace(path: folder + "/s")
        UnixSocket.close(try UnixSocket.listen(place.path))
        let listener = try ServiceListener(place, host: bench.host)
        #expect(await LeapServiceClient.connect(to: place, patience: ServiceBench.patience) != nil)
        var info = stat()
        #expect(lstat(place.path, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
        listener.close()
        #expect(!FileManager.default.fileExists(atPath: place.path))

        // A process that listens without the lock: its socket is not taken away.
        let other = try UnixSocket.listen(place.path)
        #expect(throws: FileSystemError.self) { try ServiceListener(place, host: bench.host) }
        #expect(FileManager.default.fileExists(atPath: place.path))
        UnixSocket.close(other)
        FileSystem.remove(place.path)
        #expect(FileManager.default.createFile(atPath: place.path, contents: nil))
        #expect(throws: FileSystemError.self) { try ServiceListener(place, host: bench.host) }
        let long = ServicePlace(path: folder + "/" + String(repeating: "s", count: 200))
        #expect(throws: FileSystemError.self) { try ServiceListener(long, host: bench.host) }
    }

    @Test(
        "A process of another user is not answered, even where the socket lets it in",
        .enabled(if: geteuid() == 0, "needs root"))
    func otherUser() async throws {
        let bench = try ServiceBench()
        let locked = try #require(try Child(["greet-as", bench.place.path, "65534"]))
        #expect(try await locked.line("error") != nil)
        #expect(chmod(bench.folder, 0o755) == 0)
        #expect(chmod(bench.place.path, 0o777) == 0)
        let refused = try #require(try Child(["greet-as", bench.place.path, "65534"]))
        #expect(try await refused.line("closed") == "closed")
        // Root itself is answered, so it is the user that counts.
        let answered = try #require(try Child(["greet-as", bench.place.path, "0"]))
        #expect(try await answered.line("answered") != nil)
    }

    @Test("Where the socket is, by the environment")
    func places() {
        #expect(ServicePlace.standard(["LEAP_SERVICE_SOCKET": ""]) == nil)
        #expect(ServicePlace.standard(["LEAP_SERVICE_SOCKET": "relative"]) == nil)
        #expect(ServicePlace.standard(["LEAP_SERVICE_SOCKET": "/a/b"])?.path == "/a/b")
        #if os(Linux)
            #expect(
                ServicePlace.standard(["XDG_RUNTIME_DIR": "/run/user/7"])?.path == "/run/user/7/open-leap/service.sock")
            #expect(ServicePlace.standard([:])?.path == "/tmp/open-leap-\(geteuid())/service.sock")
        #endif
    }

    @Test("systemd is told the state, one word a line, and its socket is taken over")
    func serviceManager() throws {
        let folder = try ServiceBench.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #if canImport(Darwin)
            let kind = SOCK_DGRAM
        #else
            let kind = Int32(SOCK_DGRAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        defer { UnixSocket.close(descriptor) }
        #expect(UnixSocket.withAddress(folder + "/n") { bind(descriptor, $0, $1) } == 0)
        UnixSocket.prepare(descriptor)
        let environment = ["NOTIFY_SOCKET": folder + "/n"]
        #expect(ServiceManager.notify(["READY=1", "STATUS=Ready —\n1 model"], environment: environment))
        var buffer = [UInt8](repeating: 0, count: 256)
        guard case .bytes(let count) = UnixSocket.read(descriptor, into: &buffer) else {
            Issue.record("nothing arrived")
            return
        }
        #expect(String(decoding: buffer[..<count], as: UTF8.self) == "READY=1\nSTATUS=Ready — 1 model")
        #expect(!ServiceManager.notify(["READY=1"], environment: [:]))
        #expect(!ServiceManager.notify(["READY=1"], environment: ["NOTIFY_SOCKET": folder + "/nobody"]))
        #expect(ServiceManager.passedSocket(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]) == 3)
        #expect(ServiceManager.passedSocket(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) == nil)
        #expect(ServiceManager.passedSocket(["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "0"]) == nil)
    }
}

extension LoadOptions {
    fileprivate static var none: LoadOptions { LiquidInferenceEngineManifestOptions().options }
}
