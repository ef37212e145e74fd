import LeapJSON

extension RouteGroup {
    /// The models and their state, tokens of texts, and the server's own.
    static func models(_ pool: ModelPool, _ metrics: MetricsPage) -> RouteGroup {
        let (models, state, tokens) = (ModelList(pool: pool), ModelState(pool: pool), TokenRequests(pool: pool))
        return RouteGroup([
            "/v1/models": ["GET": { try await models.list($0) }],
            "/v1/models/{model}": ["GET": { try await models.one($0) }],
            "/props": ["GET": { try await state.properties($0) }],
            "/slots": ["GET": { try await state.slots($0) }],
            "/tokenize": ["POST": { try await tokens.tokenize($0) }],
            "/detokenize": ["POST": { try await tokens.detokenize($0) }],
            "/health": ["GET": { _ in .json(.object(["status": "ok"])) }],
            "/metrics": ["GET": { try await metrics.reply(to: $0) }],
        ])
    }
}
