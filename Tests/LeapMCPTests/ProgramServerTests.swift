import Foundation
import LeapBase
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapMCP

/// Servers that are programs, and what they do well.
@Suite(.inServerTurns, .enabled(if: PythonServer.isAvailable, "there is no python3"), .timeLimit(.minutes(30)))
struct ProgramServerTests {
    @Test(
        "A server is started, tells its tools and carries out calls",
        arguments: ["good", "older", "greeting", "errors"])
    func calls(mode: String) async throws {
        let bench = try ServerBench()
        let client = try await bench.connect(mode)
        #expect(client.version == (mode == "older" ? "2025-06-18" : "2025-11-25"))
        #expect(client.name == "Test_server_1")
        let (tools, notes) = try await client.tools()
        #expect(tools.map(\.name) == ["get_weather", "other"] && notes.isEmpty, "\(notes)")
        #expect(tools[0].schema["required"] == .array(["city"]))
        if mode != "older" {
            let result = try await client.callFirst()
            #expect(!result.isError && result.text.contains(#""asked": {"city": "Lisbon"}"#), "\(result.text)")
        }
        await client.close()
        #expect(client.failure?.code == .ended)
        await #expect(throws: MCPError.self) { try await client.callFirst() }
    }

    @Test("A program keeps none of this process's pipes open")
    func inheritance() async throws {
        let pipe = Pipe()
        let client = try await ServerBench().connect("good")
        try pipe.fileHandleForWriting.close()
        // Nobody can write to it any more, but for what another test is starting at this moment.
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        for _ in 0..<12_000 where poll(&state, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(state.revents & Int16(POLLHUP) != 0)
        await client.close()
    }

    @Test("Lists of several pages are read to their end")
    func pages() async throws {
        let client = try await ServerBench().connect("pages")
        #expect(try await client.tools().tools.map(\.name) == ["first", "second", "third"])
        await client.close()
    }

    @Test("A server without tools has none, and is not asked for them")
    func noTools() async throws {
        let client = try await ServerBench().connect("no tools")
        let (tools, notes) = try await client.tools()
        #expect(tools.isEmpty && notes == ["it has no tools"])
        await client.close()
    }

    @Test("A server's ping is answered; models, folders and persons are not offered to it")
    func requests() async throws {
        let client = try await ServerBench().connect("asking")
        let text = try await client.callFirst().text
        let answers = try JSONParser.parse(text)
        let expected: [JSONValue] = [
            .array(["own-0", .null]), .array(["own-1", .integer(-32601)]), .array(["own-2", .integer(-32601)]),
            .array(["own-3", .integer(-32601)]),
        ]
        #expect(answers == .array(expected), "\(text)")
        await client.close()
    }

    @Test("A call that is cancelled ends at once, and the server is told")
    func cancellation() async throws {
        let bench = try ServerBench()
        let client = try await bench.connect("slow")
        let tool = try #require(try await client.tools().tools.first)
        let task = Task { try await client.call(tool, [:], maxTextBytes: 100, takesImages: false) }
        while !bench.log.withLock({ $0.contains { $0.hasSuffix(": called") } }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        var notes: [String] = []
        let seen = try #require(
            MCPServerTool(
                .object(["name": "seen", "inputSchema": .object([:])]), limits: MCPLimits(), notes: &notes))
        // The first request began the connection, the second one asked for the tools.
        #expect(try await client.call(seen, [:], maxTextBytes: 100, takesImages: false).text == "[3]")
        await client.close()
    }

    @Test("A program has no terminal, no held signals, and ends with what it has started")
    func processes() async throws {
        let client = try await ServerBench().connect("starting")
        let values = try #require(try JSONParser.parse(try await client.callFirst().text).array)
        #expect(values.count == 3 && values[1] == .bool(true) && values[2] == .bool(true))
        let child = pid_t(try #require(values[0].integer))
        #expect(Self.isRunning(child))
        await client.close()
        // A signal takes a moment.
        for _ in 0..<24_000 where Self.isRunning(child) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!Self.isRunning(child))
    }

    @Test("A program that neither the end of its input nor SIGTERM ends is killed")
    func stubborn() async throws {
        let client = try await ServerBench().connect("stubborn") { $0.endTimeout = .milliseconds(100) }
        await client.close()
        #expect(client.failure?.reason == "was ended by signal 9")
    }

    @Test("Standard error is logged within bounds")
    func standardError() async throws {
        let bench = try ServerBench()
        let client = try await bench.connect("errors")
        _ = try await client.callFirst()
        await client.close()
        let lines = bench.log.withLock { $0 }
        #expect(lines.count <= 1002 && lines.contains { $0.hasSuffix(": line") })
        #expect(lines.allSatisfy { $0.utf8.count < 1200 })
    }

    @Test("Parts of results that are no text are named, and an error is one")
    func parts() async throws {
        let client = try await ServerBench().connect("parts")
        let result = try await client.callFirst()
        #expect(result.isError)
        #expect(
            result.modelText == """
                Error: one
                (a picture that is not shown: image/png, 3 bytes)
                (a sound that is not played: audio/wav)
                (a resource: file:///a)
                inside
                (a part of an unknown kind)
                {"a":1}
                """, "\(result.modelText)")
        await client.close()
    }

    @Test("A long result is cut at a character, and says so")
    func size() async throws {
        let client = try await ServerBench().connect("size")
        let result = try await client.callFirst(maxTextBytes: 1001)
        #expect(result.text == String(repeating: "ä", count: 500) && result.wholeTextBytes == 200_000)
        #expect(result.modelText.hasSuffix("(cut: the result has 200000 bytes, and the first 1000 are given)"))
        await client.close()
    }

    /// Returns whether a process runs; one that has ended and was not waited for does not.
    private static func isRunning(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 else { return false }
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return status.split(separator: ")").last?.hasPrefix(" Z") != true
    }
}
