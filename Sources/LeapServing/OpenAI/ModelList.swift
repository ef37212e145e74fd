import LeapJSON

/// `GET /v1/models` and `GET /v1/models/NAME`.
struct ModelList: Sendable {
    let pool: ModelPool

    func reply() async -> ServerReply {
        let loaded = await pool.state.loaded
        let models = pool.catalog.all().map { entry($0, isLoaded: loaded.contains($0.id)) }
        return .json(.object(["object": "list", "data": .array(models)]))
    }

    func reply(name: String) async throws -> ServerReply {
        let model = try pool.catalog.find(name)
        let loaded = await pool.state.loaded
        return .json(entry(model, isLoaded: loaded.contains(model.id)))
    }

    private func entry(_ model: ServedModel, isLoaded: Bool) -> JSONValue {
        .object([
            "id": .string(model.id), "object": "model", "created": .integer(Int64(model.created)),
            "owned_by": "open-leap", "loaded": .bool(isLoaded), "size": .integer(model.byteCount),
        ])
    }
}
