extension RouteGroup {
    /// OpenAI's conversations.
    ///
    /// A reply that reports a change is sent when the change is on the disk.
    static func conversations(_ store: StateStore) -> RouteGroup {
        let conversations = ConversationRequests(store: store)
        return RouteGroup([
            "/v1/conversations": ["POST": { await store.stored(try await conversations.create($0)) }],
            "/v1/conversations/{id}": [
                "GET": { try conversations.get($0.parameter) },
                "POST": { await store.stored(try await conversations.update($0)) },
                "DELETE": { await store.stored(try conversations.delete($0.parameter)) },
            ],
            "/v1/conversations/{id}/items": [
                "GET": { try conversations.list($0) },
                "POST": { await store.stored(try await conversations.add($0)) },
            ],
            "/v1/conversations/{id}/items/{item}": [
                "GET": { try conversations.item($0) },
                "DELETE": { await store.stored(try conversations.deleteItem($0)) },
            ],
        ])
    }
}
