/// The servers that were named together: all of them are connected, or none.
package final class MCPServers: Sendable {
    /// In the order in which they were named.
    package let all: [NamedServer]

    private init(_ all: [NamedServer]) { self.all = all }

    /// Starts servers, or connects to them.
    ///
    /// - Parameters:
    ///   - commands: a command or an address of each.
    ///   - clock: the one by which servers that have ended are started again.
    ///   - log: takes lines for the log, at the level for debugging.
    ///   - tell: takes sentences for the person: that a server is started again, or left out.
    /// - Throws: ``MCPError``, or `CancellationError`; then none of the servers runs.
    package static func connect(
        _ commands: [String], limits: MCPLimits = MCPLimits(), clock: RestartClock = RestartClock(),
        log: @escaping @Sendable (String) -> Void = { _ in }, tell: @escaping @Sendable (String) -> Void
    ) async throws -> MCPServers {
        // Before the first is started.
        let addresses = try commands.map { try MCPAddress($0) }
        var servers: [NamedServer] = []
        do {
            for address in addresses {
                servers.append(
                    try await NamedServer.connect(to: address, limits: limits, clock: clock, log: log, tell: tell))
            }
        } catch {
            await MCPServers(servers).close()
            throw error
        }
        return MCPServers(servers)
    }

    /// Returns whether a server has other tools since the last time that this was asked.
    package func takeNewTools() -> Bool {
        // All are asked, as each forgets that it has told.
        all.map { $0.takeNewTools() }.contains(true)
    }

    /// Asks the servers for their tools; those of one that has ended are as it listed them last.
    ///
    /// - Parameter taken: names that others have.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package func tools(taken: Set<String> = []) async throws -> MCPToolSet {
        try await MCPToolSet(all, taken: taken)
    }

    /// Ends the servers, and waits for their end.
    package func close() async {
        await withTaskGroup(of: Void.self) { group in
            for server in all { group.addTask { await server.close() } }
        }
    }

    /// Ends the servers without waiting, as this process is about to end.
    package func kill() { for server in all { server.kill() } }
}
