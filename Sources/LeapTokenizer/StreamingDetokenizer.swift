import LeapBase

/// Turns tokens into text as they come, in whole characters only.
///
/// A token may end inside a character, whose first bytes then wait for the next token. All texts returned, joined, are
/// what ``Tokenizer/decode(_:skipSpecial:)`` returns for all tokens, wherever the stream was cut.
///
/// ```swift
/// var stream = StreamingDetokenizer(tokenizer)
/// for token in tokens { print(stream.append(token), terminator: "") }
/// print(stream.finish())
/// ```
public struct StreamingDetokenizer: Sendable {
    private var assembler: TextAssembler

    /// A stream that has had no tokens.
    ///
    /// - Parameters:
    ///   - tokenizer: Where the tokens come from.
    ///   - skipSpecial: Whether control tokens are left out instead of spelled out.
    ///   - isStart: Whether the first token begins a text, so that the space encoding adds there is dropped. Pass false
    ///     to go on with a text.
    public init(_ tokenizer: Tokenizer, skipSpecial: Bool = true, isStart: Bool = true) {
        assembler = TextAssembler(tokenizer, skipSpecial: skipSpecial, isStart: isStart)
    }

    /// The characters that `token` completes; empty if it completes none.
    public mutating func append(_ token: TokenID) -> String {
        assembler.append(token)
        return take(assembler.bytes.count - UTF8Bytes.incompleteTail(assembler.bytes))
    }

    /// U+FFFD if the stream ended inside a character, and otherwise nothing.
    ///
    /// The stream can be used again.
    public mutating func finish() -> String { take(assembler.bytes.count) }

    private mutating func take(_ count: Int) -> String {
        if count == 0 { return "" }
        let text = String(decoding: assembler.bytes[..<count], as: UTF8.self)
        assembler.bytes.removeFirst(count)
        return text
    }
}
