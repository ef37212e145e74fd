import LeapGGUF
import LeapTestSupport
import Testing

@testable import LeapTokenizer

/// Tokens back to text, at once and one by one.
struct DetokenizerTests {
    static let names = ["llama-bpe", "spm", "spm-user", "unigram", "wordpiece"]

    @Test("A stream of tokens gives whole characters, and together what decoding at once gives", arguments: names)
    func streaming(name: String) throws {
        let tokenizer = try Files.tokenizer(name)
        var generator = SeededGenerator(seed: 31)
        for round in 0..<TestLevel.rounds(18, all: 150) {
            // Random tokens end inside characters all the time.
            let tokens = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                TokenID.random(in: -1...TokenID(tokenizer.vocabularySize), using: &generator)
            }
            for skipSpecial in [true, false] {
                var stream = StreamingDetokenizer(tokenizer, skipSpecial: skipSpecial)
                var joined = ""
                var parts: [String] = []
                for token in tokens { parts.append(stream.append(token)) }
                parts.append(stream.finish())
                for part in parts { joined.unicodeScalars.append(contentsOf: part.unicodeScalars) }
                let whole = tokenizer.decode(tokens, skipSpecial: skipSpecial)
                #expect(
                    Array(joined.unicodeScalars) == Array(whole.unicodeScalars), "seed 31, round \(round): \(tokens)")
            }
        }
    }

    @Test("A character comes out with its last byte, and a broken one as U+FFFD")
    func bytes() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel().tokenizer()
        func tokens(_ bytes: [UInt8]) -> [TokenID] {
            bytes.map { byte in
                tokenizer.token(for: String(Character(Unicode.Scalar(ByteLevelAlphabet.characters[Int(byte)]) ?? " ")))
                    ?? -1
            }
        }
        var stream = StreamingDetokenizer(tokenizer)
        #expect(tokens([0xF0, 0x9F, 0xA6, 0x8A]).map { stream.append($0) } == ["", "", "", "🦊"])
        #expect(stream.finish() == "")
        #expect(tokens([0xE6, 0x41]).map { stream.append($0) } == ["", "\u{FFFD}A"])
        #expect(tokens([0x80]).map { stream.append($0) } == ["\u{FFFD}"])
        #expect(tokens([0xE6, 0x88]).map { stream.append($0) } == ["", ""])
        #expect(stream.finish() == "\u{FFFD}")
        #expect(stream.finish() == "")
    }

    @Test("Only the start of a text loses its added space")
    func continuation() throws {
        let tokenizer = try Files.tokenizer("spm")
        let tokens = tokenizer.encode("and then", addSpecial: false)
        var start = StreamingDetokenizer(tokenizer)
        var middle = StreamingDetokenizer(tokenizer, isStart: false)
        #expect(tokens.map { start.append($0) }.joined() == "and then")
        #expect(tokens.map { middle.append($0) }.joined() == " and then")
    }

    @Test("Ids that are not in the vocabulary are errors where one asks, and U+FFFD where not")
    func outOfRange() throws {
        let tokenizer = try Files.tokenizer("llama-bpe")
        let size = TokenID(tokenizer.vocabularySize)
        #expect(tokenizer.decode([-1, 5 + 0x61, size]).hasPrefix("\u{FFFD}"))
        #expect(tokenizer.decode([size]) == "\u{FFFD}")
        #expect(tokenizer.bytes(of: size) == [])
        #expect(tokenizer.text(of: -1) == "")
        #expect(tokenizer.kind(of: size) == .unused)
        let error = try #require(throws: TokenizerError.self) { try tokenizer.decode(checking: [1, size, -5]) }
        #expect(error.code == .tokenOutOfRange)
        #expect(
            error.message == "token id \(size) at position 1 is not in the vocabulary, whose ids are 0 to \(size - 1).")
        #expect(try tokenizer.decode(checking: [1], skipSpecial: true) == "")
    }

    @Test(
        "Decoding undoes encoding",
        arguments: [
            "gpt-2", "llama-bpe", "qwen2", "gpt-4o", "deepseek-llm", "falcon", "default", "bloom", "spm", "spm-user",
        ])
    func roundTrip(name: String) throws {
        let tokenizer = try Files.tokenizer(name)
        var generator = SeededGenerator(seed: 41)
        for round in 0..<TestLevel.rounds(18, all: 150) {
            let text = RandomText.next(using: &generator)
            for parseSpecial in [false, true] {
                let tokens = tokenizer.encode(text, addSpecial: false, parseSpecial: parseSpecial)
                // SentencePiece puts a space after each special token too.
                if parseSpecial, name.hasPrefix("spm"), text.contains("<") { continue }
                #expect(tokenizer.decode(tokens) == text, "seed 41, round \(round)")
            }
        }
    }

    @Test("A token's bytes are those of its text")
    func tokenBytes() throws {
        let tokenizer = try Files.tokenizer("llama-bpe")
        let word = try #require(tokenizer.token(for: "Ġword"))
        #expect(tokenizer.bytes(of: word) == Array(" word".utf8))
        #expect(tokenizer.text(of: word) == "Ġword")
        let think = try #require(tokenizer.token(for: "<think>"))
        #expect(tokenizer.kind(of: think) == .userDefined)
        #expect(tokenizer.bytes(of: think) == Array("<think>".utf8))
        let end = try #require(tokenizer.token(for: "<|im_end|>"))
        #expect(tokenizer.bytes(of: end) == [])
        #expect(tokenizer.text(of: end) == "<|im_end|>")
        #expect(tokenizer.token(for: "no such token") == nil)
    }
}
