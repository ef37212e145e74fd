import LeapMCP

extension APIError {
    /// Makes the answer to a request that an MCP server did not fulfil.
    ///
    /// - Parameters:
    ///   - server: the name of the server, in place of its command, which may hold a secret.
    ///   - condition: that of the server, now.
    init(_ error: MCPError, server: String, _ condition: NamedServer.Condition) {
        let (status, code): (Int, String) =
            switch error.code {
            case .timedOut: (504, "mcp_timeout")
            case .refused: (502, "mcp_refused")
            case .ended: (502, "mcp_server_ended")
            case .leftOut: (502, "mcp_server_left_out")
            case .changed: (409, "mcp_tool_changed")
            default: (502, "mcp_server_failed")
            }
        let advice =
            switch condition {
            case .running: ""
            case .ended: "; it is started again when one of its tools is called"
            case .leftOut: error.code == .leftOut ? "" : "; it is left out until leap serve is started again"
            }
        self = .failed(status, "the MCP server \(server) \(error.reason)\(advice)", code: code)
    }
}
