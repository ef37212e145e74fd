import LeapModel
import LeapTokenizer

/// The format of turns that are made of messages on channels: reasoning, text and calls, each behind a header.
///
/// `<|start|>assistant<|channel|>final<|message|>…<|end|>`. The channel `analysis` is reasoning, `commentary` with a
/// recipient a call, anything else text. `<|return|>` and `<|call|>` end a turn, `<|end|>` only a message.
/// Source: OpenAI's "harmony response format", and the package openai-harmony.
package struct ChannelFormat: Sendable {
    /// The marks that the format needs, as tokens.
    enum Mark: String, CaseIterable, Sendable {
        case start = "<|start|>"
        case channel = "<|channel|>"
        case message = "<|message|>"
        case end = "<|end|>"
    }

    /// Further marks, which not every vocabulary has as tokens.
    static let constrain = "<|constrain|>"
    static let call = "<|call|>"
    static let turnEnd = "<|return|>"

    /// The role of replies, as headers name it.
    static let role = "assistant"

    /// The namespace that a prompt declares functions in.
    static let functionNamespace = "functions."

    private let tokens: [Mark: TokenID]

    /// The format, where a chat template writes its marks and the vocabulary has them; nil elsewhere.
    ///
    /// - Parameter evidence: what the template tells: itself, and what it writes.
    init?(_ tokenizer: Tokenizer?, evidence: [String]) {
        guard let tokenizer,
            evidence.contains(where: { $0.contains(Mark.channel.rawValue) && $0.contains(Mark.message.rawValue) })
        else { return nil }
        var tokens: [Mark: TokenID] = [:]
        for mark in Mark.allCases {
            guard let token = tokenizer.token(for: mark.rawValue) else { return nil }
            tokens[mark] = token
        }
        self.tokens = tokens
    }

    /// The token of a mark.
    func token(_ mark: Mark) -> TokenID { tokens[mark] ?? 0 }

    /// The marks of messages, for those who look for tokens of them.
    package static let marks = Mark.allCases.map(\.rawValue) + [constrain, call, turnEnd]

    /// Returns the part of the reply's header that a prompt ends with: the text behind the role of the assistant's
    /// turn.
    func openTurn(_ prompt: String) -> String {
        let start = Mark.start.rawValue + Self.role
        let tail = String(decoding: prompt.utf8.suffix(ChannelHeader.maximumLength), as: UTF8.self)
        return tail.ranges(of: start).last.map { String(tail[$0.upperBound...]) } ?? ""
    }
}
