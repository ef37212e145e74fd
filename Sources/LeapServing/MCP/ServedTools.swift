import LeapBase
import LeapChat
import LeapJSON
package import LeapMCP

/// The tools of the MCP servers that were named when the server was started; requests can name no others.
package actor ServedTools {
    /// A tool with the name of its server.
    struct Tool: Sendable {
        let server: String
        let entry: MCPToolSet.NamedTool
    }

    /// The servers with their condition, and the tools of those that are not left out.
    struct Listing: Sendable {
        var servers: [(name: String, condition: NamedServer.Condition)]
        var tools: [Tool]
    }

    /// Calls of a server's tools at a time.
    static let maxCalls = 4

    private static let logger = PrintableLogger(label: "open-leap.mcp")

    private let servers: MCPServers
    /// The name of each server, which no other one has.
    private let names: [ObjectIdentifier: String]
    private let listTimeout: Duration
    private var tools: [Tool] = []
    /// True if a server has other tools, which were not asked for yet.
    private var isStale = false
    private var refreshing: Task<Void, Never>?
    private var running: [String: Int] = [:]

    private init(_ servers: MCPServers, _ set: MCPToolSet, listTimeout: Duration) {
        self.servers = servers
        self.listTimeout = listTimeout
        let names = Self.names(servers.all)
        self.names = names
        tools = Self.tools(set, names)
    }

    /// Starts servers, or connects to them, and asks for their tools.
    ///
    /// - Parameters:
    ///   - commands: a command or an address of each.
    ///   - clock: the one by which servers that have ended are started again.
    ///   - listTimeout: the time that a request waits for the tools of a server that has told of others.
    /// - Throws: `MCPError`, or `CancellationError`; then none of the servers runs.
    package static func connect(
        _ commands: [String], limits: MCPLimits = MCPLimits(), clock: RestartClock = RestartClock(),
        listTimeout: Duration = .seconds(10)
    ) async throws -> ServedTools {
        let servers = try await MCPServers.connect(
            commands, limits: limits, clock: clock, log: { logger.debug($0) }, tell: { logger.warning($0) })
        do {
            return ServedTools(servers, try await servers.tools(), listTimeout: listTimeout)
        } catch {
            await servers.close()
            throw error
        }
    }

    /// The servers, and the tools that they have now.
    func listing() async -> Listing {
        // First, as a server that is left out has no tools from then on.
        let conditions = servers.all.map { ($0, $0.condition()) }
        await refresh()
        let leftOut = Set(conditions.filter { !$0.1.isUsable }.map { ObjectIdentifier($0.0) })
        return Listing(
            servers: conditions.map { (name: name(of: $0.0), condition: $0.1) },
            tools: tools.filter { !leftOut.contains(ObjectIdentifier($0.entry.server)) })
    }

    /// Calls a tool that is listed.
    ///
    /// - Parameter maxTextBytes: bytes of the result that are kept.
    /// - Throws: ``APIError``, or `CancellationError`.
    func call(
        _ name: String, of server: String, _ arguments: JSONObject, maxTextBytes: Int
    ) async throws -> MCPToolResult {
        guard let tool = tools.first(where: { $0.entry.name == name && $0.server == server }) else {
            throw APIError.notFound(
                "no MCP server '\(ShownText.of(server, limit: 80))' with a tool '\(ShownText.of(name, limit: 80))' was named when this server was started; \(MCPRequests.listPath) lists those there are",
                code: "tool_not_found")
        }
        guard running[server, default: 0] < Self.maxCalls else {
            throw APIError.busy(
                "\(Self.maxCalls) calls of tools of the MCP server \(server) are under way: wait for one to end")
        }
        running[server, default: 0] += 1
        defer { running[server, default: 0] -= 1 }
        do {
            return try await tool.entry.server.call(
                tool.entry.tool, arguments, maxTextBytes: maxTextBytes, takesImages: false)
        } catch let error as MCPError {
            throw APIError(error, server: server, tool.entry.server.condition())
        }
    }

    /// Ends the servers, and waits for their end.
    package nonisolated func close() async { await servers.close() }

    /// Ends the servers without waiting, as this process is about to end.
    package nonisolated func kill() { servers.kill() }

    // MARK: Tools

    /// Asks for the tools again where a server has others.
    ///
    /// One request asks, and those beside it wait for that; where the servers do not answer, the tools stay as they
    /// were.
    private func refresh() async {
        if servers.takeNewTools() { isStale = true }
        if let refreshing { return await refreshing.value }
        guard isStale else { return }
        isStale = false
        let task = Task {
            do {
                let late = APIError.failed(504, "no answer within \(listTimeout.components.seconds) seconds")
                let set = try await Deadline(in: listTimeout, error: late).run { [servers] in try await servers.tools()
                }
                tools = Self.tools(set, names)
            } catch {
                isStale = true
                Self.logger.warning("the tools of MCP servers are unchanged: \(error)")
            }
            refreshing = nil
        }
        refreshing = task
        await task.value
    }

    private func name(of server: NamedServer) -> String { names[ObjectIdentifier(server)] ?? server.name }

    private static func tools(_ set: MCPToolSet, _ names: [ObjectIdentifier: String]) -> [Tool] {
        for note in set.notes { logger.notice(note) }
        return set.entries.map { Tool(server: names[ObjectIdentifier($0.server)] ?? $0.server.name, entry: $0) }
    }

    /// The names that servers give themselves, with a number behind those that an earlier one has.
    private static func names(_ servers: [NamedServer]) -> [ObjectIdentifier: String] {
        var taken = TakenNames()
        var names: [ObjectIdentifier: String] = [:]
        for server in servers { names[ObjectIdentifier(server)] = taken.take(server.name) { "\(server.name)\($0)" } }
        return names
    }
}
