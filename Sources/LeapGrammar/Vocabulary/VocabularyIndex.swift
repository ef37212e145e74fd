/// The index of a vocabulary for computing masks, created once per tokenizer and shared by all grammars.
///
/// It holds the tree of all tokens. It also knows which tokens stay inside a JSON string, by their length in
/// characters, and what the others contain after the closing quote. It is safe to use from any thread.
public final class VocabularyIndex: Sendable {
    /// The vocabulary.
    public let vocabulary: TokenVocabulary
    /// The number of 64-bit words of a mask.
    public let maskWordCount: Int
    let trie: TokenTrie
    /// Its tokens by their punctuation.
    let hints: PunctuationHints
    /// Tokens that go on after a mark of JSON, and the tokens that end with it, the longest first.
    package let stems: [(token: Int32, stems: [Int32])]
    /// Tokens of at most `TermStore.horizon` bytes; the tables below hold only these.
    let shortTrie: TokenTrie
    /// The longer ones.
    let longTrie: TokenTrie
    /// Those of the longer ones that hold a quotation mark.
    let longQuoteTrie: TokenTrie
    /// Those of the longer ones that stay inside a string that takes any text, by their number of characters.
    let longInside: [(characters: Int, token: Int32)]
    /// The same as bits.
    let longInsideMask: [UInt64]
    /// Bytes of the longest token.
    let longestToken: Int
    /// Tokens with a quotation mark.
    let quoteTrie: TokenTrie
    /// Tokens that close a string that takes any text, by what follows the closing quote.
    let suffixTrie: TokenTrie
    /// Those of them with an escape before the quote (these are not in `suffixTrie`).
    let escapedQuoteTrie: TokenTrie
    /// Tokens that stay inside a string that takes any text.
    let insideMask: [UInt64]
    /// The same by length: `insideByLength[n]` those of at most n + 1 characters.
    let insideByLength: [[UInt64]]
    let maximumCharacters: Int
    /// Tokens of admissible white space only, from where none was read yet.
    let spaces: [Int32]
    /// Tokens of admissible white space and something after it, by what comes after.
    let afterSpaces: TokenTrie
    /// Bits of all special tokens but those that end generation.
    let specialMask: [UInt64]

    /// The byte of which the fewest tokens make a long text.
    let filler: UInt8

    /// Texts that few tokens spell: short ways through what has to have a length.
    let fillers: Fillers

    /// Every ASCII byte that JSON is written with has a token of its own.
    let isByteComplete: Bool

    /// The space, or the letter of which there is a longer token.
    private static func filler(_ trie: TokenTrie) -> UInt8 {
        func longest(_ byte: UInt8) -> Int {
            var (node, depth, found) = (0, 0, 0)
            while true {
                node = trie.child(node, byte)
                if node < 0 { return found }
                depth += 1
                if trie.nodes[node].token >= 0 { found = depth }
            }
        }
        let letters = [UInt8(ascii: " ")] + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        return letters.max { longest($0) < longest($1) } ?? letters[0]
    }

    /// Creates the index of a vocabulary.
    public init(_ vocabulary: TokenVocabulary) {
        self.vocabulary = vocabulary
        maskWordCount = (vocabulary.count + 63) / 64
        let groups = TokenGroups(vocabulary)
        let trie = TokenTrie(groups.all)
        self.trie = trie
        hints = PunctuationHints(vocabulary, trie)
        stems = TokenStems.list(vocabulary, trie)
        isByteComplete = Self.isByteComplete(trie)
        filler = Self.filler(trie)
        fillers = Fillers(trie)
        shortTrie = TokenTrie(groups.short)
        longTrie = TokenTrie(groups.long)
        longQuoteTrie = TokenTrie(groups.longQuoted)
        longInside = groups.longInside.sorted { $0.characters < $1.characters }
        (spaces, afterSpaces) = Self.spaces(groups.all)
        longInsideMask = groups.longInsideMask
        longestToken = groups.all.map(\.bytes.count).max() ?? 0
        quoteTrie = TokenTrie(groups.quoted)
        suffixTrie = TokenTrie(groups.suffixes)
        escapedQuoteTrie = TokenTrie(groups.escaped)
        insideMask = groups.inside
        insideByLength = groups.insideByLength
        maximumCharacters = groups.maximumCharacters
        specialMask = groups.special
    }

