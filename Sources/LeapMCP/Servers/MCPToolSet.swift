import LeapBase

/// The tools of several servers under names that tell them apart.
package struct MCPToolSet: Sendable {
    /// A tool, its server, and the name that tells it apart from others.
    package struct NamedTool: Sendable {
        /// The name that the model calls it by.
        package let name: String
        package let tool: MCPServerTool
        package let server: NamedServer
    }

    /// The tools in the order of the servers and of their lists.
    package private(set) var entries: [NamedTool] = []
    /// Notes on tools that were cut, renamed or left out, a line each.
    package private(set) var notes: [String] = []

    /// Notes of a server that are told.
    private static let maxNotes = 8

    /// Asks servers for their tools.
    ///
    /// A name that is taken gets that of the server in front, as in `files_read`.
    /// - Parameter taken: names that others have.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package init(_ servers: [NamedServer], taken: Set<String>) async throws {
        var taken = TakenNames(taken)
        for server in servers {
            let listed = try await server.tools()
            var told = listed.notes
            for tool in listed.tools {
                let first = taken.contains(tool.name) ? "\(server.name)_\(tool.name)" : tool.name
                let name = taken.take(first) { "\(server.name)\($0)_\(tool.name)" }
                if name != tool.name {
                    told.append("its tool \(tool.name) is called \(name) here, because another tool has its name")
                }
                entries.append(NamedTool(name: name, tool: tool, server: server))
            }
            notes += told.prefix(Self.maxNotes).map { "the MCP server \(server.shown): \($0)" }
            if told.count > Self.maxNotes {
                notes.append("the MCP server \(server.shown): \(told.count - Self.maxNotes) more notes")
            }
        }
    }
}
