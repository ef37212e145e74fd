extension RouteGroup {
    /// OpenAI's chat completions, its completions of text, and the check of what a message is to have attached.
    static func completions(_ pool: ModelPool) -> RouteGroup {
        let spoken = ResponseStore()
        return RouteGroup([
            "/v1/chat/completions": ["POST": { try await ChatCompletions(pool: pool, spoken: spoken).reply(to: $0) }],
            "/v1/completions": ["POST": { try await TextCompletions(pool: pool).reply(to: $0) }],
            AttachmentRequests.path: ["POST": { try await AttachmentRequests(pool: pool).check($0) }],
        ])
    }
}
