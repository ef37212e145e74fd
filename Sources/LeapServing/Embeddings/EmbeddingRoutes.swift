extension RouteGroup {
    /// OpenAI's embeddings.
    static func embeddings(_ pool: ModelPool) -> RouteGroup {
        RouteGroup(["/v1/embeddings": ["POST": { try await EmbeddingRequests(pool: pool).create($0) }]])
    }
}
