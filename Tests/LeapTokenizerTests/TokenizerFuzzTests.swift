import LeapGGUF
import LeapTestSupport
import Testing

@testable import LeapTokenizer

/// Anything in, no trap.
struct TokenizerFuzzTests {
    @Test("Any bytes become tokens, and any tokens text", arguments: Golden.shared.ids.keys.sorted())
    func bytes(name: String) throws {
        let tokenizer = try Files.tokenizer(name)
        var generator = SeededGenerator(seed: 51)
        for round in 0..<TestLevel.rounds(18, all: 150) {
            let bytes = RandomText.nextBytes(using: &generator)
            let tokens = tokenizer.encode(utf8: bytes, parseSpecial: Bool.random(using: &generator))
            #expect(tokens.allSatisfy { tokenizer.contains($0) }, "seed 51, round \(round): \(bytes)")
            _ = tokenizer.decode(tokens)
        }
    }

    @Test("Invalid bytes of a byte-level text become U+FFFD, one each")
    func replacement() throws {
        let tokenizer = try Files.tokenizer("llama-bpe")
        let broken = tokenizer.encode(utf8: [0x61, 0xFF, 0xE6, 0x88, 0x62])
        #expect(broken == tokenizer.encode("a\u{FFFD}\u{FFFD}\u{FFFD}b"))
    }

    @Test("Metadata with random vocabularies is read or refused")
    func metadata() throws {
        var generator = SeededGenerator(seed: 61)
        var made = 0
        for round in 0..<TestLevel.rounds(25, all: 200) {
            func strings(_ count: Int) -> GGUFValue {
                .array(GGUFArray((0..<count).map { _ in GGUFString(bytes: RandomText.nextBytes(using: &generator)) }))
            }
            let count = Int.random(in: 0...40, using: &generator)
            let model = ["gpt2", "llama", "t5", "bert", "gemma4"].randomElement(using: &generator) ?? "gpt2"
            var pairs: [(key: String, value: GGUFValue)] = [
                ("tokenizer.ggml.model", .string(GGUFString(model))), ("tokenizer.ggml.tokens", strings(count)),
                ("tokenizer.ggml.merges", strings(Int.random(in: 0...40, using: &generator))),
            ]
            if Bool.random(using: &generator) {
                let types = (0..<count).map { _ in Int32.random(in: -1...8, using: &generator) }
                pairs.append(("tokenizer.ggml.token_type", .array(GGUFArray(types))))
            }
            if Bool.random(using: &generator) {
                let scores = (0..<count).map { _ in Float(bitPattern: UInt32.random(in: 0 ... .max, using: &generator))
                }
                pairs.append(("tokenizer.ggml.scores", .array(GGUFArray(scores))))
            }
            for key in ["bos", "eos", "unknown", "seperator"] where Bool.random(using: &generator) {
                pairs.append(("tokenizer.ggml.\(key)_token_id", .int32(.random(in: -2...50, using: &generator))))
            }
            do {
                let tokenizer = try pairs.tokenizer()
                made += 1
                let text = RandomText.nextBytes(using: &generator)
                for parseSpecial in [false, true] {
                    let tokens = tokenizer.encode(utf8: text, parseSpecial: parseSpecial)
                    #expect(tokens.allSatisfy { tokenizer.contains($0) }, "seed 61, round \(round)")
                    _ = tokenizer.decode(tokens)
                }
            } catch is TokenizerError {
            }
        }
        #expect(made > TestLevel.rounds(6, all: 50))
    }

    @Test("Many tasks can use one tokenizer at once")
    func concurrency() async throws {
        let tokenizer = try Files.tokenizer("llama-bpe")
        let texts = Golden.shared.texts
        let expected = texts.map { tokenizer.encode($0) }
        let results = await withTaskGroup(of: [[TokenID]].self) { group in
            for _ in 0..<16 {
                group.addTask { texts.map { tokenizer.encode($0) } }
            }
            return await group.reduce(into: [[[TokenID]]]()) { $0.append($1) }
        }
        #expect(results.count == 16)
        #expect(results.allSatisfy { $0 == expected })
    }
}
