import LeapCore
import LeapJSON
import LeapTokenizer

/// `POST /tokenize` and `POST /detokenize`, as llama.cpp's server has them.
struct TokenRequests: Sendable {
    let pool: ModelPool

    /// The tokens of a text: `content`, `add_special`, `parse_special`, `with_pieces`.
    func tokenize(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        guard let text = try fields.string("content") ?? fields.string("text") else {
            throw APIError.invalid("'content' is missing; expected a string", "content")
        }
        _ = fields.value("text")
        let addSpecial = try fields.bool("add_special") ?? false
        let parseSpecial = try fields.bool("parse_special") ?? true
        let withPieces = try fields.bool("with_pieces") ?? false
        let tokenizer = try await request.lease(fields.string("model"), from: pool).runner.tokenizer()
        let reply = try await LongWork.run(on: text.utf8.count) {
            let tokens = tokenizer.encode(text, addSpecial: addSpecial, parseSpecial: parseSpecial)
            let list = tokens.map { token -> JSONValue in
                let id = JSONValue.integer(Int64(token))
                guard withPieces else { return id }
                return .object(["id": id, "piece": .string(tokenizer.decode([token]))])
            }
            return ServerReply.json(.object(["tokens": .array(list)]))
        }
        return reply.warning(of: fields.ignored)
    }

    /// The text of tokens: `tokens`.
    func detokenize(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        guard let values = try fields.array("tokens") else {
            throw APIError.invalid("'tokens' is missing; expected an array of token ids", "tokens")
        }
        let tokenizer = try await request.lease(fields.string("model"), from: pool).runner.tokenizer()
        let reply = try await LongWork.run(on: request.body.byteCount) {
            let tokens = try values.enumerated().map { index, value in
                guard let id = value.integer, (0..<tokenizer.vocabularySize).contains(id) else {
                    throw APIError.invalid(
                        "'tokens[\(index)]' is no token; expected 0 to \(tokenizer.vocabularySize - 1)",
                        "tokens[\(index)]")
                }
                return TokenID(id)
            }
            return ServerReply.json(.object(["content": .string(tokenizer.decode(tokens))]))
        }
        return reply.warning(of: fields.ignored)
    }
}
