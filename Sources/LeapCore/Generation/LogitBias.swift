import LeapEngine
import LeapJSON
import LeapTokenizer

/// `logitBias` of the extras: what is added to the logits of tokens.
///
/// OpenAI's form is an object of token numbers, llama.cpp's a list of pairs whose first member is a number or a text, all of whose tokens are
/// meant. `false` never lets a token come.
package struct LogitBias: Sendable, Hashable {
    /// The largest number of entries.
    package static let maximumCount = 1024

    private enum Key: Sendable, Hashable {
        case token(Int)
        case text(String)
    }

    private var entries: [Key: Float] = [:]

    /// Nothing.
    package init() {}

    static let expected =
        "an object of at most \(maximumCount) token numbers with biases from -100 to 100, or a list of pairs [token or text, bias or false]"

    /// Reads the value; nil for anything that is none.
    init?(_ value: JSONValue) {
        let pairs: [(key: Key?, bias: JSONValue)]
        switch value {
        case .object(let object): pairs = object.members.map { (Int($0.key).map { .token($0) }, $0.value) }
        case .array(let array):
            pairs = array.map { pair in
                guard let pair = pair.array, pair.count == 2 else { return (nil, .null) }
                return (pair[0].integer.map { .token($0) } ?? pair[0].string.map { .text($0) }, pair[1])
            }
        default: return nil
        }
        guard pairs.count <= Self.maximumCount else { return nil }
        for (key, bias) in pairs {
            guard let key, let number = bias == .bool(false) ? -.infinity : bias.double.map(Float.init),
                (-100...100).contains(number) || number == -.infinity
            else { return nil }
            entries[key] = number
        }
    }

    /// What is expected in place of a value that is none; nil where it is one.
    package static func problem(with value: JSONValue) -> String? { LogitBias(value) == nil ? expected : nil }

    /// The biases by token.
    ///
    /// - Throws: ``LeapGenerationException`` for a token that the vocabulary has not.
    func tokens(_ tokenizer: Tokenizer) throws -> [TokenID: Float] {
        var tokens: [TokenID: Float] = [:]
        for (key, bias) in entries {
            switch key {
            case .token(let token):
                guard (0..<tokenizer.vocabularySize).contains(token) else {
                    throw LeapGenerationException(
                        "'logitBias' in the extras names the token \(token); the vocabulary has 0 to \(tokenizer.vocabularySize - 1)"
                    )
                }
                tokens[TokenID(token), default: 0] += bias
            case .text(let text):
                for token in tokenizer.encode(text, addSpecial: false, parseSpecial: true) {
                    tokens[token, default: 0] += bias
                }
            }
        }
        return tokens
    }
}
