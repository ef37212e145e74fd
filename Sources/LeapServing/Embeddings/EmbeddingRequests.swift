import Foundation
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/embeddings`, Jina's `POST /v1/multi-vector` and Ollama's `POST /api/embed`.
struct EmbeddingRequests: Sendable {
    let pool: ModelPool

    /// OpenAI's request: `input`, `encoding_format`, `dimensions`; and what Jina's API adds: `embedding_type`, another
    /// name of the format, and `return_multivector`, for a vector of each token.
    ///
    /// - Parameter perToken: whether there is a vector of each token, whatever the request says.
    func create(_ request: ServerRequest, perToken: Bool = false) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let input = try EmbeddingInput(&fields)
        let dimensions = try Self.dimensions(&fields)
        let isBase64 = try fields.first(of: ["encoding_format", "embedding_type"], Self.isBase64) ?? false
        let isMultiVector = try fields.bool("return_multivector") ?? false || perToken
        let lease = try await request.lease(model, from: pool)
        var options = EmbeddingOptions(pooling: isMultiVector ? .perToken : nil)
        if isMultiVector, lease.runner.marksRoles {
            options.role = try Self.role(&fields)
        } else {
            // Without markers the field has no effect, which the reply says; it is text all the same.
            var unread = fields
            _ = try unread.string("input_type")
        }
        let embeddings = try await input.vectors(lease, options: options, dimensions: dimensions)
        Self.note(embeddings, of: request)
        let reply = try await LongWork.run(on: Self.byteCount(embeddings)) {
            let written = isBase64 ? Self.base64 : Self.numbers
            let data = embeddings.enumerated().map { index, embedding in
                var item: JSONObject = ["object": "embedding", "index": .integer(Int64(index))]
                if isMultiVector {
                    item["embeddings"] = .array(embedding.vectors.map(written))
                } else {
                    item["embedding"] = written(embedding.vector)
                }
                return JSONValue.object(item)
            }
            let count = JSONValue.integer(Self.tokenCount(embeddings))
            return ServerReply.json(
                .object([
                    "object": "list", "data": .array(data), "model": .string(lease.model.id),
                    "usage": .object([OpenAI.Key.promptTokens: count, OpenAI.Key.totalTokens: count]),
                ]))
        }
        return reply.warning(of: fields.ignored)
    }

    /// Ollama's request: `input`, `truncate`, `dimensions`.
    func embed(_ request: ServerRequest) async throws -> ServerReply {
        let start = ContinuousClock.now
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let input = try EmbeddingInput(&fields)
        let dimensions = try Self.dimensions(&fields)
        let keepAlive = try KeepAlive.read(&fields)
        // Ollama cuts long texts unless a request says otherwise.
        let options = EmbeddingOptions(truncate: try fields.bool("truncate") ?? true)
        let lease = try await request.lease(model, from: pool, keepAlive: keepAlive)
        let loaded = ContinuousClock.now
        let embeddings = try await input.vectors(lease, options: options, dimensions: dimensions)
        Self.note(embeddings, of: request)
        let reply = try await LongWork.run(on: Self.byteCount(embeddings)) {
            ServerReply.json(
                .object([
                    "model": .string(lease.model.id),
                    "embeddings": .array(embeddings.map { Self.numbers($0.vector) }),
                    "total_duration": .integer(Int64((ContinuousClock.now - start) / .nanoseconds(1))),
                    "load_duration": .integer(Int64((loaded - start) / .nanoseconds(1))),
                    "prompt_eval_count": .integer(Self.tokenCount(embeddings)),
                ]))
        }
        return reply.warning(of: fields.ignored)
    }

    /// Ollama's older request: `prompt`, whose vector is the answer.
    func embedOne(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let prompt = try fields.string("prompt") ?? ""
        let keepAlive = try KeepAlive.read(&fields)
        // A client that asks for no text wants the model to be loaded.
        let lease = try await request.lease(model, from: pool, keepAlive: keepAlive)
        guard !prompt.isEmpty else {
            return .json(.object(["embedding": .array([])])).warning(of: fields.ignored)
        }
        let input = EmbeddingInput(texts: [prompt])
        let embeddings = try await input.vectors(lease, options: EmbeddingOptions(truncate: true), dimensions: nil)
        Self.note(embeddings, of: request)
        let vector = embeddings.first.map { Self.numbers($0.vector) } ?? .array([])
        return .json(.object(["embedding": vector])).warning(of: fields.ignored)
    }

    /// Reads the number of dimensions of the vectors; nil, which 0 and -1 stand for too, is the model's own number.
    private static func dimensions(_ fields: inout RequestFields) throws(APIError) -> Int? {
        try fields.integer("dimensions", in: -1...Int(Int32.max)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Reads `input_type`, as Jina's API has it; nil where it is missing.
    private static func role(_ fields: inout RequestFields) throws(APIError) -> EmbeddingOptions.Role? {
        guard let given = try fields.string("input_type") else { return nil }
        guard let role = EmbeddingOptions.Role(rawValue: given) else {
            throw .invalid(
                "'input_type' is '\(HeaderText.safe(given))'; expected \(EmbeddingOptions.Role.allCases.map(\.rawValue).joined(separator: " or "))",
                "input_type")
        }
        return role
    }

    /// Reads a field that names the format of vectors; nil where it is missing or empty.
    private static func isBase64(_ fields: inout RequestFields, _ name: String) throws(APIError) -> Bool? {
        switch try fields.string(name) {
        case nil, ""?: return nil
        case "float"?: return false
        case "base64"?: return true
        case let other?:
            throw APIError.invalid("'\(name)' is '\(HeaderText.safe(other))'; expected 'float' or 'base64'", name)
        }
    }

    private static func byteCount(_ embeddings: [TextEmbedding]) -> Int {
        embeddings.reduce(0) { $0 + 4 * $1.vector.count * $1.vectors.count }
    }

    private static func tokenCount(_ embeddings: [TextEmbedding]) -> Int64 {
        embeddings.reduce(0) { $0 + Int64($1.tokenCount) }
    }

    private static func note(_ embeddings: [TextEmbedding], of request: ServerRequest) {
        request.record?.read(tokens: tokenCount(embeddings), dimensions: embeddings.first?.vector.count)
    }

    private static func numbers(_ vector: [Float]) -> JSONValue { .array(vector.map { .double(Double($0)) }) }

    /// The numbers' bytes, least significant first, as OpenAI's clients ask for them.
    private static func base64(_ vector: [Float]) -> JSONValue {
        var data = Data(capacity: 4 * vector.count)
        for number in vector {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        return .string(data.base64EncodedString())
    }
}
