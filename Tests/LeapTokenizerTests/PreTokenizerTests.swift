import FoundationEssentials
import LeapGGUF
import LeapTestSupport
import Testing

@testable import LeapTokenizer

/// Each pre-tokenizer against the library the models' tokenizers were made with.
struct PreTokenizerTests {
    @Test("Every text gives the reference ids", arguments: Golden.shared.ids.keys.sorted())
    func golden(name: String) throws {
        let tokenizer = try Files.tokenizer(name)
        let ids = try #require(Golden.shared.ids[name])
        #expect(ids.compactMap { $0 }.count >= 29)
        for (text, expected) in zip(Golden.shared.texts, ids) {
            guard let expected else { continue }
            #expect(tokenizer.encode(text, addSpecial: false) == expected, "\(text.debugDescription)")
        }
    }

    @Test("Control tokens in a text are found when asked for", arguments: Golden.shared.special.keys.sorted())
    func special(name: String) throws {
        let tokenizer = try Files.tokenizer(name)
        let text = try #require(Golden.shared.texts.last)
        #expect(tokenizer.encode(text, addSpecial: false, parseSpecial: true) == Golden.shared.special[name])
    }

    @Test("Names of one rule mean that rule")
    func aliases() {
        let groups = [
            ["gpt-2", "mpt", "olmo", "phi-2", "jina-v2-code", "trillion", "exaone4"],
            ["starcoder", "refact", "smollm", "command-r", "codeshell", "exaone"],
            ["qwen2", "stablelm2", "hunyuan", "deepseek-r1-qwen", "bailingmoe"],
            ["gpt-4o", "llama4"], ["deepseek-v3", "hunyuan-dense"], ["bloom", "poro-chat", "gpt3-finnish"],
            ["llama-bpe", "llama3", "llama-v3", "lfm2", "falcon3", "smaug-bpe", "dbrx", "chatglm-bpe"],
        ]
        for group in groups {
            let rules = group.map { PreTokenizerName($0)?.preTokenizer }
            #expect(rules.allSatisfy { $0 != nil && $0 == rules[0] }, "\(group)")
        }
        #expect(PreTokenizerName("lfm2")?.ignoresMerges == true)
        #expect(PreTokenizerName("lfm2")?.addsBOS == true)
        #expect(PreTokenizerName("tekken")?.ignoresMerges == true)
        #expect(PreTokenizerName("dbrx")?.ignoresMerges == false)
        #expect(PreTokenizerName("gpt-4o")?.addsBOS == false)
        #expect(PreTokenizerName("no-such-rule") == nil)
    }

