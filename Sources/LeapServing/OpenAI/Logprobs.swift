import LeapCore
import LeapJSON

/// Log probabilities in the shape of chat completions.
enum Logprobs {
    /// Those of tokens, with their texts and the most likely others.
    static func document(_ tokens: [TokenLogprob]) -> JSONValue {
        let content = tokens.map { token -> JSONValue in
            let alternatives = token.alternatives.map {
                JSONValue.object(entry($0.token, $0.logprob, $0.bytes))
            }
            var entry = entry(token.token, token.logprob, token.bytes)
            entry["top_logprobs"] = .array(alternatives)
            return .object(entry)
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
