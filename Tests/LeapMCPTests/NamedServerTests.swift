import Foundation
import LeapBase
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapMCP

/// Servers that end, and are started again.
@Suite(.inServerTurns, .enabled(if: PythonServer.isAvailable, "there is no python3"), .timeLimit(.minutes(30)))
struct NamedServerTests {
    /// A server whose first starts end with a call, and what was done and told.
    private final class Stage {
        private let folder: URL
        let clock = SettableClock()
        let told = Locked<[String]>([])
        let server: NamedServer

        init(deaths: Int, _ more: String...) async throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-mcp-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let notes = folder.appendingPathComponent("notes").path
            let words = try PythonServer.words(in: folder) + ["reborn", notes, "\(deaths)"] + more
            let told = told
            var limits = MCPLimits.patient
            limits.endTimeout = .milliseconds(500)
            server = try await NamedServer.connect(
                to: .program(words), limits: limits, clock: RestartClock(clock),
                tell: { line in told.withLock { $0.append(line) } })
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// The starts and calls that the programs have noted.
        var notes: [String] {
            let text = (try? String(contentsOf: folder.appendingPathComponent("notes"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        func call(_ tool: MCPServerTool) async throws -> String {
            try await server.call(tool, ["city": "Lisbon"], maxTextBytes: 1000, takesImages: false).text
        }

        /// The error of a call that has to fail.
        func failure(_ tool: MCPServerTool) async -> MCPError? {
            await #expect(throws: MCPError.self) { try await call(tool) }
        }

        /// The first tool of the list.
        func tool() async throws -> MCPServerTool { try #require(try await server.tools().tools.first) }
    }

    @Test("A server that ended is started again by the next call; the one under way is an error, and not made again")
    func reborn() async throws {
        let stage = try await Stage(deaths: 1)
        let tool = try await stage.tool()
        #expect(await stage.failure(tool)?.code == .ended)
        let problem = stage.server.condition().problem ?? ""
        #expect(problem == "has ended with status 3; it is started again when one of its tools is called")
        #expect(stage.notes == ["start", "call"])
        // To list is not to use: they are those that it listed last.
        #expect(try await stage.server.tools().tools.map(\.name) == ["get_weather", "other"])
        #expect(stage.notes == ["start", "call"])
        #expect(try await stage.call(tool).contains(#""start": 2"#))
        #expect(stage.notes == ["start", "call", "start", "call"])
        #expect(stage.server.condition().problem == nil && !stage.server.takeNewTools())
        let told = stage.told.withLock { $0 }
        #expect(
            told.count == 1 && told[0].hasSuffix(" is started again, because it has ended with status 3"), "\(told)")
        #expect(stage.clock.waits.isEmpty)
        await stage.server.close()
    }

    @Test("A server that ends every time is started five times, with longer waits, and then left out, told once")
    func bound() async throws {
        let stage = try await Stage(deaths: 1000)
        let tool = try await stage.tool()
        for _ in 0..<6 { #expect(await stage.failure(tool)?.code == .ended) }
        #expect(stage.clock.waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        for _ in 0..<2 {
            let error = await stage.failure(tool)
            #expect(error?.code == .leftOut)
            #expect(
                error?.reason
                    == "was started again 5 times within 600 seconds and is left out now; last, it has ended with status 3. Check that it works by itself, and start this program again"
            )
        }
        #expect(stage.notes.count { $0 == "start" } == 6 && stage.notes.count { $0 == "call" } == 6)
        #expect(!stage.server.condition().isUsable)
        #expect(try await stage.server.tools().tools.isEmpty)
        #expect(stage.server.takeNewTools() && !stage.server.takeNewTools())
        // It stays so, however late it is.
        stage.clock.advance(by: .seconds(10_000))
        #expect(await stage.failure(tool)?.code == .leftOut)
        let told = stage.told.withLock { $0 }
        #expect(told.count == 6 && told.count { $0.contains("is left out now") } == 1, "\(told)")
        #expect(told[3].contains(" is started again in 4 s, because it has ended"), "\(told)")
        await stage.server.close()
    }

    @Test("A server that ends now and then, with more time between, is started each time")
    func nowAndThen() async throws {
        let stage = try await Stage(deaths: 1000)
        let tool = try await stage.tool()
        for _ in 0..<8 {
            #expect(await stage.failure(tool)?.code == .ended)
            stage.clock.advance(by: .seconds(151))
        }
        #expect(stage.server.condition().isUsable && stage.clock.waits.isEmpty)
        await stage.server.close()
    }

    @Test("A start that comes to nothing is an error with its reason, and counts")
    func failingStart() async throws {
        let stage = try await Stage(deaths: 1, "once")
        let tool = try await stage.tool()
        #expect(await stage.failure(tool)?.code == .ended)
        for _ in 0..<5 {
            let reason = await stage.failure(tool)?.reason ?? ""
            #expect(reason == "has ended with status 4; its last output: no second time")
        }
        #expect(await stage.failure(tool)?.code == .leftOut)
        #expect(stage.notes.count { $0 == "start" } == 6)
        await stage.server.close()
    }

    @Test("A tool that is another one after the start is not called, and is listed as it is now")
    func changed() async throws {
        let stage = try await Stage(deaths: 1, "changed")
        let tools = try await stage.server.tools().tools
        #expect(await stage.failure(tools[0])?.code == .ended)
        for tool in tools { #expect(await stage.failure(tool)?.code == .changed) }
        #expect(stage.notes == ["start", "call", "start"])
        #expect(stage.server.takeNewTools())
        let tool = try await stage.tool()
        #expect(tool.description == "Deletes all files")
        #expect(try await stage.call(tool).contains("sunny"))
        await stage.server.close()
    }

    @Test("Calls share a start; one that is cancelled waits no longer, and the last one ends the start")
    func cancellation() async throws {
        let stage = try await Stage(deaths: 2)
        let (tool, server) = (try await stage.tool(), stage.server)
        for _ in 0..<2 { #expect(await stage.failure(tool)?.code == .ended) }
        stage.clock.hold(true)
        func start() -> Task<Void, any Error> { Task { try await server.start() } }
        let (first, second) = (start(), start())
        while stage.clock.waits.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = start()
        while stage.clock.waits.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(stage.notes.count { $0 == "start" } == 2)
        stage.clock.hold(false)
        try await third.value
        #expect(try await stage.call(tool).contains(#""start": 3"#))
        await server.close()
    }

    @Test("A server that is closed is not started again, and who waits for that is told")
    func closing() async throws {
        let stage = try await Stage(deaths: 2)
        let (tool, server) = (try await stage.tool(), stage.server)
        for _ in 0..<2 { #expect(await stage.failure(tool)?.code == .ended) }
        stage.clock.hold(true)
        let waiting = Task { try await server.start() }
        while stage.clock.waits.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        await server.close()
        let error = await #expect(throws: MCPError.self) { try await waiting.value }
        #expect(error?.code == .ended)
        #expect(await stage.failure(tool)?.code == .ended)
        #expect(stage.notes.count { $0 == "start" } == 2)
    }
}
