import LeapGGUF
import LeapTestSupport
import Testing

@testable import LeapTokenizer

/// SentencePiece BPE, unigram and WordPiece beyond the reference ids.
struct SentencePieceTests {
    private func metadata(
        _ pieces: [(text: String, score: Float, type: Int32)], model: String = "llama"
    ) -> [(key: String, value: GGUFValue)] {
        [
            ("tokenizer.ggml.model", .string(GGUFString(model))),
            ("tokenizer.ggml.tokens", .array(GGUFArray(pieces.map { GGUFString($0.text) }))),
            ("tokenizer.ggml.scores", .array(GGUFArray(pieces.map(\.score)))),
            ("tokenizer.ggml.token_type", .array(GGUFArray(pieces.map(\.type)))),
        ]
    }

    private let pieces: [(text: String, score: Float, type: Int32)] = [
        ("<unk>", 0, 2), ("<s>", 0, 3), ("</s>", 0, 3), ("<0x41>", 0, 6), ("▁", -1, 1), ("a", -2, 1), ("b", -3, 1),
        ("ab", -4, 1),
        ("▁a", -5, 1), ("<", -6, 1), ("s", -6, 1), (">", -6, 1), ("<s", -1, 1), ("s>", -1, 1),
    ]

    @Test("A space is put before the text and after special tokens, and dropped again")
    func spacePrefix() throws {
        let tokenizer = try metadata(pieces).tokenizer()
        #expect(tokenizer.encode("ab", addSpecial: false) == [4, 7])
        #expect(tokenizer.encode("ab</s>ab", parseSpecial: true) == [1, 4, 7, 2, 4, 7])
        #expect(tokenizer.decode([4, 7, 4, 7]) == "ab ab")
        #expect(tokenizer.decode([1, 4, 7], skipSpecial: true) == "ab")
        #expect(tokenizer.decode([1, 4, 7]) == "<s> ab")
        #expect(tokenizer.bytes(of: 8) == Array(" a".utf8))
        let bare = try metadata(pieces).with("tokenizer.ggml.add_space_prefix", false).tokenizer()
        #expect(bare.encode("ab", addSpecial: false) == [7])
        #expect(bare.decode([4, 7]) == " ab")
    }

    @Test("Bytes without a token of their own are written as bytes, or are unknown")
    func byteFallback() throws {
        let tokenizer = try metadata(pieces).tokenizer()
        #expect(tokenizer.encode("AZ", addSpecial: false) == [4, 3, 0])
        #expect(tokenizer.bytes(of: 3) == [0x41])
        #expect(tokenizer.kind(of: 3) == .byte)
    }

    @Test("Spelling a control token's name makes no control token")
    func noForgery() throws {
        let tokenizer = try metadata(pieces).tokenizer()
        #expect(tokenizer.encode("<s>", addSpecial: false).contains(1) == false)
        #expect(tokenizer.encode("<s>", addSpecial: false, parseSpecial: true) == [1])
        #expect(tokenizer.encode("<0x41>", addSpecial: false).contains(3) == false)
    }

    @Test("Invalid bytes survive a vocabulary that has tokens for bytes")
    func invalidBytes() throws {
        let tokenizer = try Files.tokenizer("spm")
        var generator = SeededGenerator(seed: 21)
        for round in 0..<TestLevel.rounds(12, all: 100) {
            let bytes = RandomText.nextBytes(using: &generator)
            var decoded: [UInt8] = []
            for token in tokenizer.encode(utf8: bytes, addSpecial: false) {
                tokenizer.appendBytes(of: token, to: &decoded)
            }
            if !bytes.isEmpty { decoded.removeFirst() }
            // U+2581 and the space share a token, so one may come back as the other.
            func spaced(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("▁", with: " ") }
            #expect(spaced(decoded) == spaced(bytes), "seed 21, round \(round)")
        }
    }

    @Test("Cutting at places no token spans changes nothing")
    func cutting() throws {
        // One token with a space inside: the cut before that space must not happen.
        let joined = pieces + [("b▁", -0.5, 1), ("b▁a", -0.25, 1)]
        let tokenizer = try metadata(joined).tokenizer()
        #expect(tokenizer.encode("ab ab", addSpecial: false).map { tokenizer.text(of: $0) } == ["▁a", "b▁a", "b"])
        #expect(try metadata(pieces).tokenizer().encode("ab ab", addSpecial: false) == [4, 7, 4, 7])
    }

    @Test("Unigram takes the best sum of scores and joins unknown characters")
    func unigram() throws {
        let pieces: [(text: String, score: Float, type: Int32)] = [
            ("<pad>", 0, 3), ("</s>", 0, 3), ("<unk>", 0, 2), ("a", -3, 1), ("b", -3, 1), ("ab", -5, 1),
            ("abc", -20, 1),
            ("c", -1, 1), ("▁", -2, 1), ("<x>", 0, 4),
        ]
        let tokenizer = try metadata(pieces, model: "t5").tokenizer()
        #expect(tokenizer.encode("abc") == [5, 7, 1])
        #expect(tokenizer.encode("aéüb", addSpecial: false) == [3, 2, 4])
        #expect(tokenizer.encode("a<x> b", addSpecial: false) == [3, 9, 8, 4])
        #expect(tokenizer.decode([5, 8, 7]) == "ab c")
        let prefixed = try metadata(pieces, model: "t5").with("tokenizer.ggml.add_space_prefix", true)
            .with("tokenizer.ggml.remove_extra_whitespaces", true).tokenizer()
        #expect(prefixed.encode("  a   b ", addSpecial: false) == [8, 3, 8, 4])
        #expect(prefixed.decode([8, 3, 8, 4]) == "a b")
    }

    @Test("WordPiece puts its marks around a text, and knows no word of more than 100 characters")
    func wordPiece() throws {
        let tokenizer = try Files.tokenizer("wordpiece")
        let ids = tokenizer.encode("Hello")
        #expect(ids.first == 2)
        #expect(ids.last == 3)
        #expect(tokenizer.decode(Array(tokenizer.encode("hello, world", addSpecial: false))) == "hello , world")
        #expect(tokenizer.encode(String(repeating: "a", count: 101), addSpecial: false) == [1])
        #expect(tokenizer.encode(String(repeating: "a", count: 100), addSpecial: false).count > 1)
        #expect(tokenizer.encode(" \t\n", addSpecial: false) == [])
    }

    @Test("A character map that points outside itself replaces nothing and does no harm")
    func hostileCharsMap() throws {
        #expect(CharsMap([]) == nil)
        #expect(CharsMap([0xFF, 0xFF, 0xFF, 0x7F, 0]) == nil)
        #expect(CharsMap([4, 0, 0, 0, 1, 2, 3, 4]) == nil)
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<300 {
            let units = Int.random(in: 1...80, using: &generator)
            var bytes: [UInt8] = [UInt8(units * 4 & 0xFF), UInt8(units * 4 >> 8), 0, 0]
            bytes += (0..<units * 4 + 5).map { _ in UInt8.random(in: 0...255, using: &generator) }
            bytes.append(0)
            guard let map = CharsMap(bytes) else { continue }
            let text = RandomText.nextBytes(using: &generator)
            text.withUnsafeBufferPointer { text in
                for position in 0..<text.count {
                    if let match = map.longestMatch(text, at: position) {
                        map.forEachByte(of: match.replacement) { _ in }
                    }
                }
            }
        }
    }
}
