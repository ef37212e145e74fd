import LeapBase
import LeapCore
import LeapEngine
import LeapJSON
import LeapOpenAIFormat
import LeapTokenizer

/// `GET /props` and `GET /slots`, which clients of llama.cpp's server ask before they send requests.
struct ModelState: Sendable {
    let pool: ModelPool

    /// The names that llama.cpp's server has for sampling parameters, where they differ.
    private static let names = ["repetition_penalty": "repeat_penalty", "repetition_window": "repeat_last_n"]

    /// `GET /props`: one model, which is loaded for it.
    func properties(_ request: ServerRequest) async throws -> ServerReply {
        let lease = try await request.lease(request.query["model"], from: pool)
        let (runner, model) = (lease.runner, lease.model)
        let parts = runner.readableParts
        let tokenizer = try runner.tokenizer()
        var parameters: JSONObject = [:]
        for (key, value) in try runner.abilities().sampling {
            parameters[Self.names[key] ?? key] = Int64(exactly: value).map { .integer($0) } ?? .double(value)
        }
        let path = model.weightsPath
        return .json(
            .object([
                "default_generation_settings": .object([
                    "n_ctx": .integer(Int64(runner.contextSize)), "params": .object(parameters),
                ]),
                "total_slots": .integer(Int64(pool.maxActiveGenerations)), "model_alias": .string(model.id),
                // Without its folder, which is nobody's business.
                "model_path": .string(path.split(separator: "/").last.map(String.init) ?? path),
                "bos_token": .string(tokenizer.bosToken.map { tokenizer.text(of: $0) } ?? ""),
                "eos_token": .string(tokenizer.eosToken.map { tokenizer.text(of: $0) } ?? ""),
                "modalities": .object([
                    "vision": .bool(parts.imageProblem == nil), "audio": .bool(parts.audioProblem == nil),
                    "video": .bool(parts.videoProblem == nil),
                ]),
                "build_info": .string("open-leap-" + PackageVersion.text),
            ]))
    }

    /// `GET /slots`: how many replies a model writes at a time, and how many it does now; no model is loaded for it.
    func slots(_ request: ServerRequest) async throws -> ServerReply {
        let model = try request.catalog(of: pool).find(request.query["model"])
        let runner = await pool.residents.first { $0.model.id == model.id }?.runner
        let (count, active) = (pool.maxActiveGenerations, runner?.statistics.activeGenerations ?? 0)
        if let asked = request.query["fail_on_no_slot"], !["", "0", "false"].contains(asked), active >= count {
            throw APIError(
                status: 503, type: .unavailable, message: "all \(count) slots are in use", code: "no_slot",
                retryAfter: 1)
        }
        let slots = (0..<count).map { index in
            JSONValue.object([
                "id": .integer(Int64(index)), "n_ctx": .integer(Int64(runner?.contextSize ?? 0)),
                "is_processing": .bool(index < active),
            ])
        }
        return .json(.array(slots))
    }
}
