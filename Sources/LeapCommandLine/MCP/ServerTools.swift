import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapMCP

/// The MCP servers of a chat, and their tools as functions of its conversation.
final class ServerTools: Sendable {
    private struct State {
        var functions: [LeapFunction] = []
        var entries: [String: MCPToolSet.NamedTool] = [:]
        /// Tools that are run without a question, as they were when that was said: a server may put another one under
        /// the same name.
        var allowed: [String: Allowance] = [:]
    }

    /// A tool of a server.
    private struct Allowance: Equatable {
        let tool: MCPServerTool
        let server: ObjectIdentifier

        init(_ entry: MCPToolSet.NamedTool) { (tool, server) = (entry.tool, ObjectIdentifier(entry.server)) }
    }

    private let servers: MCPServers
    private let state = Locked(State())

    private init(_ servers: MCPServers) { self.servers = servers }

    /// Starts servers, and tells what of their tools cannot be used.
    ///
    /// - Parameters:
    ///   - commands: a command or an address of each.
    ///   - taken: names of other functions.
    /// - Throws: `MCPError`; then none of the servers runs.
    static func connect(_ commands: [String], taken: [String]) async throws -> ServerTools {
        let logger = PrintableLogger(label: "open-leap.mcp")
        let servers = try await MCPServers.connect(
            commands, log: { logger.debug($0) }, tell: { Terminal.note("(\($0))") })
        do {
            let tools = ServerTools(servers)
            try await tools.list(taken: taken)
            return tools
        } catch {
            await servers.close()
            throw error
        }
    }

    var functions: [LeapFunction] { state.withLock { $0.functions } }

    /// The tool that a function stands for; nil where it is none of a server's.
    func entry(_ name: String) -> MCPToolSet.NamedTool? { state.withLock { $0.entries[name] } }

    /// Returns whether a tool is run without a question.
    func isAllowed(_ entry: MCPToolSet.NamedTool) -> Bool {
        state.withLock { $0.allowed[entry.name] == Allowance(entry) }
    }

    /// Has a tool run without a question from now on.
    func allow(_ entry: MCPToolSet.NamedTool) { state.withLock { $0.allowed[entry.name] = Allowance(entry) } }

    /// The problems of servers that have ended, or are left out, a sentence each.
    var problems: [String] {
        servers.all.compactMap { server in
            server.condition().problem.map { "the MCP server \(server.shown) \($0)" }
        }
    }

    /// Asks for the tools again where a server has others.
    ///
    /// - Returns: whether it did.
    func refresh(taken: [String]) async throws -> Bool {
        guard servers.takeNewTools() else { return false }
        try await list(taken: taken)
        return true
    }

    /// Ends the servers.
    func close() async { await servers.close() }

    /// Ends the servers without waiting.
    func kill() { servers.kill() }

    private func list(taken: [String]) async throws {
        let set = try await servers.tools(taken: Set(taken))
        for note in set.notes { Terminal.note("(\(note))") }
        var functions: [LeapFunction] = []
        var entries: [String: MCPToolSet.NamedTool] = [:]
        for entry in set.entries {
            do {
                functions.append(
                    try LeapFunction(
                        tool: .object([
                            "name": .string(entry.name), "description": .string(entry.tool.description),
                            "parameters": .object(entry.tool.schema),
                        ]), place: "the tool \(entry.name)"))
                entries[entry.name] = entry
            } catch {
                Terminal.note("(the MCP server \(entry.server.shown): left out: \(error.sentence))")
            }
        }
        state.withLock { ($0.functions, $0.entries) = (functions, entries) }
    }
}
