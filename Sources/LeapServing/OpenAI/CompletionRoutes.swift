extension RouteGroup {
    /// OpenAI's chat completions and its completions of text.
    static func completions(_ pool: ModelPool) -> RouteGroup {
        let spoken = ResponseStore()
        return RouteGroup([
            "/v1/chat/completions": ["POST": { try await ChatCompletions(pool: pool, spoken: spoken).reply(to: $0) }],
            "/v1/completions": ["POST": { try await TextCompletions(pool: pool).reply(to: $0) }],
        ])
    }
}
