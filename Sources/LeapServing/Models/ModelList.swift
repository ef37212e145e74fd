import Foundation
import LeapCore
import LeapJSON

/// `GET /v1/models` and `GET /v1/models/NAME`.
struct ModelList: Sendable {
    let pool: ModelPool
    private let modalities = ServedModalities()

    init(pool: ModelPool) { self.pool = pool }

    /// `GET /v1/models`: for Anthropic's clients a page of them, where they ask for one.
    func list(_ request: ServerRequest) async throws -> ServerReply {
        let isAnthropic = Self.isAnthropic(request)
        let page = isAnthropic ? try ModelPage(request.query) : ModelPage()
        let (models, hasMore) = try page.part(of: request.catalog(of: pool).all())
        var document: JSONObject = ["object": "list", "data": .array(try await entries(models, isAnthropic))]
        if isAnthropic {
            document["has_more"] = .bool(hasMore)
            document["first_id"] = models.first.map { .string($0.id) } ?? .null
            document["last_id"] = models.last.map { .string($0.id) } ?? .null
        }
        // TypeSafe's clients, who name themselves, have a list of their own at this path.
        if request.headers[SystemOneError.clientHeader] != nil {
            document["models"] = .array(
                models.map { model in
                    .object([
                        "name": .string(model.id), "description": .string("A model on this machine"),
                        "release_date": .string(
                            Date(timeIntervalSince1970: Double(model.created)).formatted(
                                .iso8601.year().month().day())),
                    ])
                })
        }
        return .json(.object(document))
    }

    /// `GET /v1/models/NAME`.
    func one(_ request: ServerRequest) async throws -> ServerReply {
        let model = try request.catalog(of: pool).find(request.parameter)
        return .json(try await entries([model], Self.isAnthropic(request))[0])
    }

    /// Returns true if a client of Anthropic's protocol asks, which has the same path.
    private static func isAnthropic(_ request: ServerRequest) -> Bool { request.headers["anthropic-version"] != nil }

    private func entries(_ models: [ServedModel], _ isAnthropic: Bool) async throws -> [JSONValue] {
        let state = await pool.state
        let runners = Dictionary(zip(state.loaded, state.runners)) { first, _ in first }
        // Headers that are not known yet are read from files.
        return try await WorkQueue.prompts.run { models.map { entry($0, runners[$0.id], isAnthropic) } }
    }

    /// - Parameters:
    ///   - runner: the model in memory; nil where it is not there.
    ///   - isAnthropic: whether the entry has the members of Anthropic's protocol, too.
    private func entry(
        _ model: ServedModel, _ runner: LiquidInferenceEngineRunner?, _ isAnthropic: Bool
    ) -> JSONValue {
        var entry: JSONObject = [
            "id": .string(model.id), "object": "model", "created": .integer(Int64(model.created)),
            "owned_by": "open-leap", "loaded": .bool(runner != nil), "size": .integer(model.byteCount),
        ]
        if isAnthropic {
            entry["type"] = "model"
            entry["display_name"] = .string(model.id)
            entry["created_at"] = .string(Date(timeIntervalSince1970: Double(model.created)).formatted(.iso8601))
        }
        let loaded = runner.flatMap {
            try? ModelModalities($0.abilities().capabilities, readsVideo: $0.readableParts.videoProblem == nil)
        }
        if let found = loaded ?? modalities.modalities(of: model, pool.catalog.downloader) {
            entry["architecture"] = .object([
                "input_modalities": .array(found.input.map { .string($0.rawValue) }),
                "output_modalities": .array(found.output.map { .string($0.rawValue) }),
            ])
        }
        return .object(entry)
    }
}
