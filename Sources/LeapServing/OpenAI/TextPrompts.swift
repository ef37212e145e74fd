import LeapChat
import LeapJSON
import LeapTokenizer

extension RawPrompt {
    /// Texts of a request, or the tokens of texts: a text, several, the numbers of tokens, or several lists of those;
    /// nil for anything else.
    static func several(in value: JSONValue?) -> [RawPrompt]? {
        if let text = value?.string { return [.text(text)] }
        guard let array = value?.array, let first = array.first else { return nil }
        if first.integer != nil { return tokens(array).map { [.tokens($0)] } }
        var prompts: [RawPrompt] = []
        for element in array {
            if let text = element.string {
                prompts.append(.text(text))
            } else if let tokens = element.array.flatMap(tokens) {
                prompts.append(.tokens(tokens))
            } else {
                return nil
            }
        }
        return prompts
    }

    private static func tokens(_ array: [JSONValue]) -> [TokenID]? {
        let tokens = array.compactMap { $0.integer.flatMap { TokenID(exactly: $0) } }
        return tokens.count == array.count && !tokens.isEmpty ? tokens : nil
    }
}

/// The prompts of a text completion.
enum TextPrompts {
    /// The maximum number of prompts in a request.
    static let maximumCount = 64

    /// Reads `prompt`.
    static func read(_ fields: inout RequestFields) throws(APIError) -> [RawPrompt] {
        let value = fields.value("prompt")
        if let prompts = RawPrompt.several(in: value), prompts.count <= maximumCount { return prompts }
        throw .invalid(
            "'prompt' is \(value?.kind ?? "missing"); expected a string, an array of at most \(maximumCount) strings, an array of token "
                + "numbers, or an array of at most \(maximumCount) of these",
            "prompt")
    }
}
