import LeapBase
public import LeapGGUF

/// Converts text to tokens and back, with the vocabulary and rules of a model file.
///
/// ```swift
/// let tokenizer = try Tokenizer(metadata: GGUFFile.open(path: "model.gguf").metadata)
/// let tokens = tokenizer.encode("Hello, world!")
/// print(tokenizer.decode(tokens, skipSpecial: true))
/// ```
///
/// All calls are safe from any thread. A tokenizer keeps a copy of the vocabulary, not the file. The first call that
/// encodes takes some milliseconds longer, because it builds tables that reading a file does not need.
public final class Tokenizer: Sendable {
    let vocabulary: Vocabulary
    private let model: any TokenizerModel
    private let matcher: AddedTokenMatcher
    private let special: SpecialTokens
    let textForm: TokenTextForm
    /// True if decoding drops the one space that encoding put before the text.
    let dropsLeadingSpace: Bool
    private let scratches = Locked<[EncodingScratch]>([])

    /// Notes for the user on the file; empty if nothing is unusual.
    ///
    /// For example, files of older converters have no `tokenizer.ggml.pre`. The default rule then applies and splits
    /// some texts differently than in training.
    public let notes: [String]

    /// A Boolean value that indicates whether ``encode(_:addSpecial:parseSpecial:)`` puts ``bosToken`` before the text.
    ///
    /// It does so if special tokens are requested.
    public let addsBOS: Bool
    /// A Boolean value that indicates whether ``encode(_:addSpecial:parseSpecial:)`` puts ``eosToken`` after the text.
    ///
    /// For WordPiece, the token is ``separatorToken``.
    public let addsEOS: Bool
    /// True if two texts that are read together have two separators between them.
    package let separatesTwice: Bool

    /// Reads the tokenizer of a file.
    ///
    /// - Parameters:
    ///   - metadata: the file's metadata.
    ///   - preTokenizer: one of ``preTokenizers``, which replaces the rule in `tokenizer.ggml.pre`; for models with
    ///     byte-level BPE.
    /// - Throws: ``TokenizerError`` if the file has no tokenizer, one of an unsupported kind, or one whose parts
    ///   contradict each other.
    public convenience init(metadata: GGUFMetadata, preTokenizer: String? = nil) throws {
        try self.init(metadata: metadata, fileStaysOpen: false, preTokenizer: preTokenizer)
    }

    /// The rules that `tokenizer.ggml.pre` can name.
    public static var preTokenizers: [String] { PreTokenizerName.knownNames }

    /// Reads the tokenizer of a file.
    ///
    /// - Parameters:
    ///   - fileStaysOpen: Whether the file is open for longer than this tokenizer is used; what only encoding needs is
    ///     then read from it when the first text is encoded. Otherwise it is copied now.
    ///   - preTokenizer: As of ``init(metadata:preTokenizer:)``.
    /// - Throws: As ``init(metadata:preTokenizer:)``.
    package init(metadata: GGUFMetadata, fileStaysOpen: Bool, preTokenizer: String? = nil) throws {
        let metadata = TokenizerMetadata(metadata: metadata, fileStaysOpen: fileStaysOpen)
        let parts = try TokenizerParts(metadata, preTokenizer: preTokenizer)
        vocabulary = parts.vocabulary
        special = parts.special
        model = parts.model
        textForm = parts.textForm
        dropsLeadingSpace = parts.dropsLeadingSpace
        addsBOS = parts.addsBOS
        addsEOS = parts.addsEOS
        separatesTwice = parts.separatesTwice
        notes = parts.notes
        matcher = parts.matcher
    }

    /// Makes now what the first call that encodes would have to wait for.
    ///
    /// For a thread that has nothing else to do while a model loads.
    package func prepareToEncode() { model.prepare() }

