import LeapCore
import LeapJSON

extension ReplyParts {
    /// The log probabilities of the reply's tokens in the shape of chat completions; null where they were not asked for.
    ///
    /// They come with the end of a reply: until then it is not settled which tokens belong to it.
    var logprobs: JSONValue {
        guard let tokens = completion?.logprobs else { return .null }
        let content = tokens.map { token -> JSONValue in
            let alternatives = token.alternatives.map {
                JSONValue.object(Self.entry($0.token, $0.logprob, $0.bytes))
            }
            var entry = Self.entry(token.token, token.logprob, token.bytes)
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
