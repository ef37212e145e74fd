import LeapBase
import LeapChat
import LeapJSON

/// Answers HTTP requests, whatever carries them.
package struct Server: Sendable {
    private let access: AccessRules
    private let requestTimeout: Duration?
    private let tracing: RequestTracing
    private let requests = RequestCounter()
    private let realtime: RealtimeRequests
    private let routes: RouteTable<RouteGroup.Handler>

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - tools: the tools of MCP servers that the page may use; nil for none.
    ///   - hasPage: whether `/` answers with the page for browsers.
    ///   - allowsPulls: whether requests may have models fetched.
    ///   - state: what keeps responses and conversations.
    ///   - requestTimeout: what a request may take in all; nil for no limit.
    ///   - tracing: where the spans of requests go.
    ///   - moreFigures: what `/metrics` tells besides its own figures, in the same format.
    package init(
        pool: ModelPool, access: AccessRules, tools: ServedTools? = nil, hasPage: Bool = true, allowsPulls: Bool = true,
        state: StateStore = StateStore(), requestTimeout: Duration? = nil, tracing: RequestTracing = RequestTracing(),
        moreFigures: @escaping @Sendable () -> String = { "" }
    ) {
        self.access = access
        self.requestTimeout = requestTimeout
        self.tracing = tracing
        realtime = RealtimeRequests(
            pool: pool, access: access, requests: requests, limit: requestTimeout, tracing: tracing)
        let metrics = MetricsPage(pool: pool, requests: requests, keys: access.keys, more: moreFigures)
        var groups: [RouteGroup] = [
            .completions(pool), .attachments(pool), .audio(pool), .realtime(realtime), .responses(pool, state),
            .conversations(state), .messages(pool), .embeddings(pool), .reranking(pool), .decisions(pool),
            .models(pool, metrics),
            .ollama(pool, allowsPulls: allowsPulls),
        ]
        if let tools { groups.append(.mcp(tools, access)) }
        let page = hasPage ? WebPage.files(hasTools: tools != nil) : [:]
        groups.append(RouteGroup(page.mapValues { file in ["GET": { _ in file.reply }] }))
        routes = Self.routes(groups, page: page)
    }

    /// The table of all routes, with the document that describes them.
    private static func routes(_ groups: [RouteGroup], page: [String: WebPageFile]) -> RouteTable<RouteGroup.Handler> {
        var routes = RouteTable<RouteGroup.Handler>()
        for (pattern, handlers) in groups.flatMap(\.handlers) { routes.add(pattern, handlers) }
        for (path, pattern) in aliases { routes.add(alias: path, of: pattern) }
        let table = routes.methods.merging(["/openapi.json": ["GET"]]) { $1 }
        switch APIDescription.shipped {
        case .success:
            let description = ServerReply.json(APIDescription.document(of: table, page: page))
            routes.add("/openapi.json", ["GET": { _ in description }])
        case .failure(let missing):
            routes.add("/openapi.json", ["GET": { _ in throw APIError.notFound(missing.message) }])
        }
        return routes
    }

    /// Paths that other servers have for what is here, too: Cohere's, llama.cpp's and others of rerankers.
    static let aliases = [
        "/rerank": "/v1/rerank", "/v2/rerank": "/v1/rerank", "/reranking": "/v1/rerank", "/v1/reranking": "/v1/rerank",
    ]

    /// Every path with its methods, those that are aliases left out.
    var table: [String: Set<String>] { routes.methods }

    /// The reply to a request; it never throws: what goes wrong is a reply of its own.
    ///
    /// Cancelling the task stops what is generated for it.
    package func reply(to request: ServerRequest) async -> ServerReply {
        let count = requests.begin()
        var request = request
        if request.deadline == nil { request.deadline = requestTimeout.map { Deadline(in: $0) } }
        let route = routes.route(of: request.path)
        let record = tracing.begin(
            method: request.method, headers: request.headers, route: route?.pattern ?? ServerReply.otherRoute)
        request.record = record
        var reply = await record.run { [request] in await outcome(of: request, by: route, record) }
        if request.method == "HEAD" { reply = reply.withoutBody }
        if let route { reply.route = route.pattern }
        reply = reply.named(record.id, at: request.path)
        count.answered(reply.route, status: reply.status)
        record.answer(status: reply.status)
        return reply.recorded(by: record).holding(count)
    }

    private func outcome(
        of request: ServerRequest, by route: RouteTable<RouteGroup.Handler>.Route?, _ record: RequestRecord
    ) async -> ServerReply {
        var request = request
        do {
            if let preflight = try access.check(&request) { return preflight }
            if let holder = request.holder {
                record.take(holder: holder)
                try holder.admit()
            }
            try request.query.check()
            try Self.checkEncoding(request)
            return access.complete(try await answer(request, by: route), for: request)
        } catch {
            let error = APIError(error)
            record.fail(error)
            return access.complete(error.reply(at: request.path), for: request)
        }
    }

    /// The connection of a request to go on as a WebSocket; nil where it gets a reply as any other request.
    package func realtimeConnection(_ request: ServerRequest) -> RealtimeConnection? {
        guard routes.route(of: request.path)?.pattern == RealtimeRequests.path, (try? request.query.check()) != nil
        else { return nil }
        return try? realtime.connection(request)
    }

    /// Refuses a body that is compressed, which would be taken for something that is no JSON.
    private static func checkEncoding(_ request: ServerRequest) throws(APIError) {
        guard let encoding = request.headers["content-encoding"]?.lowercased(), !["", "identity"].contains(encoding)
        else { return }
        throw APIError.refused(
            415,
            "the body's Content-Encoding is '\(HeaderText.safe(encoding))', which is not supported: send the body unencoded",
            code: APIError.contentEncoding)
    }

    private func answer(
        _ request: ServerRequest, by route: RouteTable<RouteGroup.Handler>.Route?
    ) async throws -> ServerReply {
        guard let route, !route.handlers.isEmpty else {
            throw APIError.notFound("there is nothing at \(HeaderText.safe(request.path))")
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let handler = route.handlers[method] else {
            return Self.otherMethod(request, route.handlers.keys.sorted())
        }
        var request = request
        for sent in route.parameters {
            guard let parameter = RequestPath.decoded(sent) else {
                throw APIError.notFound("there is nothing at \(HeaderText.safe(request.path))")
            }
            request.parameters.append(parameter)
        }
        guard let deadline = request.deadline else { return try await handler(request) }
        return try await deadline.run { [request] in try await handler(request) }
    }

    /// The reply to a method that a path does not have.
    private static func otherMethod(_ request: ServerRequest, _ methods: [String]) -> ServerReply {
        let method = request.method
        let allowed = (methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
        var reply =
            method == "OPTIONS"
            ? ServerReply(status: 204, body: .bytes([]))
            : APIError.refused(
                405, "\(HeaderText.safe(method)) is not supported here; use \(methods.joined(separator: " or "))"
            ).reply(at: request.path)
        reply.headers.append(("allow", allowed))
        return reply
    }
}
