import Foundation
import LeapBase
import LeapGGUF
import Testing

@testable import LeapTokenizer

/// The work that reading a tokenizer leaves for the first text.
struct LoadingTests {
    @Test("A lazy value is made once, whoever asks")
    func once() async {
        let made = Locked(0)
        let lazy = Lazy {
            made.withLock { count in
                count += 1
                return count
            }
        }
        #expect(made.withLock { $0 } == 0)
        let values = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 { group.addTask { lazy.value } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 1, count: 16))
    }

    @Test("First texts from several threads, prepared for or not, get the tokens that later ones get")
    func firstTexts() async throws {
        let text = "Hello, world! These are first words, 123 of them."
        let expected = try Files.tokenizer("llama-bpe").encode(text)
        for isPrepared in [false, true] {
            let tokenizer = try Files.tokenizer("llama-bpe")
            if isPrepared { tokenizer.prepareToEncode() }
            let results = await withTaskGroup(of: [TokenID].self) { group in
                for _ in 0..<8 { group.addTask { tokenizer.encode(text) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.allSatisfy { $0 == expected })
            #expect(tokenizer.encode(text) == expected)
        }
    }

    @Test("A tokenizer has what it needs of its file: what becomes of the file later changes nothing")
    func fileChanges() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "leap-tokenizer-\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        var writer = GGUFWriter()
        for (key, value) in [(key: String, value: GGUFValue)].byteLevel(["ab", "abc"], merges: ["a b", "ab c"]) {
            writer.set(key, value)
        }
        try writer.write(to: url.path)
        let tokenizer = try Files.tokenizer(url)
        // In place, so that a mapping of the file would see it.
        let handle = try FileHandle(forWritingTo: url)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(count: Int(size)))
        try handle.close()
        #expect(tokenizer.encode("abc").map { tokenizer.text(of: $0) } == ["abc"])
    }

    @Test("A tokenizer beside an open file gives the same tokens")
    func besideFile() throws {
        let file = try GGUFFile.open(path: Files.vocabularies.appending(path: "llama-bpe.gguf").path)
        let tokenizer = try Tokenizer(metadata: file.metadata, fileStaysOpen: true)
        let copied = try Tokenizer(metadata: file.metadata)
        for text in Golden.shared.texts { #expect(tokenizer.encode(text) == copied.encode(text)) }
    }

    @Test("Special texts are found as the index finds them: the first of equal ones, empty and long ones never")
    func names() throws {
        let long = String(repeating: "x", count: 64)
        let tokens = ["<a>", "", "<b>", "<a>", "b", long, "<bc"]
        let texts = TokenTexts(try #require(GGUFArray(tokens.map { GGUFString($0) }).strings))
        let names = ["<a>", "<b>", "b", "<bc", "<d>", "", long, "<b"]
        #expect(texts.tokens(of: names) == ["<a>": 0, "<b>": 2, "b": 4, "<bc": 6])
        let index = TokenIndex(texts)
        for name in names where name != long { #expect(texts.tokens(of: names)[name] == index.find(name), "\(name)") }
    }

    @Test("Kinds are read from integers of any width; unknown numbers are plain text")
    func kinds() throws {
        let pairs = [(key: String, value: GGUFValue)].byteLevel()
        let numbers = [1, 2, 3, 4, 5, 6, 0, 7, 100] + [Int](repeating: 1, count: 247)
        let expected: [TokenKind] = [
            .normal, .unknown, .control, .userDefined, .unused, .byte, .normal, .normal, .normal,
        ]
        func kinds(_ array: GGUFArray) throws -> [TokenKind] {
            let tokenizer = try pairs.with("tokenizer.ggml.token_type", .array(array)).tokenizer()
            #expect(tokenizer.unusedTokens == [4])
            return (0..<9).map { tokenizer.kind(of: $0) }
        }
        #expect(try kinds(GGUFArray(numbers.map { UInt8($0) })) == expected)
        #expect(try kinds(GGUFArray(numbers.map { Int8($0) })) == expected)
        #expect(try kinds(GGUFArray(numbers.map { UInt16($0) })) == expected)
        #expect(try kinds(GGUFArray(numbers.map { Int16($0) })) == expected)
        #expect(try kinds(GGUFArray(numbers.map { UInt32($0) })) == expected)
        // Too large for a byte, or negative, is unknown too.
        #expect(try kinds(GGUFArray(numbers.map { $0 == 7 ? Int32(-1) : $0 == 100 ? 261 : Int32($0) })) == expected)
        #expect(try kinds(GGUFArray(numbers.map { $0 == 7 ? Int64.min : Int64($0) })) == expected)
        #expect(try kinds(GGUFArray(numbers.map { $0 == 7 ? UInt64(1) << 40 | 5 : UInt64($0) })) == expected)
    }
}
