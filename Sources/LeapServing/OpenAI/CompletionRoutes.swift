extension RouteGroup {
    /// OpenAI's chat completions and its completions of text.
    static func completions(_ pool: ModelPool) -> RouteGroup {
        let spoken = ResponseStore()
        let running = RunningReplies()
        return RouteGroup([
            "/v1/chat/completions": [
                "POST": { request in
                    let own = ResponseStore(spoken, of: request.holder)
                    let mine = RunningReplies(running, of: request.holder)
                    return try await ChatCompletions(pool: pool, spoken: own, running: mine).reply(to: request)
                }
            ],
            "/v1/chat/completions/control": [
                "POST": { try await RunningReplies(running, of: $0.holder).reply(to: $0) }
            ],
            "/v1/completions": ["POST": { try await TextCompletions(pool: pool).reply(to: $0) }],
        ])
    }
}