    private static func isByteComplete(_ trie: TokenTrie) -> Bool {
        (0x20...0xF4).allSatisfy { byte in
            let node = trie.child(0, UInt8(byte))
            return byte >= 0x7F && (byte < 0x80 || byte == 0xC0 || byte == 0xC1)
                || node >= 0 && trie.nodes[node].token >= 0
        }
    }
}

extension VocabularyIndex {
    /// The tokens of admissible white space only, and those with something after it, by what comes after.
    private static func spaces(_ tokens: TokenGroups.Tokens) -> (spaces: [Int32], afterSpaces: TokenTrie) {
        var spaces: [Int32] = []
        var afterSpaces: TokenGroups.Tokens = []
        for (bytes, token) in tokens {
            guard let length = admissibleSpace(bytes), length > 0 else { continue }
            if length == bytes.count {
                spaces.append(token)
            } else {
                afterSpaces.append((bytes.dropFirst(length), token))
            }
        }
        return (spaces, TokenTrie(afterSpaces))
    }

    /// Bytes of the white space that a token begins with; nil where it is more than a grammar admits: one space, or a
    /// line break and its indentation.
    private static func admissibleSpace(_ bytes: ArraySlice<UInt8>) -> Int? {
        let space = bytes.prefix { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
        guard let first = space.first else { return 0 }
        if first == 0x20 { return space.count == 1 ? 1 : nil }
        let indentation = space.dropFirst()
        guard first == 0x0A, indentation.count <= Int(GrammarProgram.maximumIndentation),
            indentation.allSatisfy({ $0 == 0x20 || $0 == 0x09 })
        else { return nil }
        return space.count
    }
}

/// Reads a token as part of a JSON string that takes any text.
enum StringScan {
    enum Result {
        case invalid
        /// Stays inside; characters begun.
        case inside(Int)
        /// Closes it; what follows the quote.
        case closes(ArraySlice<UInt8>)
    }

    static func scan(_ bytes: ArraySlice<UInt8>) -> Result {
        var characters = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return .closes(bytes[(index + 1)...]) }
            if byte < 0x20 { return .invalid }
            characters += 1
            if byte == UInt8(ascii: "\\") {
                guard let next = escape(bytes, index) else { return .invalid }
                index = next
            } else if byte < 0x80 {
                index += 1
            } else {
                guard let next = character(bytes, index) else { return .invalid }
                index = next
            }
        }
        return .inside(characters)
    }

    /// The index after an escape, or the end where the token stops inside it; nil where it is malformed.
    private static func escape(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
        guard start + 1 < bytes.endIndex else { return bytes.endIndex }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"): break
        default: return nil
        }
        // Rare enough to be decided by the term machinery itself, which knows surrogates.
        var terms = TermStore()
        var position: Int32 = 0
        var index = start
        while index < bytes.endIndex {
            guard case .inside(_, let next) = terms.stringStep(TermStore.all, position, bytes[index]) else {
                return nil
            }
            position = next
            index += 1
            if position == 0 { return index }
        }
        return index
    }

    private static func character(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
        let lead = bytes[start]
        let length =
            lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xF0 && lead < 0xF5 ? 4 : 0
        guard length > 0 else { return nil }
        for offset in 1..<length {
            guard start + offset < bytes.endIndex else { return bytes.endIndex }
            let byte = bytes[start + offset]
            guard byte & 0xC0 == 0x80 else { return nil }
            if offset == 1 {
                if lead == 0xE0 && byte < 0xA0 || lead == 0xED && byte > 0x9F || lead == 0xF0 && byte < 0x90
                    || lead == 0xF4 && byte > 0x8F
                {
                    return nil
                }
            }
        }
        return start + length
    }
}
