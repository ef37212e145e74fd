import Foundation
import LeapBase
import LeapJSON
import LeapTestSupport
import Testing

@testable import LeapMCP

/// A folder with the server in Python, and connections to it.
final class ServerBench {
    private let folder: URL
    /// The lines that were logged.
    let log = Locked<[String]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-mcp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func words(_ mode: String) throws -> [String] { try PythonServer.words(in: folder) + [mode] }

    func connect(_ mode: String, _ change: (inout MCPLimits) -> Void = { _ in }) async throws -> MCPClient {
        var limits = MCPLimits.patient
        limits.endTimeout = .milliseconds(500)
        change(&limits)
        let log = log
        return try await MCPClient.connect(
            to: .program(try words(mode)), limits: limits,
            log: { line in log.withLock { $0.append(line) } })
    }

    /// The error that a connection, or a call of the first tool, ends with.
    func failure(_ mode: String, _ change: (inout MCPLimits) -> Void = { _ in }) async throws -> MCPError? {
        let client: MCPClient
        do {
            client = try await connect(mode, change)
        } catch let error as MCPError {
            return error
        }
        do {
            _ = try await client.callFirst()
            Issue.record("the call of \(mode) came to an end")
            await client.close()
            return nil
        } catch let error as MCPError {
            await client.close()
            return error
        }
    }
}

extension MCPLimits {
    /// For servers that answer: beside other tests a computer with two cores may take minutes.
    static let patient = {
        var limits = MCPLimits()
        limits.startTimeout = .seconds(1200)
        limits.listTimeout = .seconds(1200)
        limits.callTimeout = .seconds(1200)
        limits.discoveryTimeout = .seconds(1200)
        return limits
    }()
}

extension MCPClient {
    /// Calls the first tool of the list, with one argument.
    func callFirst(_ arguments: JSONObject = ["city": "Lisbon"], maxTextBytes: Int = 1 << 16) async throws
        -> MCPToolResult
    {
        let tool = try #require(try await tools().tools.first)
        return try await call(tool, arguments, maxTextBytes: maxTextBytes, takesImages: false)
    }
}
