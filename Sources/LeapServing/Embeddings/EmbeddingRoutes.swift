extension RouteGroup {
    /// OpenAI's embeddings, and Jina's of each token.
    static func embeddings(_ pool: ModelPool) -> RouteGroup {
        RouteGroup([
            "/v1/embeddings": ["POST": { try await EmbeddingRequests(pool: pool).create($0) }],
            "/v1/multi-vector": ["POST": { try await EmbeddingRequests(pool: pool).create($0, perToken: true) }],
        ])
    }
}
