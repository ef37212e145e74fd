/// The form in which the texts of a vocabulary stand for bytes, which goes with the kind of tokenizer.
enum TokenTextForm: Sendable, Equatable {
    /// A printable character for each byte (``ByteLevelAlphabet``).
    case byteLevel
    /// U+2581 for a space, and `<0xXX>` for bytes.
    case sentencePiece
    /// The same as ``sentencePiece``, for unigram models.
    case unigram
    /// The same as ``sentencePiece``, for merges of characters.
    case characterPairs
    /// U+2581 before the first piece of a word.
    case wordPiece

    /// The form of the vocabulary of a `tokenizer.ggml.model`; nil if that is not implemented.
    init?(model: String) {
        switch model {
        case "gpt2": self = .byteLevel
        case "llama": self = .sentencePiece
        case "t5": self = .unigram
        case "bert": self = .wordPiece
        case "gemma4": self = .characterPairs
        default: return nil
        }
    }

    /// Appends the bytes of text that a token of `kind` and with the vocabulary text `text` stands for.
    func appendBytes(of text: UnsafeBufferPointer<UInt8>, _ kind: TokenKind, to bytes: inout [UInt8]) {
        switch kind {
        case .control, .unknown:
            break
        case .userDefined:
            bytes.append(contentsOf: text)
        case .byte:
            if let byte = Self.byte(of: text) { bytes.append(byte) } else { bytes.append(contentsOf: text) }
        case .normal, .unused:
            if self == .byteLevel {
                ByteLevelAlphabet.decode(text, into: &bytes)
            } else {
                Self.appendUnescaped(text, to: &bytes)
            }
        }
    }

    /// `text` with spaces for U+2581.
    private static func appendUnescaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var position = 0
        while position < text.count {
            if text[position] == 0xE2, position + 2 < text.count, text[position + 1] == 0x96, text[position + 2] == 0x81
            {
                bytes.append(UInt8(ascii: " "))
                position += 3
            } else {
                bytes.append(text[position])
                position += 1
            }
        }
    }

    /// The byte that `<0xXX>` names.
    private static func byte(of text: UnsafeBufferPointer<UInt8>) -> UInt8? {
        guard text.count == 6, text.starts(with: "<0x".utf8), text[5] == UInt8(ascii: ">") else { return nil }
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard let high = digit(text[3]), let low = digit(text[4]) else { return nil }
        return high << 4 | low
    }
}
