package import LeapJSON

/// An HTTP reply.
package struct ServerReply: Sendable {
    /// Sends the next bytes of a body; it throws where the client is gone.
    package typealias Send = @Sendable ([UInt8]) async throws -> Void

    /// The body of a reply.
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Bytes as they come; the body ends when the closure returns.
        case stream(@Sendable (@escaping Send) async throws -> Void)
    }

    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body
    /// The route that answered, one of a fixed number; "other" where none did.
    package internal(set) var route = ServerReply.otherRoute

    /// The name of all paths without a route, in figures.
    static let otherRoute = "other"

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON document.
    package static func json(_ value: JSONValue, status: Int = 200) -> ServerReply {
        ServerReply(
            status: status, headers: [("content-type", "application/json")], body: .bytes(JSONWriter.bytes(value)))
    }

    /// Plain text.
    package static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200)
        -> ServerReply
    {
        ServerReply(status: status, headers: [("content-type", type)], body: .bytes(Array(text.utf8)))
    }

    /// The type of events that the server sends (server-sent events, WHATWG HTML).
    static let events = "text/event-stream"

    /// Returns the headers of a body that is sent piece by piece: caches do not keep it, and nginx does not buffer it.
    static func streamHeaders(type: String) -> [(name: String, value: String)] {
        [("content-type", type), ("cache-control", "no-store"), ("x-accel-buffering", "no")]
    }

    /// The reply to a request for the head alone: the length stays that of the body.
    var withoutBody: ServerReply {
        guard case .bytes(let bytes) = body else { return self }
        var reply = self
        reply.headers.append(("content-length", "\(bytes.count)"))
        reply.body = .bytes([])
        return reply
    }

    /// Returns the reply with an object that is kept until a streamed body is whole or cancelled; a body of bytes keeps
    /// nothing.
    package func holding(_ object: some AnyObject & Sendable) -> ServerReply {
        guard case .stream(let write) = body else { return self }
        var reply = self
        reply.body = .stream { send in
            try await write(send)
            withExtendedLifetime(object) {}
        }
        return reply
    }

    /// Names the fields of a request that had no effect, in a header.
    func warning(of ignored: [String]) -> ServerReply { noting(WithoutEffect.note(on: ignored)) }

    /// Returns the reply with a header that says what is odd about the request.
    ///
    /// - Parameter note: a text of our own in ASCII, without quotes; nil for nothing.
    func noting(_ note: String?) -> ServerReply {
        guard let note else { return self }
        var reply = self
        reply.headers.append(("warning", "299 open-leap \"\(note)\""))
        return reply
    }
}

/// Text from outside in a header.
enum HeaderText {
    /// The text in visible ASCII without quotes and backslashes, cut to 64 characters or another number.
    static func safe(_ text: String, limit: Int = 64) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(limit).map { scalar in
                    scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7f && scalar != "\"" && scalar != "\\"
                        ? scalar : "?"
                }))
    }
}
