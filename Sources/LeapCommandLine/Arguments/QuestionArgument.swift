import ArgumentParser
import LeapChat

/// A question as a user writes it: `NAME = TYPE: TEXT | OPTION: DESCRIPTION | …`, where all but type and text may be
/// missing.
enum QuestionArgument {
    private enum Kind: String { case yesno, noul, choice, score }

    /// Reads a question.
    ///
    /// - Throws: an error that quotes the question and says what is missing.
    static func question(_ text: String) throws -> Question {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(trimmed)
        let first = parts[0]
        guard let colon = first.firstIndex(of: ":") else {
            throw wrong(text, "it has no type: write yesno, choice or score and a colon before it")
        }
        let head = first[..<colon].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
        let (name, type) = head.count == 2 ? (head[0], head[1]) : (nil, head[0])
        guard let kind = Kind(rawValue: type.lowercased()) else {
            throw wrong(text, "its type is '\(type)'; expected yesno, choice or score")
        }
        let instructions = trimmed(first[first.index(after: colon)...])
        guard !instructions.isEmpty, name?.isEmpty != true else {
            throw wrong(text, "it has no text, or no name before the =")
        }
        let options = parts.dropFirst()
        guard options.allSatisfy({ !$0.isEmpty }) else { throw wrong(text, "an option behind | is empty") }
        switch kind {
        case .yesno, .noul:
            return .yesNo(
                instructions, yes: try meaning("yes", options, text), no: try meaning("no", options, text), name: name)
        case .choice:
            guard !options.isEmpty else {
                throw wrong(text, "it has no options: write them behind it, with | before each")
            }
            return .choice(instructions, options.map(option), name: name)
        case .score:
            guard !options.isEmpty else {
                throw wrong(text, "it has no levels: write them behind it, lowest first, with | before each")
            }
            return .score(instructions, levels: Array(options), name: name)
        }
    }

    /// The meaning of yes or no; nil where none is written.
    private static func meaning(_ word: String, _ options: ArraySlice<String>, _ text: String) throws -> String? {
        var found: String?
        for own in options.map(option) {
            guard ["yes", "no"].contains(own.name), let description = own.description else {
                throw wrong(text, "'\(own.name)' is no meaning: write yes: … or no: … behind |")
            }
            if own.name == word { found = description }
        }
        return found
    }

    private static func option(_ text: String) -> Question.Option {
        guard let colon = text.firstIndex(of: ":") else { return Question.Option(text) }
        return Question.Option(
            trimmed(text[..<colon]), description: trimmed(text[text.index(after: colon)...]))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    private static func wrong(_ text: String, _ problem: String) -> ValidationError {
        ValidationError("--question '\(text.prefix(60))': \(problem), as in 'choice: Which team? | billing | sales'")
    }
}
