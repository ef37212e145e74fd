import LeapBase

/// The tools of several servers under names that tell them apart.
package struct MCPToolSet: Sendable {
    package struct Entry: Sendable {
        /// The name that the model calls it by.
        package let name: String
        package let tool: MCPServerTool
        package let client: MCPClient
    }

    /// The tools in the order of the servers and of their lists.
    package private(set) var entries: [Entry] = []
    /// Notes on tools that were cut, renamed or left out, a line each.
    package private(set) var notes: [String] = []

    /// Notes of a server that are told.
    private static let maxNotes = 8

    /// Asks servers for their tools.
    ///
    /// A name that is taken gets that of the server in front, as in `files_read`.
    /// - Parameter taken: names that others have.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package init(_ clients: [MCPClient], taken: Set<String>) async throws {
        var taken = taken
        for client in clients {
            let listed = try await client.tools()
            var told = listed.notes
            for tool in listed.tools {
                var name = tool.name
                if taken.contains(name) {
                    name = "\(client.name)_\(tool.name)"
                    var number = 2
                    while taken.contains(name) {
                        name = "\(client.name)\(number)_\(tool.name)"
                        number += 1
                    }
                    told.append("its tool \(tool.name) is called \(name) here, as another one has its name")
                }
                taken.insert(name)
                entries.append(Entry(name: name, tool: tool, client: client))
            }
            notes += told.prefix(Self.maxNotes).map { "the MCP server \(client.shown): \($0)" }
            if told.count > Self.maxNotes {
                notes.append("the MCP server \(client.shown): \(told.count - Self.maxNotes) more notes")
            }
        }
    }
}
