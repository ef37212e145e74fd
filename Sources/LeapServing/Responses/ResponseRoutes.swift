extension RouteGroup {
    /// OpenAI's Responses API; of responses of another key's holder a request sees nothing.
    ///
    /// A reply that reports a change is sent when the change is on the disk.
    static func responses(_ pool: ModelPool, _ store: StateStore) -> RouteGroup {
        let background = BackgroundResponses()
        @Sendable func own(_ request: ServerRequest) -> ResponsesRequests {
            ResponsesRequests(pool: pool, store: OwnState(store, of: request.holder), background: background)
        }
        return RouteGroup([
            "/v1/responses": ["POST": { await store.stored(try await own($0).create($0)) }],
            "/v1/responses/{id}": [
                "GET": { try own($0).get($0) },
                "DELETE": { await store.stored(try own($0).delete($0.parameter)) },
            ],
            "/v1/responses/{id}/input_items": ["GET": { try own($0).inputItems($0) }],
            "/v1/responses/{id}/cancel": ["POST": { await store.stored(try own($0).cancel($0.parameter)) }],
            "/v1/responses/input_tokens": ["POST": { try await own($0).count($0) }],
            // Not the name of a response: OpenAI's server shortens a conversation there, which this one does not do.
            "/v1/responses/compact": [:],
        ])
    }
}
