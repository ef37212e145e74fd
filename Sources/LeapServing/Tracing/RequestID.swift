extension ServerReply {
    /// The reply with the name of its request.
    ///
    /// - Parameter path: that of the request: Anthropic's clients look for the name in another header.
    package func named(_ id: String, at path: String) -> ServerReply {
        var reply = self
        reply.headers.append((RequestID.header, id))
        if ErrorShape(path: path) == .anthropic { reply.headers.append(("request-id", id)) }
        // The name that TypeSafe's clients read.
        if ErrorShape(path: path) == .systemOne { reply.headers.append(("x-typesafe-request-id", id)) }
        return reply
    }
}

/// The name of a request, by which its reply, its lines in the log and its span are found.
package enum RequestID {
    /// The header that carries it, in requests and replies.
    package static let header = "x-request-id"
    /// The longest name that is taken from a client.
    static let maxLength = 128

    /// The name that a client gave, or a new one where it gave none, or one that is longer or has other characters than
    /// visible ASCII.
    package static func of(_ headers: [String: String]) -> String {
        guard let given = headers[header], (1...maxLength).contains(given.utf8.count),
            given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return Identifier.make("req_") }
        return given
    }
}
