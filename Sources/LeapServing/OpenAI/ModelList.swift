import LeapCore
import LeapJSON

/// `GET /v1/models` and `GET /v1/models/NAME`.
struct ModelList: Sendable {
    let pool: ModelPool
    private let modalities = ServedModalities()

    init(pool: ModelPool) { self.pool = pool }

    func reply() async throws -> ServerReply {
        let models = try await entries(pool.catalog.all())
        return .json(.object(["object": "list", "data": .array(models)]))
    }

    func reply(name: String) async throws -> ServerReply {
        let model = try pool.catalog.find(name)
        return .json(try await entries([model])[0])
    }

    private func entries(_ models: [ServedModel]) async throws -> [JSONValue] {
        let state = await pool.state
        let runners = Dictionary(zip(state.loaded, state.runners)) { first, _ in first }
        // Headers that are not known yet are read from files.
        return try await WorkQueue.prompts.run { models.map { entry($0, runners[$0.id]) } }
    }

    /// - Parameter runner: the model in memory; nil where it is not there.
    private func entry(_ model: ServedModel, _ runner: LiquidInferenceEngineRunner?) -> JSONValue {
        var entry: JSONObject = [
            "id": .string(model.id), "object": "model", "created": .integer(Int64(model.created)),
            "owned_by": "open-leap", "loaded": .bool(runner != nil), "size": .integer(model.byteCount),
        ]
        let loaded = runner.flatMap { try? ModelModalities($0.abilities().capabilities) }
        if let found = loaded ?? modalities.modalities(of: model, pool.catalog.downloader) {
            entry["architecture"] = .object([
                "input_modalities": .array(found.input.map { .string($0.rawValue) }),
                "output_modalities": .array(found.output.map { .string($0.rawValue) }),
            ])
        }
        return .object(entry)
    }
}
