import LeapJSON

extension RouteGroup {
    /// Ollama's API.
    ///
    /// - Parameter allowsPulls: whether requests may have models fetched.
    static func ollama(_ pool: ModelPool, allowsPulls: Bool) -> RouteGroup {
        let (requests, models) = (OllamaRequests(pool: pool), OllamaModels(pool: pool))
        let embeddings = EmbeddingRequests(pool: pool)
        let changes = ModelChanges(pool: pool, isAllowed: allowsPulls)
        let pulls = PullRequests(catalog: pool.catalog)
        return RouteGroup([
            "/api/chat": ["POST": { try await requests.chat($0) }],
            "/api/generate": ["POST": { try await requests.generate($0) }],
            "/api/embed": ["POST": { try await embeddings.embed($0) }],
            "/api/embeddings": ["POST": { try await embeddings.embedOne($0) }],
            "/api/tags": ["GET": { try await models.tags($0) }],
            "/api/ps": ["GET": { try await models.running($0) }],
            "/api/show": ["POST": { try await models.show($0) }],
            "/api/version": ["GET": { _ in .json(.object(["version": .string(OllamaModels.version)])) }],
            "/api/copy": ["POST": { try await changes.copy($0) }],
            "/api/delete": ["DELETE": { try await changes.delete($0) }],
            "/api/pull": [
                "POST": {
                    try changes.check($0, "fetch models with “leap pull”")
                    return try await pulls.pull($0)
                }
            ],
        ])
    }
}
