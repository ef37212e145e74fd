import LeapGGUF
import LeapTestSupport
import Testing

@testable import LeapTokenizer

/// Tokens looked for in the text itself.
struct AddedTokenTests {
    private func vocabulary(_ tokens: [String], kind: Int32 = 4) throws -> Vocabulary {
        let pairs: [(key: String, value: GGUFValue)] = [
            ("tokenizer.ggml.tokens", .array(GGUFArray(tokens.map { GGUFString($0) }))),
            ("tokenizer.ggml.token_type", .array(GGUFArray(tokens.map { _ in kind }))),
        ]
        return try Vocabulary(TokenizerMetadata(metadata: GGUFMetadata(pairs)))
    }

    /// The text with what was found in brackets.
    private func marked(
        _ text: String, _ tokens: [String], left: Set<TokenID> = [], right: Set<TokenID> = []
    ) throws -> String {
        let vocabulary = try vocabulary(tokens)
        let matcher = AddedTokenMatcher(vocabulary, stripsLeft: left, stripsRight: right)
        let bytes = Array(text.utf8)
        var result = ""
        bytes.withUnsafeBufferPointer { bytes in
            matcher.forEachFragment(bytes, parseSpecial: false) { start, end in
                result += String(decoding: bytes[start..<end], as: UTF8.self)
            } token: {
                result += "[\(tokens[Int($0)])]"
            }
        }
        return result
    }

    @Test("The longest token wins, then the leftmost")
    func longest() throws {
        #expect(try marked("xaby", ["a", "ab", "b"]) == "x[ab]y")
        #expect(try marked("aaaaa", ["aa", "aaa"]) == "[aaa][aa]")
        // A longer one that starts later wins over a shorter one that starts earlier.
        #expect(try marked("xabcdy", ["ab", "bcd"]) == "xa[bcd]y")
        #expect(try marked("xabcdey", ["ab", "bcd", "cdef"]) == "xa[bcd]ey")
        #expect(try marked("abcdefg", ["abc", "cdef", "efghi"]) == "ab[cdef]g")
        #expect(try marked("", ["a"]) == "")
        #expect(try marked("none", ["<x>"]) == "none")
    }

    @Test("What is found is what finding one token after the other finds, longest first")
    func sequential() throws {
        var generator = SeededGenerator(seed: 9)
        for round in 0..<TestLevel.rounds(37, all: 300) {
            // Lengths all different, since the order among equal ones is anybody's.
            let tokens = (1...5).map { length in
                String((0..<length).map { _ in "ab".randomElement(using: &generator) ?? "a" })
            }.shuffled(using: &generator)
            let text = String((0..<30).map { _ in "abab-".randomElement(using: &generator) ?? "a" })
            var expected = text
            var names: [Character: String] = [:]
            for (index, token) in tokens.sorted(by: { $0.count > $1.count }).enumerated() {
                let name = Character(Unicode.Scalar(UInt8(0x31 + index)))
                names[name] = token
                expected = expected.replacing(token, with: String(name))
            }
            let joined = expected.map { name in names[name].map { "[\($0)]" } ?? String(name) }.joined()
            #expect(try marked(text, tokens) == joined, "seed 9, round \(round): \(text) \(tokens)")
        }
    }

    @Test("Tokens that strip take the whitespace beside them")
    func stripping() throws {
        #expect(try marked("a \n<m> b", ["<m>"], left: [0]) == "a[<m>] b")
        #expect(try marked("a <m> \n b", ["<m>"], right: [0]) == "a [<m>]b")
        #expect(try marked(" <m> <m> ", ["<m>"], left: [0], right: [0]) == "[<m>][<m>]")
    }

    @Test("User-defined tokens are always found, control and unknown ones only when asked for")
    func kinds() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel(
            ["<c>", "<u>", "<?>", "<n>"], types: [256: 3, 257: 4, 258: 2]
        ).tokenizer()
        let text = "<c><u><?><n>"
        let plain = tokenizer.encode(text)
        #expect(plain.filter { $0 >= 256 } == [257])
        #expect(tokenizer.decode(plain) == text)
        #expect(tokenizer.encode(text, parseSpecial: true).filter { $0 >= 256 } == [256, 257, 258])
    }

    @Test("A token known as the end of a turn is a control token, whatever the file says")
    func overriddenKinds() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel(["<|im_end|>", "<|eot_id|>"], types: [256: 4])
            .tokenizer()
        #expect(tokenizer.kind(of: 256) == .control)
        #expect(tokenizer.kind(of: 257) == .control)
        #expect(tokenizer.endTokens == [256, 257])
        #expect(tokenizer.eotToken == 257)
        #expect(tokenizer.encode("<|im_end|>").allSatisfy { $0 < 256 })
    }

    @Test("Declared special tokens are used, ids out of range are none")
    func declared() throws {
        let base = [(key: String, value: GGUFValue)].byteLevel(["<s>", "</s>"], types: [256: 3, 257: 3])
        let pairs =
            base + [
                ("tokenizer.ggml.bos_token_id", .uint32(256)), ("tokenizer.ggml.eos_token_id", .uint32(257)),
                ("tokenizer.ggml.padding_token_id", .uint32(9999)), ("tokenizer.ggml.add_bos_token", true),
                ("tokenizer.ggml.add_eos_token", true),
            ]
        let tokenizer = try pairs.tokenizer()
        #expect(tokenizer.bosToken == 256)
        #expect(tokenizer.eosToken == 257)
        #expect(tokenizer.padToken == nil)
        #expect(tokenizer.endTokens == [257])
        #expect(tokenizer.encode("a") == [256, 0x61, 257])
        #expect(tokenizer.encode("") == [256, 257])
        #expect(tokenizer.encode("a", addSpecial: false) == [0x61])
        // Whoever renders a prompt with a BOS token in it decides whether another is added.
        #expect(tokenizer.encode("<s>a", parseSpecial: true) == [256, 256, 0x61, 257])

        let without = try base.with("tokenizer.ggml.add_bos_token", true).tokenizer()
        #expect(without.bosToken == nil)
        #expect(!without.addsBOS)
        #expect(without.notes.count == 1)
        #expect(without.encode("") == [])
    }

    @Test("In Harmony's format the end of a message does not end the answer")
    func harmony() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel(["<|end|>", "<|return|>", "<|call|>"])
            .tokenizer()
        #expect(tokenizer.endTokens == [257, 258])
    }
}
