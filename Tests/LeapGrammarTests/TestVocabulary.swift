@testable import LeapGrammar

/// Small vocabularies for tests: every byte, some longer pieces, one special token and one end token.
enum TestVocabulary {
    static let pieces = [
        "{\"", "\":", "\", \"", "\"}", "true", "false", "null", "  ", "\n  ", "the", "na", "me", "name", "\"name\"",
        "12", "00",
        "0.5", "}}", "],", "é", "日", "\\u", "\\\"", "\\n", "abc", "ab", "aaaaaaaaaaaaaaaaaaaaaaaa", ": ", ", ", "\"a\"",
        "-1", " {", " [", " \"", "\n}", "\n]", "\n    \"", "\n\t\"name\": ", "]\n", "}\n", "  \"", " \n", "\n ",
        ", \"a\": ",
        // Longer than the masks' horizon: inside, closing, and white space with what follows.
        "name name name name", "name name name name\": \"", "abcabcabcabcabcabcabc\",", "\n                    ",
        "\n                    \"a\": [", "éééééééééééé\\n", "000000000000000000", "日本日本日本日本日本\"}",
    ]

    static let bytes = make(pieces: [])
    static let mixed = make(pieces: pieces)

    static let special: Int32 = 256
    static let end: Int32 = 257

    static func make(pieces: [String]) -> VocabularyIndex {
        var tokens: [[UInt8]] = (0...255).map { [UInt8($0)] }
        tokens += [[], []]
        tokens += pieces.map { Array($0.utf8) }
        // One pair of equal bytes, and half a character.
        tokens += [Array("abc".utf8), [0xE6, 0x97]]
        return VocabularyIndex(TokenVocabulary(tokens: tokens, specialTokens: [special], endTokens: [end]))
    }
}

/// Judging texts in tests.
enum Judge {
    static func schema(_ text: String, order: GrammarOptions.PropertyOrder = .any) throws -> CompiledGrammar {
        try CompiledGrammar.jsonSchema(text, options: GrammarOptions(propertyOrder: order))
    }

    /// Returns whether a grammar takes a text, byte by byte.
    static func accepts(_ grammar: CompiledGrammar, _ text: String) -> Bool {
        let matcher = grammar.matcher(vocabulary: TestVocabulary.bytes)
        return matcher.accept(bytes: text.utf8) && matcher.isAccepting
    }

    /// Returns whether the masks let a text through, cut into tokens in several ways.
    static func masksAccept(_ grammar: CompiledGrammar, _ text: String) -> Bool {
        let index = TestVocabulary.mixed
        return [0, 1, 2].allSatisfy { style in
            let matcher = grammar.matcher(vocabulary: index)
            for token in cut(Array(text.utf8), style: style, index) {
                let mask = matcher.mask()
                guard mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1, matcher.accept(token) else { return false }
            }
            return matcher.isAccepting
        }
    }

    /// Tokens of a text: 0 longest first, 1 bytes, 2 alternately.
    static func cut(_ text: [UInt8], style: Int, _ index: VocabularyIndex) -> [Int32] {
        var result: [Int32] = []
        var position = 0
        while position < text.count {
            var node = 0
            var best: (Int32, Int) = (Int32(text[position]), position + 1)
            var end = position
            let isLong = style == 0 || style == 2 && result.count.isMultiple(of: 2)
            while isLong, end < text.count {
                node = index.trie.child(node, text[end])
                if node < 0 { break }
                end += 1
                if index.trie.nodes[node].token >= 0 { best = (index.trie.nodes[node].token, end) }
            }
            result.append(best.0)
            position = best.1
        }
        return result
    }
}
