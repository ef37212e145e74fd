/// The servers that were named together: all of them are connected, or none.
package final class MCPServers: Sendable {
    /// In the order in which they were named.
    package let clients: [MCPClient]

    package init(_ clients: [MCPClient]) { self.clients = clients }

    /// Starts servers, or connects to them.
    ///
    /// - Parameters:
    ///   - commands: a command or an address of each.
    ///   - log: takes lines for the log, at the level for debugging.
    /// - Throws: ``MCPError``, or `CancellationError`; then none of the servers runs.
    package static func connect(
        _ commands: [String], limits: MCPLimits = MCPLimits(), log: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> MCPServers {
        // Before the first is started.
        let addresses = try commands.map { try MCPAddress($0) }
        var clients: [MCPClient] = []
        do {
            for address in addresses {
                clients.append(try await MCPClient.connect(to: address, limits: limits, log: log))
            }
        } catch {
            await MCPServers(clients).close()
            throw error
        }
        return MCPServers(clients)
    }

    /// Returns whether a server has told of other tools since the last time that this was asked.
    package func takeNewTools() -> Bool {
        // All are asked, as each forgets that it has told.
        clients.map { $0.takeNewTools() }.contains(true)
    }

    /// Asks the servers that can be used for their tools.
    ///
    /// - Parameter taken: names that others have.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package func tools(taken: Set<String> = []) async throws -> MCPToolSet {
        try await MCPToolSet(clients.filter { $0.failure == nil }, taken: taken)
    }

    /// Ends the servers, and waits for their end.
    package func close() async {
        await withTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { await client.close() } }
        }
    }

    /// Ends the servers without waiting, as this process is about to end.
    package func kill() { for client in clients { client.kill() } }
}
