extension RouteGroup {
    /// Embeddings and reranking.
    static func scoring(_ pool: ModelPool) -> RouteGroup {
        RouteGroup([
            "/v1/embeddings": ["POST": { try await EmbeddingRequests(pool: pool).create($0) }],
            "/v1/multi-vector": ["POST": { try await EmbeddingRequests(pool: pool).create($0, perToken: true) }],
            "/v1/rerank": ["POST": { try await RerankRequests(pool: pool).rerank($0) }],
        ])
    }
}
