extension RouteGroup {
    /// Anthropic's Messages API.
    static func messages(_ pool: ModelPool) -> RouteGroup {
        let messages = MessagesRequests(pool: pool)
        return RouteGroup([
            "/v1/messages": ["POST": { try await messages.create($0) }],
            "/v1/messages/count_tokens": ["POST": { try await messages.count($0) }],
        ])
    }
}
