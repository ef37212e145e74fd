import LeapBase

/// Converts tokens to text as they arrive, in complete characters only.
///
/// A token can end inside a character; its first bytes then wait for the next token. All returned texts, joined, equal
/// the result of ``Tokenizer/decode(_:skipSpecial:)`` for all tokens, wherever the stream was split.
///
/// ```swift
/// var stream = StreamingDetokenizer(tokenizer)
/// for token in tokens { print(stream.append(token), terminator: "") }
/// print(stream.finish())
/// ```
public struct StreamingDetokenizer: Sendable {
    private var assembler: TextAssembler

    /// Creates a stream without tokens.
    ///
    /// - Parameters:
    ///   - tokenizer: The tokenizer of the tokens.
    ///   - skipSpecial: Whether to omit control tokens instead of spelling them out.
    ///   - isStart: Whether the first token begins a text, so that the space that encoding adds there is dropped. Pass
    ///     false to continue a text.
    public init(_ tokenizer: Tokenizer, skipSpecial: Bool = true, isStart: Bool = true) {
        assembler = TextAssembler(tokenizer, skipSpecial: skipSpecial, isStart: isStart)
    }

    /// Returns the characters that `token` completes; empty if it completes none.
    public mutating func append(_ token: TokenID) -> String {
        assembler.append(token)
        return take(assembler.bytes.count - UTF8Bytes.incompleteTail(assembler.bytes))
    }

    /// Returns U+FFFD if the stream ended inside a character, and otherwise nothing.
    ///
    /// You can use the stream again.
    public mutating func finish() -> String { take(assembler.bytes.count) }

    private mutating func take(_ count: Int) -> String {
        if count == 0 { return "" }
        let text = String(decoding: assembler.bytes[..<count], as: UTF8.self)
        assembler.bytes.removeFirst(count)
        return text
    }
}
