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
        var request = request
        try access.checkSocket(&request)
        let model = try request.catalog(of: pool).find(request.query["model"])
        let holder = request.holder
        // Where it is refused, it gets the reply of any other request, which counts the refusal.
        try holder?.admit(notesRefusal: false)
        let count = requests.begin()
        count.answered(Self.path, status: 101)
        let protocols = SocketProtocols(request)
        return RealtimeConnection(
            pool: pool, model: model, subprotocol: protocols.names.contains("realtime") ? "realtime" : nil,
            limit: limit, holder: holder, count: count
        ) { [tracing, method = request.method, headers = request.headers] operation in
            let record = tracing.begin(method: method, headers: headers, route: Self.path, operation)
            if let holder { record.take(holder: holder) }
            return record
        }
    }

    /// The reply to a request that is no such request, or may not go on as one.
    func refuse(_ request: ServerRequest) throws(APIError) -> ServerReply {
        var request = request
        try access.checkSocket(&request)
        _ = try request.catalog(of: pool).find(request.query["model"])
        var reply = APIError.refused(
            426, "this is a WebSocket (RFC 6455): connect to it as ws://HOST/v1/realtime?model=NAME"
        ).reply
        reply.headers.append(("upgrade", "websocket"))
        return reply
    }
}
