import LeapCore
import LeapJSON

/// Log probabilities in the shape of chat completions.
enum Logprobs {
    /// Those of tokens, with their texts and the most likely others.
    static func document(_ tokens: [TokenLogprob]) -> JSONValue {
        let content = tokens.map { (token: TokenLogprob) -> JSONValue in
            var document = Self.entry(token.token, token.logprob, token.bytes)
            document["top_logprobs"] = .array(
                token.alternatives.map { .object(Self.entry($0.token, $0.logprob, $0.bytes)) })
            return .object(document)
        }
        return .object(["content": .array(content), "refusal": .null])
    }

    private static func entry(_ token: String, _ logprob: Float, _ bytes: [UInt8]) -> JSONObject {
        [
            "token": .string(token),
            // JSON has no infinities; OpenAI writes this number for what cannot be.
            "logprob": .double(Double(max(logprob, -9999))),
            "bytes": bytes.isEmpty ? .null : .array(bytes.map { .integer(Int64($0)) }),
        ]
    }
}

extension ReplyParts {
    /// The log probabilities of the whole reply's tokens; null where they were not asked for.
    var logprobs: JSONValue { completion?.logprobs.map(Logprobs.document) ?? .null }
}
