/// The subprotocols that a WebSocket's client offers.
struct SocketProtocols {
    let names: [String]

    init(_ request: ServerRequest) {
        let header = request.headers["sec-websocket-protocol"] ?? ""
        names = header.split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
    }

    /// The key among them: a page's WebSocket has no other place for it.
    var key: String? {
        let prefix = "openai-insecure-api-key."
        return names.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
