/// The words in which one edge of the package speaks of what can be set: a terminal of options, a server of members of
/// a request.
///
/// An error is written once, in Swift's words: `maxTokens`, `mmProjPath`. Each edge has a table, and translates where
/// it shows the error.
package struct FieldWords: Sendable {
    private let names: [String: String]
    private let leadingNames: [String: String]
    private let phrases: [(text: String, words: String)]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - names: the edge's words by the names in Swift, of those that mean nothing else wherever they stand.
    ///   - leadingNames: the same for names that are words too: they are meant where an error begins with them.
    ///   - phrases: pieces of errors for which the edge has other advice, in Swift's words; the first one that fits
    ///     counts.
    package init(
        names: [String: String], leadingNames: [String: String] = [:], phrases: [(text: String, words: String)] = []
    ) {
        self.names = names
        self.leadingNames = leadingNames
        self.phrases = phrases
    }

    /// Returns the message in the edge's words.
    package func of(_ message: String) -> String {
        var message = message
        for (text, words) in phrases { message = message.replacing(text, with: words) }
        let result = exchangedNames(in: message)
        for (name, word) in leadingNames {
            for start in ["", "Error: "] where result.hasPrefix("\(start)\(name) is ") {
                return start + word + result.dropFirst(start.count + name.count)
            }
        }
        return result
    }

    private func exchangedNames(in message: String) -> String {
        var result = ""
        var word = ""
        var before: Character?
        func flush(_ next: Character?) {
            // What stands in quotes, in a path or in a longer name is quoted from somewhere.
            let isPart = [before, next].contains { $0.map { "\"'“‘`/-".contains($0) } ?? false }
            result += isPart ? word : names[word] ?? word
            word = ""
        }
        for character in message {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                flush(character)
                result.append(character)
                before = character
            }
        }
        flush(nil)
        return result
    }
}
