extension RouteGroup {
    /// The order of documents by a query.
    static func reranking(_ pool: ModelPool) -> RouteGroup {
        RouteGroup(["/v1/rerank": ["POST": { try await RerankRequests(pool: pool).rerank($0) }]])
    }
}