    /// The number of tokens.
    public var vocabularySize: Int { vocabulary.count }
    /// The token that begins a text, if there is one.
    public var bosToken: TokenID? { special.bos }
    /// The token that ends a text, if there is one.
    public var eosToken: TokenID? { special.eos }
    /// The token that ends a turn of a conversation, if there is one.
    public var eotToken: TokenID? { special.eot }
    /// The token that pads a batch, if there is one.
    public var padToken: TokenID? { special.padding }
    /// The token for text that the vocabulary cannot express, if there is one.
    public var unknownToken: TokenID? { special.unknown }
    /// The token between two texts, if there is one.
    public var separatorToken: TokenID? { special.separator }
    /// The token that stands for a missing word, if there is one: the declared one, or `[MASK]` or `<mask>`.
    public var maskToken: TokenID? {
        special.mask ?? vocabulary.index.find("[MASK]") ?? vocabulary.index.find("<mask>")
    }
    /// The token behind a text, if there is one.
    package var textEnd: TokenID? { textForm == .wordPiece ? separatorToken : eosToken }
    /// The tokens that end a generation: the declared ones, and those recognized by their text, such as `<|im_end|>`.
    public var endTokens: Set<TokenID> { special.ends }

    /// Returns the tokens of `text`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - addSpecial: Whether to add the tokens that the model requires around a text (``addsBOS``, ``addsEOS``). They
    ///     are added even if the text already has them.
    ///   - parseSpecial: Whether control tokens spelled out in the text become those tokens. Leave it off for untrusted
    ///     text, which could otherwise end a turn or forge one. User-defined tokens are always found.
    public func encode(_ text: String, addSpecial: Bool = true, parseSpecial: Bool = false) -> [TokenID] {
        var text = text
        return text.withUTF8 { encode($0, isValid: true, addSpecial, parseSpecial) }
    }

    /// Returns the tokens of a text in UTF-8.
    ///
    /// Each byte that is not UTF-8 becomes U+FFFD; a SentencePiece vocabulary has tokens for the bytes themselves.
    public func encode(
        utf8: UnsafeBufferPointer<UInt8>, addSpecial: Bool = true, parseSpecial: Bool = false
    ) -> [TokenID] {
        encode(utf8, isValid: false, addSpecial, parseSpecial)
    }

    /// Returns the tokens of a text in UTF-8.
    ///
    /// Each byte that is not UTF-8 becomes U+FFFD; a SentencePiece vocabulary has tokens for the bytes themselves.
    public func encode(utf8: [UInt8], addSpecial: Bool = true, parseSpecial: Bool = false) -> [TokenID] {
        utf8.withUnsafeBufferPointer { encode($0, isValid: false, addSpecial, parseSpecial) }
    }

    /// The tokens of a text in which control tokens are parsed, but for some places.
    ///
    /// A prompt is made of text from a template, whose control tokens count, and text from outside, which must not be
    /// able to spell any.
    ///
    /// - Parameters:
    ///   - utf8: The text.
    ///   - addSpecial: Whether to add the tokens that the model wants around a text.
    ///   - literalStarts: Offsets into the text where no control token begins. User-defined tokens are found there too.
    package func encode(utf8: [UInt8], addSpecial: Bool, literalStarts: Set<Int>) -> [TokenID] {
        utf8.withUnsafeBufferPointer { encode($0, isValid: false, addSpecial, true, literalStarts) }
    }

    private func encode(
        _ bytes: UnsafeBufferPointer<UInt8>, isValid: Bool, _ addSpecial: Bool, _ parseSpecial: Bool,
        _ literalStarts: Set<Int> = []
    ) -> [TokenID] {
        let tokens = TokenBuffer(capacity: bytes.count / 3 + 8)
        if addSpecial, addsBOS, let bosToken { tokens.append(bosToken) }
        if bytes.count > 0 {
            let scratch = scratches.withLock { $0.popLast() } ?? EncodingScratch()
            var startsSegment = true
            matcher.forEachFragment(bytes, parseSpecial: parseSpecial, literalStarts: literalStarts) { start, end in
                model.encode(
                    UnsafeBufferPointer(rebasing: bytes[start..<end]), isValid: isValid, startsSegment: startsSegment,
                    scratch: scratch, into: tokens)
                startsSegment = false
            } token: {
                tokens.append($0)
                startsSegment = true
            }
            scratch.trim()
            // As many as there were ever calls at once, up to a few.
            scratches.withLock { if $0.count < 4 { $0.append(scratch) } }
        }
        if addSpecial, addsEOS, let end = textEnd { tokens.append(end) }
        return tokens.array
    }
}
