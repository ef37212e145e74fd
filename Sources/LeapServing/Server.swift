import LeapBase
import LeapCore
import LeapJSON

/// Answers HTTP requests, whatever carries them.
package struct Server: Sendable {
    private typealias Handler = @Sendable (ServerRequest) async throws -> ServerReply

    private let access: AccessRules
    private let requestTimeout: Duration?
    private let requests = RequestCounter()
    private let realtime: RealtimeRequests
    /// By path, then by method; a path may end with a name in braces, which stands for any text.
    private let routes: [String: [String: Handler]]

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - hasPage: whether `/` answers with the page for browsers.
    ///   - allowsPulls: whether requests may have models fetched.
    ///   - requestTimeout: what a request may take in all; nil for no limit.
    ///   - moreFigures: what `/metrics` tells besides its own figures, in the same format.
    package init(
        pool: ModelPool, access: AccessRules, hasPage: Bool = true, allowsPulls: Bool = true,
        requestTimeout: Duration? = nil, moreFigures: @escaping @Sendable () -> String = { "" }
    ) {
        self.access = access
        self.requestTimeout = requestTimeout
        let (models, tokens) = (ModelList(pool: pool), TokenRequests(pool: pool))
        let (ollama, ollamaModels) = (OllamaRequests(pool: pool), OllamaModels(pool: pool))
        let changes = ModelChanges(pool: pool, isAllowed: allowsPulls)
        let (responses, embeddings) = (ResponsesRequests(pool: pool), EmbeddingRequests(pool: pool))
        let messages = MessagesRequests(pool: pool)
        let spoken = ResponseStore()
        let metrics = MetricsPage(pool: pool, requests: requests, more: moreFigures)
        let pulls = PullRequests(catalog: pool.catalog)
        let realtime = RealtimeRequests(pool: pool, access: access, requests: requests, limit: requestTimeout)
        self.realtime = realtime
        var routes: [String: [String: Handler]] = [
            "/v1/chat/completions": ["POST": { try await ChatCompletions(pool: pool, spoken: spoken).reply(to: $0) }],
            "/v1/completions": ["POST": { try await TextCompletions(pool: pool).reply(to: $0) }],
            "/v1/audio/transcriptions": ["POST": { try await Transcriptions(pool: pool).reply(to: $0) }],
            "/v1/audio/speech": ["POST": { try await Speech(pool: pool).reply(to: $0) }],
            RealtimeRequests.path: ["GET": { try realtime.refuse($0) }],
            "/v1/responses": ["POST": { try await responses.create($0) }],
            "/v1/responses/{id}": [
                "GET": { try responses.get($0.parameter) }, "DELETE": { try responses.delete($0.parameter) },
            ],
            // A name that is none of a response: OpenAI's server makes a conversation shorter there, which is not done here.
            "/v1/responses/compact": [:],
            "/v1/messages": ["POST": { try await messages.create($0) }],
            "/v1/messages/count_tokens": ["POST": { try await messages.count($0) }],
            "/v1/embeddings": ["POST": { try await embeddings.create($0) }],
            "/v1/rerank": ["POST": { try await RerankRequests(pool: pool).rerank($0) }],
            "/v1/models": ["GET": { _ in try await models.reply() }],
            "/v1/models/{model}": ["GET": { try await models.reply(name: $0.parameter) }],
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
        ]
        routes["/api/pull"] = [
            "POST": {
                try changes.check("fetch models with “leap pull”")
                return try await pulls.pull($0)
            }
        ]
        if hasPage {
            for (path, file) in WebPage.files { routes[path] = ["GET": { _ in file.reply }] }
        }
        let table = routes.filter { !$0.value.isEmpty }.mapValues { Set($0.keys) }.merging(["/openapi.json": ["GET"]]) {
            $1
        }
        let description = ServerReply.json(APIDescription.document(of: table))
        routes["/openapi.json"] = ["GET": { _ in description }]
        self.routes = routes
    }

    /// Every path with its methods.
    var table: [String: Set<String>] { routes.filter { !$0.value.isEmpty }.mapValues { Set($0.keys) } }

    /// The reply to a request; it never throws: what goes wrong is a reply of its own.
    ///
    /// Cancelling the task stops what is generated for it.
    package func reply(to request: ServerRequest) async -> ServerReply {
        let count = requests.begin()
        var request = request
        if request.deadline == nil { request.deadline = requestTimeout.map { Deadline(in: $0) } }
        let path = pattern(of: request.path)
        var reply: ServerReply
        do {
            if let preflight = try access.check(request) {
                reply = preflight
            } else {
                try Self.checkEncoding(request)
                reply = access.complete(try await route(request, path), for: request)
            }
        } catch {
            reply = access.complete(APIError(error).reply(at: request.path), for: request)
        }
        if request.method == "HEAD" { reply = reply.withoutBody }
        if let path { reply.route = path }
        count.answered(reply.route, status: reply.status)
        return reply.holding(count)
    }

    /// The connection of a request to go on as a WebSocket; nil where it gets a reply as any other request.
    package func realtimeConnection(_ request: ServerRequest) -> RealtimeConnection? {
        guard pattern(of: request.path) == RealtimeRequests.path else { return nil }
        return try? realtime.connection(request)
    }

    /// The route that answers a path.
    private func pattern(of path: String) -> String? {
        let plain = path.count > 2 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if routes[plain] != nil, !plain.hasSuffix("}") { return plain }
        return routes.keys.first { pattern in
            guard let brace = pattern.firstIndex(of: "{") else { return false }
            let prefix = pattern[..<brace]
            return plain.hasPrefix(prefix) && plain.utf8.count > prefix.utf8.count
        }
    }

    /// Refuses a body that is compressed, which would be taken for something that is no JSON.
    private static func checkEncoding(_ request: ServerRequest) throws(APIError) {
        guard let encoding = request.headers["content-encoding"]?.lowercased(), !["", "identity"].contains(encoding)
        else { return }
        throw APIError(
            status: 415, type: "invalid_request_error",
            message:
                "the body's Content-Encoding is '\(HeaderText.safe(encoding))', which is not read here: send it as it is",
            code: APIError.contentEncoding)
    }

    private func route(_ request: ServerRequest, _ pattern: String?) async throws -> ServerReply {
        guard let pattern, let methods = routes[pattern], !methods.isEmpty else {
            throw APIError.notFound("there is nothing at \(HeaderText.safe(request.path))")
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let handler = methods[method] else { return Self.otherMethod(request, methods.keys.sorted()) }
        var request = request
        if let brace = pattern.firstIndex(of: "{") {
            let name = request.path.dropFirst(pattern.distance(from: pattern.startIndex, to: brace))
            guard let parameter = RequestPath.decoded(name) else {
                throw APIError.notFound("there is nothing at \(HeaderText.safe(request.path))")
            }
            request.parameter = parameter
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
            : APIError(
                status: 405, type: "invalid_request_error",
                message: "\(HeaderText.safe(method)) is not answered here; use \(methods.joined(separator: " or "))"
            ).reply(at: request.path)
        reply.headers.append(("allow", allowed))
        return reply
    }
}
