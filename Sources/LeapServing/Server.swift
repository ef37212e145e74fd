import LeapCore
import LeapJSON

/// Answers HTTP requests, whatever carries them.
package struct Server: Sendable {
    private typealias Handler = @Sendable (ServerRequest) async throws -> ServerReply

    private let access: AccessRules
    private let requests = RequestCounter()
    /// By path, then by method.
    private let routes: [String: [String: Handler]]
    private let models: ModelList
    private let responses: ResponsesRequests

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - hasPage: whether `/` answers with the page for browsers.
    ///   - allowsPulls: whether requests may have models fetched.
    package init(pool: ModelPool, access: AccessRules, hasPage: Bool = true, allowsPulls: Bool = true) {
        self.access = access
        models = ModelList(pool: pool)
        responses = ResponsesRequests(pool: pool)
        let responses = responses
        let (models, tokens, ollama) = (models, TokenRequests(pool: pool), OllamaRequests(pool: pool))
        let embeddings = EmbeddingRequests(pool: pool)
        let metrics = MetricsPage(pool: pool, requests: requests)
        let pulls = PullRequests(catalog: pool.catalog)
        var routes: [String: [String: Handler]] = [
            "/v1/chat/completions": ["POST": { try await ChatCompletions(pool: pool).reply(to: $0) }],
            "/v1/completions": ["POST": { try await TextCompletions(pool: pool).reply(to: $0) }],
            "/v1/responses": ["POST": { try await responses.create($0) }],
            "/v1/embeddings": ["POST": { try await embeddings.create($0) }],
            "/v1/models": ["GET": { _ in await models.reply() }],
            "/tokenize": ["POST": { try await tokens.tokenize($0) }],
            "/detokenize": ["POST": { try await tokens.detokenize($0) }],
            "/health": ["GET": { _ in .json(.object(["status": "ok"])) }],
            "/metrics": ["GET": { _ in await metrics.reply() }],
            "/api/chat": ["POST": { try await ollama.chat($0) }],
            "/api/generate": ["POST": { try await ollama.generate($0) }],
            "/api/embed": ["POST": { try await embeddings.embed($0) }],
            "/api/tags": ["GET": { _ in ollama.tags() }],
            "/api/show": ["POST": { try await ollama.show($0) }],
            "/api/version": ["GET": { _ in .json(.object(["version": "0.1.0"])) }],
        ]
        routes["/api/pull"] = [
            "POST": {
                guard allowsPulls else {
                    throw APIError(
                        status: 403, type: "permission_error",
                        message: "this server was started with --no-pull: fetch models with “leap pull”")
                }
                return try await pulls.pull($0)
            }
        ]
        if hasPage {
            for (path, file) in WebPage.files { routes[path] = ["GET": { _ in file.reply }] }
        }
        self.routes = routes
    }

    /// The reply to a request; it never throws: what goes wrong is a reply of its own.
    ///
    /// Cancelling the task stops what is generated for it.
    package func reply(to request: ServerRequest) async -> ServerReply {
        requests.begin()
        let path =
            request.path.count > 1 && request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
        let reply: ServerReply
        do {
            if let preflight = try access.check(request) {
                reply = preflight
            } else {
                reply = access.complete(try await route(request, path), for: request)
            }
        } catch {
            reply = access.complete(APIError(error).reply, for: request)
        }
        requests.end(routes[path] == nil ? "other" : path, status: reply.status)
        return reply
    }

    private func route(_ request: ServerRequest, _ path: String) async throws -> ServerReply {
        if let methods = routes[path] {
            let method = request.method == "HEAD" ? "GET" : request.method
            guard let handler = methods[method] else {
                throw APIError(
                    status: 405, type: "invalid_request_error",
                    message:
                        "\(HeaderText.safe(request.method)) is not answered here; use \(methods.keys.sorted().joined(separator: " or "))"
                )
            }
            return try await handler(request)
        }
        if request.method == "GET", path.hasPrefix("/v1/models/") {
            return try await models.reply(name: String(path.dropFirst("/v1/models/".count)))
        }
        if path.hasPrefix("/v1/responses/") {
            let id = String(path.dropFirst("/v1/responses/".count))
            switch request.method {
            case "GET": return try responses.get(id)
            case "DELETE": return try responses.delete(id)
            default: break
            }
        }
        throw APIError.notFound("there is nothing at \(HeaderText.safe(path))")
    }
}
