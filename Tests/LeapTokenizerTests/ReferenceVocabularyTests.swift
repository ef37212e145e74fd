import Foundation
import LeapGGUF
import Testing

@testable import LeapTokenizer

/// Every line of the reference vocabularies, the fixture models and the demo model.
struct ReferenceVocabularyTests {
    static let names = ["gpt-2", "falcon", "deepseek-llm", "llama-spm"]

    @Test(
        "Every text of a reference vocabulary gives the reference ids",
        .enabled(if: Files.shared != nil, "the reference data folder is not here"), arguments: names)
    func referenceTexts(name: String) throws {
        let file = try #require(Files.shared).appending(path: "vocab/ggml-vocab-\(name).gguf")
        let tokenizer = try Files.tokenizer(file)
        #expect(tokenizer.notes.isEmpty)
        let texts = try String(contentsOf: URL(filePath: file.path + ".inp"), encoding: .utf8)
            .components(separatedBy: "\n__ggml_vocab_test__\n")
        let lines = try String(contentsOf: URL(filePath: file.path + ".out"), encoding: .utf8)
            .components(separatedBy: "\n")
        try #require(texts.count <= lines.count)
        for (text, line) in zip(texts, lines) {
            let ids = line.split(separator: " ").compactMap { TokenID($0) }
            #expect(tokenizer.encode(text, addSpecial: false) == ids, "\(text.debugDescription)")
            #expect(tokenizer.decode(ids) == text, "\(ids)")
        }
    }

    @Test(
        "The fixture models cut text as the tokenizers they were made with",
        arguments: [
            "lfm2", "lfm2moe", "llama", "qwen2", "qwen3", "mistral3", "gpt-oss", "gemma4", "qwen3moe", "qwen35",
            "qwen35moe", "granitehybrid",
        ])
    func fixtureModels(name: String) throws {
        struct Case: Decodable {
            var text: String
            var ids: [TokenID]
        }
        struct Fixture: Decodable {
            var tokenize: [Case]
        }
        let data = try Data(contentsOf: Files.models.appending(path: "\(name).json"))
        let cases = try JSONDecoder().decode(Fixture.self, from: data).tokenize
        #expect(cases.count >= 4)
        let tokenizer = try Files.tokenizer(Files.models.appending(path: "\(name).gguf"))
        for item in cases {
            #expect(tokenizer.encode(item.text, addSpecial: false) == item.ids)
            let start = tokenizer.addsBOS ? tokenizer.bosToken.map { [$0] } ?? [] : []
            let hasNone = ["mistral3", "gpt-oss", "qwen3moe", "qwen35", "qwen35moe", "granitehybrid"].contains(name)
            #expect(start == (name == "gemma4" ? [2] : hasNone ? [] : [1]))
            #expect(tokenizer.encode(item.text) == start + item.ids)
            #expect(tokenizer.decode(item.ids) == item.text)
        }
    }

    @Test("The demo model's special tokens are known, and found in a prompt only when asked for")
    func demoModel() throws {
        let tokenizer = try Files.tokenizer(Files.demo)
        let start = try #require(tokenizer.token(for: "<|im_start|>"))
        let end = try #require(tokenizer.token(for: "<|im_end|>"))
        #expect(tokenizer.kind(of: start) == .control)
        #expect(tokenizer.endTokens.contains(end))
        #expect(tokenizer.addsBOS)
        let prompt = "<|im_start|>user\nHi<|im_end|>\n"
        let parsed = tokenizer.encode(prompt, parseSpecial: true)
        #expect(parsed.prefix(2) == [try #require(tokenizer.bosToken), start])
        #expect(parsed.filter { $0 == end }.count == 1)
        #expect(tokenizer.decode(Array(parsed.dropFirst())) == prompt)
        #expect(tokenizer.decode(parsed, skipSpecial: true) == "user\nHi\n")
        let literal = tokenizer.encode(prompt, addSpecial: false)
        #expect(literal.allSatisfy { tokenizer.kind(of: $0) != .control })
        #expect(tokenizer.decode(literal) == prompt)
    }
}