    @Test("A file that names no pre-tokenizer gets the default one and a note")
    func noName() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel().with("tokenizer.ggml.pre", nil).tokenizer()
        #expect(tokenizer.notes.count == 1)
        #expect(tokenizer.notes[0].contains("names no pre-tokenizer") && tokenizer.notes[0].contains("default"))
    }

    @Test("An unknown pre-tokenizer is refused with its name, those that are known, and what to do")
    func unknownName() throws {
        let pairs = [(key: String, value: GGUFValue)].byteLevel().with(
            "tokenizer.ggml.pre", .string(GGUFString("from-the-future")))
        let error = try #require(throws: TokenizerError.self) { try pairs.tokenizer() }
        #expect(error.code == .unsupportedPreTokenizer && error.field == "tokenizer.ggml.pre")
        #expect(error.message.contains("'from-the-future'") && error.message.contains("'preTokenizer' in the extras"))
        for name in Tokenizer.preTokenizers { #expect(error.message.contains(name)) }
    }

    @Test(
        "A rule that is given takes the place of the file's, known or not, and is refused where it would have no effect"
    )
    func givenName() throws {
        for name in ["from-the-future", "gpt-2", nil] {
            let metadata = try GGUFMetadata(
                [(key: String, value: GGUFValue)].byteLevel(["12"], merges: ["1 2"]).with(
                    "tokenizer.ggml.pre", name.map { .string(GGUFString($0)) }))
            for (given, count) in [("gpt-2", 1), ("qwen2", 2)] {
                let tokenizer = try Tokenizer(metadata: metadata, preTokenizer: given)
                #expect(tokenizer.notes.isEmpty && tokenizer.encode("12").count == count)
            }
            let error = try #require(throws: TokenizerError.self) {
                try Tokenizer(metadata: metadata, preTokenizer: "no-such-rule")
            }
            #expect(error.code == .unsupportedPreTokenizer && error.message.contains("'no-such-rule'"))
        }
        let without = try GGUFFile.open(path: Files.models.appending(path: "gemma4.gguf").path).metadata
        let needless = try #require(throws: TokenizerError.self) {
            try Tokenizer(metadata: without, preTokenizer: "gpt-2")
        }
        #expect(needless.code == .unsupportedPreTokenizer && needless.field == "tokenizer.ggml.model")
    }

    @Test("The refusal shows a name's control characters escaped, and not more of it than fits a line")
    func hostileName() throws {
        let name = "\u{1B}[2J\u{7}\n" + String(repeating: "x", count: 10_000)
        let pairs = [(key: String, value: GGUFValue)].byteLevel().with("tokenizer.ggml.pre", .string(GGUFString(name)))
        let error = try #require(throws: TokenizerError.self) { try pairs.tokenizer() }
        #expect(error.message.contains(#"\u{1b}[2J\u{7}\u{a}xx"#))
        #expect(error.message.utf8.count < 2500 && !error.message.unicodeScalars.contains { $0.value < 0x20 })
    }

    /// Pieces as text, for rules whose details a vocabulary might hide.
    private func pieces(_ rule: PreTokenizer, _ text: String) -> [String] {
        let bytes = Array(text.utf8)
        let (ends, spare) = (PieceEnds(), PieceEnds())
        return bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var result: [String] = []
            var start = 0
            while start < bytes.count {
                let end = rule.cut(ScalarText(base), start, bytes.count, into: ends, using: spare)
                for index in 0..<ends.count {
                    result.append(String(decoding: bytes[start..<ends.pointer[index]], as: UTF8.self))
                    start = ends.pointer[index]
                }
                start = end
            }
            return result
        }
    }

    @Test("GPT-2's rule leaves the last space to the word after it")
    func gpt2() {
        #expect(pieces(.gpt2, "a  b   ") == ["a", " ", " b", "   "])
        #expect(pieces(.gpt2, "we'll WE'LL \n\n x") == ["we", "'ll", " WE", "'", "LL", " \n\n", " x"])
        #expect(pieces(.gpt2, " 12½ab") == [" 12½", "ab"])
        #expect(pieces(.gpt2, "\u{3000}x\u{A0}!") == ["\u{3000}", "x", "\u{A0}", "!"])
    }

    @Test("Llama 3's rule takes three digits, line breaks with punctuation, and one character before a word")
    func llama3() {
        #expect(pieces(.llama3, "1234567") == ["123", "456", "7"])
        #expect(pieces(.llama3, "a!\n\n b") == ["a", "!\n\n", " b"])
        #expect(pieces(.llama3, "-a\tb (c") == ["-a", "\tb", " (", "c"])
        #expect(pieces(.llama3, "x \n \n y") == ["x", " \n \n", " y"])
        #expect(pieces(.llama3, "IT'S 'ſx") == ["IT", "'S", " '", "ſx"])
        #expect(pieces(.llama3, "it'ſ") == ["it", "'ſ"])
        #expect(pieces(.qwen2, "123") == ["1", "2", "3"])
    }

    @Test("GPT-4o's rule ends words where the case changes, and keeps marks and contractions in them")
    func gpt4o() {
        #expect(pieces(.gpt4o, "camelCase HTTPServer") == ["camel", "Case", " HTTPServer"])
        #expect(pieces(.gpt4o, "XMLHttp ÉCOLE") == ["XMLHttp", " ÉCOLE"])
        #expect(pieces(.gpt4o, "you'll don't") == ["you'll", " don't"])
        #expect(pieces(.gpt4o, "e\u{301}a 中A文B") == ["e\u{301}a", " 中A文", "B"])
        #expect(pieces(.gpt4o, "a//\n/b") == ["a", "//\n/", "b"])
        #expect(pieces(.tekken, "you'll 12") == ["you", "'ll", " ", "1", "2"])
        #expect(pieces(.kimiK2, "中文abc漢DEF") == ["中文", "abc", "漢", "DEF"])
    }

    @Test("Digits in threes are counted from the right")
    func thousands() {
        #expect(pieces(.superBPE, "a1234567b12") == ["a", "1", "234", "567", "b", "12"])
        #expect(pieces(.superBPE, "123456") == ["123", "456"])
        #expect(pieces(.tinyAya, "1234567 1234abc") == ["1", "234", "567", " ", "123", "4", "abc"])
    }

    @Test("Falcon and the default rule cut digits in threes from the left, after punctuation")
    func falcon() {
        #expect(pieces(.falcon, "12345 `x`") == ["123", "45", " ", "`", "x", "`"])
        #expect(pieces(.standard, " 12345`") == [" ", "123", "45", "`"])
        #expect(pieces(.starCoder, " 12") == [" ", "1", "2"])
    }

    @Test("The DeepSeek rules cut step by step")
    func deepSeek() {
        #expect(pieces(.deepSeekCoder, "a b,c 我们12\n") == ["a", " b", ",", "c", " ", "我们", "1", "2", "\n"])
        #expect(pieces(.deepSeekLLM, "Führer  ") == ["F", "ü", "hrer", "  "])
        #expect(pieces(.deepSeekV3, "'hello 1234我はA\u{1}") == ["'hello", " ", "123", "4", "我は", "A", "\u{1}"])
    }

    @Test("BLOOM's rule knows words between spaces and sentence marks")
    func bloom() {
        #expect(pieces(.bloom, "Hello, you (2)") == ["Hello", ",", " you", " (", "2", ")"])
        #expect(pieces(.viking, "a12") == ["a", "1", "2"])
    }

    @Test("Pieces cover the text, whatever it is", arguments: PreTokenizerName.knownNames)
    func coverage(name: String) throws {
        let rule = try #require(PreTokenizerName(name)).preTokenizer
        var generator = SeededGenerator(seed: 11)
        for round in 0..<TestLevel.rounds(7, all: 60) {
            let text = RandomText.next(using: &generator)
            let pieces = pieces(rule, text)
            #expect(pieces.joined() == text, "seed 11, round \(round)")
            #expect(!pieces.contains(""), "seed 11, round \(round)")
        }
    }

    @Test("Cutting in batches does not change the pieces")
    func batches() {
        let text = String(repeating: "word 12 \n", count: PreTokenizer.batch)
        for rule in [PreTokenizer.gpt2, .llama3, .falcon, .deepSeekLLM] {
            #expect(pieces(rule, text).joined() == text)
            #expect(pieces(rule, text).prefix(100) == pieces(rule, String(text.prefix(900))).prefix(100))
        }
    }
}
