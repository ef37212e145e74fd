import Foundation
import LeapBase
import LeapCore
import LeapJSON
import LeapMCP

/// The MCP servers of a chat, and their tools as functions of its conversation.
final class ServerTools: Sendable {
    private struct State {
        var functions: [LeapFunction] = []
        var entries: [String: MCPToolSet.Entry] = [:]
        /// Tools that are run without a question, as they were when that was said: a server may put another one under the same name.
        var allowed: [String: MCPServerTool] = [:]
    }

    private let clients: [MCPClient]
    private let state = Locked(State())

    private init(_ clients: [MCPClient]) { self.clients = clients }

    /// Starts servers, and tells what of their tools cannot be used.
    ///
    /// - Parameters:
    ///   - commands: a command or an address of each.
    ///   - taken: names of other functions.
    /// - Throws: `MCPError`; then none of the servers runs.
    static func connect(_ commands: [String], taken: [String]) async throws -> ServerTools {
        let addresses = try commands.map { try MCPAddress($0) }
        let logger = PrintableLogger(label: "open-leap.mcp")
        var clients: [MCPClient] = []
        do {
            for address in addresses {
                clients.append(try await MCPClient.connect(to: address, log: { logger.debug($0) }))
            }
            let tools = ServerTools(clients)
            try await tools.list(taken: taken)
            return tools
        } catch {
            await ServerTools(clients).close()
            throw error
        }
    }

    var functions: [LeapFunction] { state.withLock { $0.functions } }

    /// The tool that a function stands for; nil where it is none of a server's.
    func entry(_ name: String) -> MCPToolSet.Entry? { state.withLock { $0.entries[name] } }

    /// Returns whether a tool is run without a question.
    func isAllowed(_ entry: MCPToolSet.Entry) -> Bool { state.withLock { $0.allowed[entry.name] == entry.tool } }

    /// Has a tool run without a question from now on.
    func allow(_ entry: MCPToolSet.Entry) { state.withLock { $0.allowed[entry.name] = entry.tool } }

    /// Asks for the tools again where a server has told of others.
    ///
    /// - Returns: whether it did.
    func refresh(taken: [String]) async throws -> Bool {
        // All are asked, as each forgets that it has told.
        let areNew = clients.map { $0.takeNewTools() }
        guard areNew.contains(true) else { return false }
        try await list(taken: taken)
        return true
    }

    /// Ends the servers.
    func close() async {
        await withTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { await client.close() } }
        }
    }

    /// Ends the servers without waiting.
    func kill() { for client in clients { client.kill() } }

    private func list(taken: [String]) async throws {
        let set = try await MCPToolSet(clients.filter { $0.failure == nil }, taken: Set(taken))
        for note in set.notes { Terminal.note("(\(note))") }
        var functions: [LeapFunction] = []
        var entries: [String: MCPToolSet.Entry] = [:]
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
                Terminal.note("(the MCP server \(entry.client.shown): left out: \(error.sentence))")
            }
        }
        state.withLock { ($0.functions, $0.entries) = (functions, entries) }
    }
}
