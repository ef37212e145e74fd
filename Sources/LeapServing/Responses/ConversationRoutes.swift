extension RouteGroup {
    /// OpenAI's conversations; of those of another key's holder a request sees nothing.
    ///
    /// A reply that reports a change is sent when the change is on the disk.
    static func conversations(_ store: StateStore) -> RouteGroup {
        @Sendable func own(_ request: ServerRequest) -> ConversationRequests {
            ConversationRequests(store: OwnState(store, of: request.holder))
        }
        return RouteGroup([
            "/v1/conversations": ["POST": { await store.stored(try await own($0).create($0)) }],
            "/v1/conversations/{id}": [
                "GET": { try own($0).get($0.parameter) },
                "POST": { await store.stored(try await own($0).update($0)) },
                "DELETE": { await store.stored(try own($0).delete($0.parameter)) },
            ],
            "/v1/conversations/{id}/items": [
                "GET": { try own($0).list($0) },
                "POST": { await store.stored(try await own($0).add($0)) },
            ],
            "/v1/conversations/{id}/items/{item}": [
                "GET": { try own($0).item($0) },
                "DELETE": { await store.stored(try own($0).deleteItem($0)) },
            ],
        ])
    }
}
