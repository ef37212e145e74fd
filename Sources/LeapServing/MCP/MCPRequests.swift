import LeapJSON
import LeapMCP

/// `GET /v1/mcp/tools` and `POST /v1/mcp/tools/call`, for the page: the tools of MCP servers, and one call that a
/// person has allowed.
struct MCPRequests: Sendable {
    static let listPath = "/v1/mcp/tools"
    static let callPath = "/v1/mcp/tools/call"

    /// Bytes of a request for a call.
    private static let maxBody = 1 << 20
    /// Bytes of a result.
    private static let maxText = 64 << 10

    let tools: ServedTools
    let access: AccessRules

    /// The servers and their tools.
    func list(_ request: ServerRequest) async throws -> ServerReply {
        try access.checkOwnPage(request)
        let listing = await tools.listing()
        let servers = listing.servers.map { server in
            JSONValue.object([
                "name": .string(server.name), "state": .string(Self.state(server.condition)),
                "error": server.condition.problem.map { .string("the MCP server \(server.name) \($0)") } ?? .null,
            ])
        }
        let data = listing.tools.map { tool in
            JSONValue.object([
                "server": .string(tool.server), "name": .string(tool.entry.name),
                "description": .string(tool.entry.tool.description),
                "parameters": .object(tool.entry.tool.schema),
            ])
        }
        return .json(.object(["object": "list", "servers": .array(servers), "data": .array(data)]))
    }

    /// The result of a call: `server`, `name`, `arguments`, `max_bytes`.
    func call(_ request: ServerRequest) async throws -> ServerReply {
        try access.checkOwnPage(request)
        guard request.body.byteCount <= Self.maxBody else {
            throw APIError.refused(
                413, "a call of a tool may have \(Self.maxBody) bytes, and this one has \(request.body.byteCount)")
        }
        var fields = try await RequestFields.read(request)
        let server = try Self.text("server", &fields)
        let name = try Self.text("name", &fields)
        let arguments = try fields.object("arguments") ?? [:]
        let maxBytes = try fields.integer("max_bytes", in: 1...Self.maxText) ?? Self.maxText
        let result = try await tools.call(name, of: server, arguments, maxTextBytes: maxBytes)
        return ServerReply.json(
            .object([
                "object": "mcp.tool_result", "server": .string(server), "name": .string(name),
                // With a sentence for the model where it was cut or the tool failed.
                "content": .string(result.modelText), "is_error": .bool(result.isError),
                "is_cut": .bool(result.wholeTextBytes != nil),
            ])
        ).warning(of: fields.ignored)
    }

    private static func state(_ condition: NamedServer.Condition) -> String {
        switch condition {
        case .running: "running"
        case .ended: "ended"
        case .leftOut: "left_out"
        }
    }

    private static func text(_ name: String, _ fields: inout RequestFields) throws(APIError) -> String {
        guard let text = try fields.string(name), !text.isEmpty else {
            throw .invalid("'\(name)' is missing or empty; expected a name that \(listPath) lists", name)
        }
        return text
    }
}
