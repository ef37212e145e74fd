import Foundation
import LeapBase
import LeapJSON
package import LeapTokenizer

/// Lists of token ids as users write them.
package enum TokenList {
    /// Parses `[1, 2, 3]`.
    ///
    /// - Parameter argument: the name of the argument that holds it; nil for standard input.
    static func parse(json text: String, from argument: String? = nil) throws -> [TokenID] {
        let values = (try? JSONParser.parse(text))?.array
        guard let ids = values?.compactMap({ $0.integer.flatMap { TokenID(exactly: $0) } }), ids.count == values?.count
        else {
            throw CommandError("\(argument ?? "standard input") is not a JSON array of token ids such as [1, 42, 7]")
        }
        return ids
    }

    /// Parses `1,2,3`.
    package static func parse(commaSeparated text: String) throws -> [TokenID] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let word = part.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let id = TokenID(word) else {
                throw CommandError("--tokens: \"\(word)\" is not a token id; write numbers with commas, such as 1,42,7")
            }
            return id
        }
    }

    /// Refuses ids that the vocabulary does not have.
    static func check(_ ids: [TokenID], vocabularySize: Int) throws {
        for (position, id) in ids.enumerated() where id < 0 || Int(id) >= vocabularySize {
            throw CommandError(
                "token id \(id) at position \(position) is outside the vocabulary of \(vocabularySize) tokens "
                    + "(0 to \(vocabularySize - 1))")
        }
    }
}
