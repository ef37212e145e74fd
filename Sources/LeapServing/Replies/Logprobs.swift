import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// Log probabilities in the shape of chat completions.
enum Logprobs {
    /// Returns the log probabilities of tokens, with their texts and the most likely others.
    static func document(_ tokens: [TokenLogprob]) -> JSONValue {
        let content = tokens.map { (token: TokenLogprob) -> JSONValue in
            var document = Self.entry(token.token, token.logprob, token.bytes)
            document[OpenAI.Key.topLogprobs] = .array(
                token.alternatives.map { .object(Self.entry($0.token, $0.logprob, $0.bytes)) })
            return .object(document)
        }
        return .object([OpenAI.Key.content: .array(content), OpenAI.Key.refusal: .null])
    }

    private static func entry(_ token: String, _ logprob: Float, _ bytes: [UInt8]) -> JSONObject {
        [
            OpenAI.Key.token: .string(token),
            // JSON has no infinities; OpenAI writes this number for what cannot be.
            OpenAI.Key.logprob: .double(Double(max(logprob, -9999))),
            OpenAI.Key.bytes: bytes.isEmpty ? .null : .array(bytes.map { .integer(Int64($0)) }),
        ]
    }
}

extension ReplyParts {
    /// The log probabilities of the whole reply's tokens; null where they were not asked for.
    var logprobs: JSONValue { completion?.logprobs.map(Logprobs.document) ?? .null }
}
