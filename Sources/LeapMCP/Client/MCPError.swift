import LeapBase

/// The error of a server of the Model Context Protocol that cannot be used, or did not do what was asked; it names the
/// server.
package struct MCPError: CodedError {
    /// The kinds of error.
    package enum Code: String, Sendable {
        /// The command or address cannot be one.
        case invalidAddress
        /// The program cannot be started.
        case cannotStart
        /// The program has ended, or closed its output.
        case ended
        /// The HTTP exchange failed.
        case connection
        /// There was no answer in time.
        case timedOut
        /// A message is longer than may be.
        case tooLong
        /// The message that came is malformed, or not the one that was asked for.
        case malformed
        /// More was sent without being asked for than is taken, or nothing was read.
        case flooded
        /// The version of the protocol is not known.
        case unknownVersion
        /// The server answered with an error.
        case refused
        /// The tool is not what it was: the server lists it otherwise, or no more.
        case changed
        /// The server ended too often, and is not started again.
        case leftOut
    }

    /// The server's name, as messages show it.
    package let server: String
    package let code: Code
    /// The server.
    package var field: String? { server }
    /// A description of the error, as the end of a sentence that begins with the server.
    package let reason: String

    package init(_ server: String, _ code: Code, _ reason: String) {
        self.server = server
        self.code = code
        self.reason = reason
    }

    package var message: String { "the MCP server \(server) \(reason)" }
}
