import LeapBase
package import LeapModel
package import LeapTokenizer

/// The labels of options in prompts, and the tokens that spell them.
package struct DecisionLabels: Sendable {
    /// A label.
    package struct Label: Sendable, Hashable {
        /// Its text in the prompt.
        package var text: String
        /// The tokens that stand for it, at least one.
        package var tokens: [TokenID]
    }

    /// The keys of a choice as far as its codes depend on them.
    private struct Keys: Hashable {
        /// Those that are codes themselves; empty where they are not.
        var letters: [String]
        var count: Int
    }

    private let tokenizer: Tokenizer
    /// The codes that were made: prompts of a request mostly have the same.
    private let made = Locked<[Keys: [Label]]>([:])

    package init(_ tokenizer: Tokenizer) { self.tokenizer = tokenizer }

    private static let upper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    private static let lower = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    private static let pairs = upper.flatMap { first in upper.map { first + $0 } }
    private static let numbers = (0..<100).map { $0 < 10 ? "0\($0)" : "\($0)" }

    /// The token that a text is; nil where it takes several.
    package func token(_ text: String) -> TokenID? {
        let tokens = tokenizer.encode(text, addSpecial: false)
        return tokens.count == 1 ? tokens[0] : nil
    }

    /// The tokens that single spellings are, each once; those that take several tokens are left out.
    package func group(_ spellings: [String]) -> [TokenID] {
        var found: [TokenID] = []
        for token in spellings.compactMap({ token($0) }) where !found.contains(token) { found.append(token) }
        return found
    }

    /// The codes of a type whose options have letters, in their order.
    package func codes(of type: DecisionModelType) -> [Label] {
        let texts = type == .openJev ? Self.upper + Self.lower : Self.upper + Self.pairs
        var labels: [Label] = []
        for text in texts.prefix(Self.maximumCount) {
            guard let token = token(text), !labels.contains(where: { $0.tokens == [token] }) else {
                // Pairs of letters go as far as they are one token.
                if type != .openJev, text.utf8.count == 2 { continue }
                break
            }
            labels.append(Label(text: text, tokens: [token]))
        }
        return labels
    }

    /// The maximum number of options of any type.
    package static let maximumCount = 255

    /// The codes of a choice as d1 has them: its own keys where these are letters, else letters, else two digits.
    ///
    /// - Returns: as many labels as there are codes for, in the order of the keys.
    package func codes(ofKeys keys: [String]) -> [Label] {
        let isLettered = keys.allSatisfy { key in
            key.unicodeScalars.count == 1 && key.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
        }
        let shared = Keys(letters: isLettered ? keys : [], count: keys.count)
        if let labels = made.withLock({ $0[shared] }) { return labels }
        let labels = newCodes(ofKeys: keys, isLettered: isLettered)
        made.withLock { $0[shared] = labels }
        return labels
    }

    private func newCodes(ofKeys keys: [String], isLettered: Bool) -> [Label] {
        let wanted = isLettered ? keys : Array((keys.count <= 26 ? Self.upper : Self.numbers).prefix(keys.count))
        let hashes = (0..<200).map { "#\($0)" }
        var spare = (Self.upper + Self.numbers + Self.lower + hashes + Self.pairs)[...]
        var taken: Set<TokenID> = []
        var texts: [(text: String, token: TokenID)?] = wanted.map { text in
            guard let token = token(text), taken.insert(token).inserted else { return nil }
            return (text, token)
        }
        while texts.count < keys.count { texts.append(nil) }
        var labels: [Label] = []
        for text in texts {
            var found = text
            while found == nil, let next = spare.popFirst() {
                if let token = token(next), taken.insert(token).inserted { found = (next, token) }
            }
            guard let found else { break }
            labels.append(Label(text: found.text, tokens: [found.token]))
        }
        // The spelling behind a space counts too, where it is no other label.
        for index in labels.indices {
            if let token = token(" " + labels[index].text), taken.insert(token).inserted {
                labels[index].tokens.append(token)
            }
        }
        return labels
    }

    /// The labels of yes and no, with their spellings that are one token; nil where one of them has none.
    package func yesNo(withSpaces: Bool) -> [Label]? {
        let labels = [["yes", "Yes", "YES"], ["no", "No", "NO"]].map { words in
            Label(text: words[0], tokens: group(words + (withSpaces ? words.map { " " + $0 } : [])))
        }
        return labels.allSatisfy { !$0.tokens.isEmpty } ? labels : nil
    }

    /// The labels of levels, digits from 0; nil where one is no token.
    package func digits(_ count: Int, withSpaces: Bool) -> [Label]? {
        let labels = (0..<count).map {
            Label(text: "\($0)", tokens: group(withSpaces ? ["\($0)", " \($0)"] : ["\($0)"]))
        }
        return labels.allSatisfy { !$0.tokens.isEmpty } ? labels : nil
    }
}
