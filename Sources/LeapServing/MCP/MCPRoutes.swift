extension RouteGroup {
    /// The tools of MCP servers, for the page.
    static func mcp(_ tools: ServedTools, _ access: AccessRules) -> RouteGroup {
        let mcp = MCPRequests(tools: tools, access: access)
        return RouteGroup([
            MCPRequests.listPath: ["GET": { try await mcp.list($0) }],
            MCPRequests.callPath: ["POST": { try await mcp.call($0) }],
        ])
    }
}
