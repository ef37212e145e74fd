import LeapBase
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/systemone` of TypeSafe, llama-server and Ollama, and `POST /v1/decisions` of OpenAI.
struct DecisionRequests: Sendable {
    let pool: ModelPool

    /// The path of TypeSafe's protocol.
    static let systemOnePath = ErrorShape.systemOnePath

    /// Answers questions by their names.
    func systemOne(_ request: ServerRequest) async throws -> ServerReply {
        do {
            return try await answers(request)
        } catch {
            throw SystemOneError.error(error, request.headers)
        }
    }

    private func answers(_ request: ServerRequest) async throws -> ServerReply {
        let (body, contentType) = (request.body, request.headers["content-type"])
        let order = try await LongWork.run(on: body.byteCount) {
            try SystemOneRequest(body, contentType: contentType).order
        }
        let (decisions, model) = try await order.answer(request, pool)
        var document: JSONObject = [
            "model": .string(model), "answers": decisions.systemOneAnswers,
            "usage": decisions.systemOneUsage,
        ]
        document["reading"] = decisions.reading.map { .string($0) }
        return ServerReply.json(.object(document)).noting(decisions, ignored: order.ignored)
    }

    /// Answers a list of questions in its order.
    func decisions(_ request: ServerRequest) async throws -> ServerReply {
        let body = request.body
        let asked = try await LongWork.run(on: body.byteCount) { try DecisionsRequest(body) }
        let (decisions, model) = try await asked.order.answer(request, pool)
        return ServerReply.json(
            .object([
                "answers": .array(zip(asked.questions, decisions).map { $0.answer($1) }),
                "model": .string(model), "usage": decisions.openAIUsage,
            ])
        ).noting(decisions, ignored: asked.order.ignored)
    }
}

extension Decisions {
    /// The tokens of the request, as OpenAI's `/v1/decisions` has them.
    fileprivate var openAIUsage: JSONValue {
        .object([
            "input_tokens": .integer(Int64(inputTokenCount)),
            "input_tokens_details": .object([
                OpenAI.Key.cachedTokens: .integer(Int64(cachedTokenCount)), "cache_write_tokens": .integer(0),
            ]),
            "output_tokens": .integer(0), "output_tokens_details": .object(["reasoning_tokens": .integer(0)]),
            OpenAI.Key.totalTokens: .integer(Int64(inputTokenCount)),
        ])
    }
}

extension RouteGroup {
    /// Typed questions with a probability for every option.
    static func decisions(_ pool: ModelPool) -> RouteGroup {
        let requests = DecisionRequests(pool: pool)
        return RouteGroup([
            DecisionRequests.systemOnePath: ["POST": { try await requests.systemOne($0) }],
            "/v1/decisions": ["POST": { try await requests.decisions($0) }],
        ])
    }
}
