import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// Log probabilities in the shape of text completions: four lists, an entry for each token.
struct TextLogprobs: Sendable {
    private var tokens: [JSONValue] = []
    private var logprobs: [JSONValue] = []
    private var alternatives: [JSONValue] = []
    private var offsets: [JSONValue] = []
    /// The characters in front of the next token.
    private var offset: Int64 = 0

    /// Makes empty lists for tokens behind a text.
    init(after text: String = "") { offset = Int64(text.unicodeScalars.count) }

    /// The tokens of a prompt; the first has nothing in front of it and no probability.
    init(_ score: PromptScore) {
        for token in score.tokens {
            if let likelihood = token.likelihood { append(likelihood) } else { append(unlikely: token) }
        }
    }

    /// Adds the tokens of a reply, and the one that ended it: harnesses count on a token for each that they asked for.
    mutating func append(_ completion: MessageCompletion?) {
        append(completion?.logprobs ?? [])
        if let end = completion?.endLogprob { append(end) }
    }

    mutating func append(_ tokens: [TokenLogprob]) {
        for token in tokens { append(token) }
    }

    /// Lists for the tokens behind these.
    var next: TextLogprobs {
        var next = TextLogprobs()
        next.offset = offset
        return next
    }

    private mutating func append(_ token: TokenLogprob) {
        tokens.append(.string(token.token))
        logprobs.append(Self.number(token.logprob))
        var most = JSONObject()
        for other in token.alternatives { most[other.token] = Self.number(other.logprob) }
        // The token itself is among them, as with OpenAI.
        if !token.alternatives.isEmpty, most[token.token] == nil { most[token.token] = Self.number(token.logprob) }
        alternatives.append(.object(most))
        move(by: token.bytes)
    }

    private mutating func append(unlikely token: PromptScore.Token) {
        tokens.append(.string(token.text))
        logprobs.append(.null)
        alternatives.append(.null)
        move(by: token.bytes)
    }

    /// A token may hold a part of a character; it begins where that does.
    private mutating func move(by bytes: [UInt8]) {
        offsets.append(.integer(offset))
        offset += Int64(bytes.count { $0 & 0xC0 != 0x80 })
    }

    /// JSON has no infinities; OpenAI writes this number for what cannot be.
    private static func number(_ logprob: Float) -> JSONValue { .double(Double(max(logprob, -9999))) }

    var json: JSONValue {
        .object([
            "tokens": .array(tokens), "token_logprobs": .array(logprobs), OpenAI.Key.topLogprobs: .array(alternatives),
            "text_offset": .array(offsets),
        ])
    }
}
