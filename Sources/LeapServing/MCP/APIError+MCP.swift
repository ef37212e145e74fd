import LeapMCP

extension APIError {
    /// Makes the answer to a request that an MCP server did not fulfil.
    ///
    /// - Parameters:
    ///   - server: the name of the server, in place of its command, which may hold a secret.
    ///   - isOver: whether the server cannot be used any more.
    init(_ error: MCPError, server: String, isOver: Bool) {
        let (status, code): (Int, String) =
            switch error.code {
            case .timedOut: (504, "mcp_timeout")
            case .refused: (502, "mcp_refused")
            case .ended: (502, "mcp_server_ended")
            default: (502, "mcp_server_failed")
            }
        let advice = isOver ? "; it can be used again when leap serve is started again" : ""
        self = .failed(status, "the MCP server \(server) \(error.reason)\(advice)", code: code)
    }
}
