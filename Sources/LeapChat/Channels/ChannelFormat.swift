import LeapModel
import LeapTokenizer

/// The format of turns that are made of messages: reasoning, text and calls, each behind a header.
///
/// ``ChannelForm`` has the ways of writing them. In one the headers name channels, in the other recipients.
package struct ChannelFormat: Sendable {
    /// The marks of headers.
    enum Mark: String, CaseIterable, Sendable {
        case start = "<|start|>"
        case channel = "<|channel|>"
        case message = "<|message|>"
    }

    /// Further marks, which not every vocabulary has as tokens.
    static let constrain = "<|constrain|>"
    static let call = "<|call|>"
    static let turnEnd = "<|return|>"
    /// The end of a turn whose messages have recipients.
    static let recipientTurnEnd = "<|eot|>"

    /// The role of replies, as headers name it.
    static let role = "assistant"

    /// The namespace that a prompt declares functions in.
    static let functionNamespace = "functions."

    /// The way in which headers and ends are written.
    package let form: ChannelForm
    private let tokens: [String: TokenID]

    /// The format, where a chat template writes its marks and the vocabulary has them; nil elsewhere.
    ///
    /// - Parameter evidence: what the template tells: itself, and what it writes.
    init?(_ tokenizer: Tokenizer?, evidence: [String]) {
        guard let tokenizer else { return nil }
        for form in ChannelForm.allCases {
            guard evidence.contains(where: { text in form.evidence.allSatisfy { text.contains($0) } }) else { continue }
            var tokens: [String: TokenID] = [:]
            for mark in form.tokens { tokens[mark] = tokenizer.token(for: mark) }
            guard tokens.count == form.tokens.count else { continue }
            self.form = form
            self.tokens = tokens
            return
        }
        return nil
    }

    /// The token of a mark.
    func token(_ mark: Mark) -> TokenID { tokens[mark.rawValue] ?? 0 }

    /// The token that ends a message, but not the turn.
    var messageEnd: TokenID { tokens[form.messageEnd] ?? 0 }

    /// Returns the part of the reply's header that a prompt ends with: the text behind the role of the assistant's
    /// turn.
    func openTurn(_ prompt: String) -> String {
        let start = Mark.start.rawValue + Self.role
        let tail = String(decoding: prompt.utf8.suffix(ChannelHeader.maximumLength), as: UTF8.self)
        return tail.ranges(of: start).last.map { String(tail[$0.upperBound...]) } ?? ""
    }
}
