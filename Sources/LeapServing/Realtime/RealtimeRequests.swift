/// `GET /v1/realtime`: requests to go on as a WebSocket.
struct RealtimeRequests: Sendable {
    static let path = "/v1/realtime"

    let pool: ModelPool
    let access: AccessRules
    let requests: RequestCounter
    /// The maximum duration of a reply; nil for no limit.
    let limit: Duration?
    /// Notes each reply as a request of its own.
    let tracing: RequestTracing

    /// The connection that a request asks for.
    ///
    /// - Throws: ``APIError`` where it may not have one.
    func connection(_ request: ServerRequest) throws(APIError) -> RealtimeConnection {
        try access.checkSocket(request)
        let model = try pool.catalog.find(request.query["model"])
        let count = requests.begin()
        count.answered(Self.path, status: 101)
        let protocols = SocketProtocols(request)
        return RealtimeConnection(
            pool: pool, model: model, subprotocol: protocols.names.contains("realtime") ? "realtime" : nil,
            limit: limit, count: count
        ) { [tracing] in tracing.begin(method: request.method, headers: request.headers, route: Self.path, $0) }
    }

    /// The reply to a request that is no such request, or may not go on as one.
    func refuse(_ request: ServerRequest) throws(APIError) -> ServerReply {
        try access.checkSocket(request)
        _ = try pool.catalog.find(request.query["model"])
        var reply = APIError.refused(
            426, "this is a WebSocket (RFC 6455): connect to it as ws://HOST/v1/realtime?model=NAME"
        ).reply
        reply.headers.append(("upgrade", "websocket"))
        return reply
    }
}
