import Foundation
import LeapCore
import LeapJSON
import LeapTransfers

/// The answers to Ollama's requests about models: which there are, which are in memory, and what each is.
struct OllamaModels: Sendable {
    /// The version of Ollama whose protocol is spoken: clients refuse older ones than they know.
    ///
    /// Since 0.6.4 `/api/show` tells what a model can do, which Copilot's chat asks for; since 0.9 requests have `think`,
    /// since 0.11 with a level. Since 0.13.4 there is `/v1/responses`, without which Codex ends at once, since 0.14
    /// `/v1/messages`, and since 0.35 `/v1/systemone`. All of these are here.
    static let version = "0.35.0"

    /// Seconds that stand for ever, as there is no date for that.
    private static let century = 3_155_760_000.0

    let pool: ModelPool
    private let descriptions = ModelDescriptions()

    init(pool: ModelPool) { self.pool = pool }

    /// `GET /api/tags`: the models there are.
    func tags(_ request: ServerRequest) async throws -> ServerReply {
        let models = request.catalog(of: pool).all()
        let entries = try await WorkQueue.prompts.run { models.map { JSONValue.object(entry($0)) } }
        return .json(.object(["models": .array(entries)]))
    }

    /// `GET /api/ps`: the models in memory.
    func running(_ request: ServerRequest) async throws -> ServerReply {
        let residents = await pool.residents.filter { request.holder?.allows(model: $0.model.id) ?? true }
        let entries = try await WorkQueue.prompts.run {
            residents.map { resident in
                var entry = self.entry(resident.model)
                entry["modified_at"] = nil
                let seconds = resident.remaining.map { $0 / .seconds(1) } ?? .infinity
                entry["expires_at"] = .string(OllamaLines.time(Date(timeIntervalSinceNow: min(seconds, Self.century))))
                entry["size_vram"] = .integer(0)
                entry["context_length"] = .integer(Int64(resident.runner.contextSize))
                return JSONValue.object(entry)
            }
        }
        return .json(.object(["models": .array(entries)]))
    }

    /// `POST /api/show`: one model, which is loaded for it.
    func show(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let name = try fields.modelName()
        let lease = try await request.lease(name, from: pool)
        let abilities = try lease.runner.abilities()
        let (model, contextSize) = (lease.model, lease.runner.contextSize)
        let (details, info) = try await WorkQueue.prompts.run {
            let description = descriptions[model]
            return (Self.details(model, description), Self.info(model, description, contextSize: contextSize))
        }
        return .json(
            .object([
                "modified_at": .string(Self.modified(model)), "details": details, "model_info": .object(info),
                "parameters": .string(Self.parameters(abilities)),
                "capabilities": .array(abilities.capabilities.map { .string($0.rawValue) }),
            ])
        ).warning(of: fields.ignored)
    }

    // MARK: Parts

    private func entry(_ model: ServedModel) -> JSONObject {
        let description = descriptions[model]
        return [
            "name": .string(model.id), "model": .string(model.id), "modified_at": .string(Self.modified(model)),
            "size": .integer(model.byteCount),
            // Clients take models with one digest for one model.
            "digest": .string(description?.digest ?? ModelDescription.digest(standingFor: model.id)),
            "details": Self.details(model, description),
        ]
    }

    private static func modified(_ model: ServedModel) -> String {
        OllamaLines.time(Date(timeIntervalSince1970: Double(model.created)))
    }

    private static func details(_ model: ServedModel, _ description: ModelDescription?) -> JSONValue {
        let name = model.id.split(separator: ":").first.map(String.init) ?? model.id
        let family = description?.architecture ?? name
        return .object([
            "parent_model": "", "format": "gguf", "family": .string(family), "families": .array([.string(family)]),
            "parameter_size": .string(description?.parameterSize ?? ""),
            "quantization_level": .string(description?.quantization ?? "unknown"),
        ])
    }

    /// The metadata of the file; the length of the context is that which is served.
    private static func info(
        _ model: ServedModel, _ description: ModelDescription?, contextSize: Int
    ) -> JSONObject {
        var info = description?.metadata ?? [:]
        let architecture = description?.architecture ?? "unknown"
        info["general.architecture"] = .string(architecture)
        info["general.basename"] = info["general.basename"] ?? .string(model.id)
        info["general.parameter_count"] = .integer(Int64(description?.parameterCount ?? 0))
        info["general.context_length"] = .integer(Int64(contextSize))
        info["\(architecture).context_length"] = .integer(Int64(contextSize))
        return info
    }

    /// Returns the default sampling values, a line for each of Ollama's names.
    private static func parameters(_ abilities: ModelAbilities) -> String {
        let names = ["repetition_penalty": "repeat_penalty", "repetition_window": "repeat_last_n"]
        return abilities.sampling.map { key, value in
            let name = names[key] ?? key
            // Most values were written as `Float`.
            let text = Int(exactly: value).map { "\($0)" } ?? "\(Float(value))"
            return name.padding(toLength: max(name.count + 1, 30), withPad: " ", startingAt: 0) + text
        }.joined(separator: "\n")
    }
}

extension RequestFields {
    /// The model of a request that names it as `model` or, in Ollama's older way, as `name`.
    mutating func modelName() throws(APIError) -> String? {
        try first(of: ["model", "name"]) { (fields, name) throws(APIError) in try fields.string(name) }
    }
}
