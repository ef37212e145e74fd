import LeapBase
import LeapCore
import LeapJSON

/// Answers HTTP requests, whatever carries them.
package struct Server: Sendable {
    private typealias Handler = @Sendable (ServerRequest) async throws -> ServerReply

    private let access: AccessRules
    private let requestTimeout: Duration?
    private let tracing: RequestTracing
    private let requests = RequestCounter()
    private let realtime: RealtimeRequests
    private let routes: RouteTable<Handler>

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
        let modelState = ModelState(pool: pool)
        let (models, tokens) = (ModelList(pool: pool), TokenRequests(pool: pool))
        let (ollama, ollamaModels) = (OllamaRequests(pool: pool), OllamaModels(pool: pool))
        let changes = ModelChanges(pool: pool, isAllowed: allowsPulls)
        let (responses, embeddings) = (ResponsesRequests(pool: pool, store: state), EmbeddingRequests(pool: pool))
        let conversations = ConversationRequests(store: state)
        // A reply that tells of a change is sent when the change is on the disk.
        let stored: @Sendable (ServerReply) async -> ServerReply = { reply in
            reply.noting(await state.flush().map { "not stored: \($0)" })
        }
        let messages = MessagesRequests(pool: pool)
        let spoken = ResponseStore()
        let metrics = MetricsPage(pool: pool, requests: requests, more: moreFigures)
        let pulls = PullRequests(catalog: pool.catalog)
        let realtime = RealtimeRequests(
            pool: pool, access: access, requests: requests, limit: requestTimeout, tracing: tracing)
        self.realtime = realtime
        let handlers: [String: [String: Handler]] = [
            "/v1/chat/completions": ["POST": { try await ChatCompletions(pool: pool, spoken: spoken).reply(to: $0) }],
            "/v1/completions": ["POST": { try await TextCompletions(pool: pool).reply(to: $0) }],
            "/v1/audio/transcriptions": ["POST": { try await Transcriptions(pool: pool).reply(to: $0) }],
            "/v1/audio/translations": ["POST": { try await Translations(pool: pool).reply(to: $0) }],
            "/v1/audio/speech": ["POST": { try await Speech(pool: pool).reply(to: $0) }],
            RealtimeRequests.path: ["GET": { try realtime.refuse($0) }],
            "/v1/responses": ["POST": { await stored(try await responses.create($0)) }],
            "/v1/responses/{id}": [
                "GET": { try responses.get($0) },
                "DELETE": { await stored(try responses.delete($0.parameter)) },
            ],
            "/v1/responses/{id}/input_items": ["GET": { try responses.inputItems($0) }],
            "/v1/responses/{id}/cancel": ["POST": { await stored(try responses.cancel($0.parameter)) }],
            "/v1/responses/input_tokens": ["POST": { try await responses.count($0) }],
            // A name that is none of a response: OpenAI's server makes a conversation shorter there, which is not done
            // here.
            "/v1/responses/compact": [:],
            "/v1/conversations": ["POST": { await stored(try await conversations.create($0)) }],
            "/v1/conversations/{id}": [
                "GET": { try conversations.get($0.parameter) },
                "POST": { await stored(try await conversations.update($0)) },
                "DELETE": { await stored(try conversations.delete($0.parameter)) },
            ],
            "/v1/conversations/{id}/items": [
                "GET": { try conversations.list($0) },
                "POST": { await stored(try await conversations.add($0)) },
            ],
            "/v1/conversations/{id}/items/{item}": [
                "GET": { try conversations.item($0) },
                "DELETE": { await stored(try conversations.deleteItem($0)) },
            ],
            "/v1/messages": ["POST": { try await messages.create($0) }],
            "/v1/messages/count_tokens": ["POST": { try await messages.count($0) }],
            "/v1/embeddings": ["POST": { try await embeddings.create($0) }],
            "/v1/rerank": ["POST": { try await RerankRequests(pool: pool).rerank($0) }],
            "/v1/models": ["GET": { try await models.list($0) }],
            "/v1/models/{model}": ["GET": { try await models.one($0) }],
            "/props": ["GET": { try await modelState.properties($0) }],
            "/slots": ["GET": { try await modelState.slots($0) }],
            AttachmentRequests.path: ["POST": { try await AttachmentRequests(pool: pool).check($0) }],
            "/tokenize": ["POST": { try await tokens.tokenize($0) }],
            "/detokenize": ["POST": { try await tokens.detokenize($0) }],
            "/health": ["GET": { _ in .json(.object(["status": "ok"])) }],
            "/metrics": ["GET": { _ in await metrics.reply() }],
            "/api/chat": ["POST": { try await ollama.chat($0) }],
            "/api/generate": ["POST": { try await ollama.generate($0) }],
            "/api/embed": ["POST": { try await embeddings.embed($0) }],
            "/api/embeddings": ["POST": { try await embeddings.embedOne($0) }],
            "/api/tags": ["GET": { _ in try await ollamaModels.tags() }],
            "/api/ps": ["GET": { _ in try await ollamaModels.running() }],
            "/api/show": ["POST": { try await ollamaModels.show($0) }],
            "/api/version": ["GET": { _ in .json(.object(["version": .string(OllamaModels.version)])) }],
            "/api/copy": ["POST": { try await changes.copy($0) }],
            "/api/delete": ["DELETE": { try await changes.delete($0) }],
            "/api/pull": [
                "POST": {
                    try changes.check("fetch models with “leap pull”")
                    return try await pulls.pull($0)
                }
            ],
        ]
        var routes = RouteTable<Handler>()
        for (pattern, handlers) in handlers { routes.add(pattern, handlers) }
        for (path, pattern) in Self.aliases { routes.add(alias: path, of: pattern) }
        if let tools {
            let mcp = MCPRequests(tools: tools, access: access)
            routes.add(MCPRequests.listPath, ["GET": { try await mcp.list($0) }])
            routes.add(MCPRequests.callPath, ["POST": { try await mcp.call($0) }])
        }
        let page = hasPage ? WebPage.files(hasTools: tools != nil) : [:]
        for (path, file) in page { routes.add(path, ["GET": { _ in file.reply }]) }
        let table = routes.methods.merging(["/openapi.json": ["GET"]]) { $1 }
        let description = ServerReply.json(APIDescription.document(of: table, page: page))
        routes.add("/openapi.json", ["GET": { _ in description }])
        self.routes = routes
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
        let record = tracing.begin(request, route: route?.pattern ?? ServerReply.otherRoute)
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
        of request: ServerRequest, by route: RouteTable<Handler>.Route?, _ record: RequestRecord
    ) async -> ServerReply {
        do {
            if let preflight = try access.check(request) { return preflight }
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
            "the body's Content-Encoding is '\(HeaderText.safe(encoding))', which is not read here: send it as it is",
            code: APIError.contentEncoding)
    }

    private func answer(_ request: ServerRequest, by route: RouteTable<Handler>.Route?) async throws -> ServerReply {
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
                405, "\(HeaderText.safe(method)) is not answered here; use \(methods.joined(separator: " or "))"
            ).reply(at: request.path)
        reply.headers.append(("allow", allowed))
        return reply
    }
}
