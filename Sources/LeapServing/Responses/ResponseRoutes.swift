extension RouteGroup {
    /// OpenAI's Responses API.
    ///
    /// A reply that reports a change is sent when the change is on the disk.
    static func responses(_ pool: ModelPool, _ store: StateStore) -> RouteGroup {
        let responses = ResponsesRequests(pool: pool, store: store)
        return RouteGroup([
            "/v1/responses": ["POST": { await store.stored(try await responses.create($0)) }],
            "/v1/responses/{id}": [
                "GET": { try responses.get($0) },
                "DELETE": { await store.stored(try responses.delete($0.parameter)) },
            ],
            "/v1/responses/{id}/input_items": ["GET": { try responses.inputItems($0) }],
            "/v1/responses/{id}/cancel": ["POST": { await store.stored(try responses.cancel($0.parameter)) }],
            "/v1/responses/input_tokens": ["POST": { try await responses.count($0) }],
            // Not the name of a response: OpenAI's server shortens a conversation there, which this one does not do.
            "/v1/responses/compact": [:],
        ])
    }
}
