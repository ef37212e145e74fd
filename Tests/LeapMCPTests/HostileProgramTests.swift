import Foundation
import LeapBase
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapMCP

/// Servers that are programs, and what they should not do: each ends as a typed error that names the server, and the
/// program ends.
@Suite(.inServerTurns, .enabled(if: PythonServer.isAvailable, "there is no python3"), .timeLimit(.minutes(30)))
struct HostileProgramTests {
    @Test("A server that never answers is given up, at its start and in a call")
    func silent() async throws {
        let atStart = try await ServerBench().failure("silent") { $0.startTimeout = .milliseconds(300) }
        #expect(atStart?.code == .timedOut && atStart?.reason.contains("'initialize'") == true)
        let inCall = try await ServerBench().failure("silent call") { $0.callTimeout = .milliseconds(300) }
        #expect(inCall?.code == .timedOut && inCall?.reason.contains("'tools/call'") == true)
        #expect(inCall?.description.hasPrefix("the MCP server '/") == true)
    }

    @Test("A version that is not known is refused")
    func version() async throws {
        let error = try await ServerBench().failure("version")
        #expect(error?.code == .unknownVersion && error?.reason.contains("1999-01-01") == true)
    }

    @Test(
        "A line without end, and one that is longer than may be, end the connection",
        arguments: ["endless line", "long line"])
    func longLines(mode: String) async throws {
        let error = try await ServerBench().failure(mode) { $0.maxMessageBytes = 1 << 20 }
        #expect(error?.code == .tooLong && error?.reason.contains("1048576 bytes") == true)
    }

    @Test(
        "What is no JSON, no message or no result is told as such",
        arguments: ["broken", "no object", "wrong", "no list"])
    func malformed(mode: String) async throws {
        let error = try await ServerBench().failure(mode)
        #expect(error?.code == .malformed, "\(String(describing: error))")
    }

    @Test("Answers with other identifiers answer nothing")
    func wrongIdentifiers() async throws {
        let error = try await ServerBench().failure("wrong ids") {
            $0.callTimeout = .seconds(6)
        }
        #expect(error?.code == .timedOut)
        #expect(
            error?.reason.contains("5 answers that belong to no request") == true, "\(String(describing: error))")
    }

    @Test("Notifications and lines without end are counted, and end the connection", arguments: ["flood", "chatter"])
    func floods(mode: String) async throws {
        let bench = try ServerBench()
        let error = try await bench.failure(mode)
        #expect(error?.code == .flooded, "\(String(describing: error))")
        #expect(bench.log.withLock { $0.count } <= MCPLimits().maxLoggedLines + 1)
    }

    @Test("A server that does not read takes bounded memory")
    func deaf() async throws {
        let bench = try ServerBench()
        let client = try await bench.connect("deaf") {
            $0.maxWaitingBytes = 1 << 20
            $0.callTimeout = .milliseconds(100)
        }
        let tool = try #require(try await client.tools().tools.first)
        let arguments: JSONObject = ["city": .string(String(repeating: "x", count: 300_000))]
        var codes: Set<MCPError.Code> = []
        for _ in 0..<6 {
            do {
                _ = try await client.call(tool, arguments, maxTextBytes: 10, takesImages: false)
            } catch let error as MCPError {
                codes.insert(error.code)
            }
        }
        #expect(codes == [.timedOut, .flooded])
        await client.close()
    }

    @Test("A server that dies in a call is told with its status and what it wrote at last, printable")
    func dying() async throws {
        let error = try await ServerBench().failure("dying")
        #expect(error?.code == .ended)
        #expect(
            error?.reason == #"has ended with status 3; its last output: first line / no luck\u{1b}[31m today"#,
            "\(String(describing: error))")
        let killed = try await ServerBench().failure("killed")
        #expect(killed?.reason.contains("was ended by signal 9") == true)
    }

    @Test("An error of a server is shown without control characters")
    func refusing() async throws {
        let error = try await ServerBench().failure("refusing")
        #expect(error?.code == .refused)
        #expect(error?.reason == #"answered with error -32602: no such city\u{1b}[2J"#)
    }

    @Test("Thousands of tools and lists without end are cut")
    func thousands() async throws {
        for (mode, count) in [("thousands", 256), ("endless pages", 64)] {
            let client = try await ServerBench().connect(mode)
            let (tools, notes) = try await client.tools()
            #expect(tools.count == count && notes.count == 1, "\(notes)")
            await client.close()
        }
    }

    @Test("Huge descriptions are cut; tools with huge schemas, no suitable name or one that is taken are left out")
    func huge() async throws {
        let client = try await ServerBench().connect("huge")
        let (tools, notes) = try await client.tools()
        #expect(tools.map(\.name) == ["long", "twice", "wrong"])
        #expect(tools[0].description == String(repeating: "ä", count: 2048))
        #expect(notes.count == 8, "\(notes)")
        #expect(
            notes.contains(
                #"the tool 'no name\u{1b}[2J' is left out: a name has 1 to 128 letters, digits, '_', '-', '.' and '/' of ASCII"#
            ))
        await client.close()
    }

    @Test(
        "What cannot be started is told with its reason", arguments: ["/no/such/program a", "no-such-program-anywhere"])
    func missing(command: String) async throws {
        let error = await #expect(throws: MCPError.self) {
            try await MCPClient.connect(to: try MCPAddress(command))
        }
        #expect(error?.code == .cannotStart && error?.server == "'\(command)'")
    }
}
