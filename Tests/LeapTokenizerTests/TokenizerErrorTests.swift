import LeapGGUF
import Testing

@testable import LeapTokenizer

/// The errors for files without a usable tokenizer.
struct TokenizerErrorTests {
    private let base = [(key: String, value: GGUFValue)].byteLevel(["x1"], merges: ["x 1"])

    private func error(_ key: String, _ value: GGUFValue?) throws -> TokenizerError {
        try #require(throws: TokenizerError.self) { try base.with("tokenizer.ggml.\(key)", value).tokenizer() }
    }

    @Test("A missing key is named", arguments: ["model", "tokens", "merges"])
    func missing(key: String) throws {
        let error = try error(key, nil)
        #expect(error.code == .missingKey)
        #expect(error.field == "tokenizer.ggml.\(key)")
        #expect(
            error.message
                == "(memory): metadata key 'tokenizer.ggml.\(key)' is missing, but the tokenizer needs it. "
                + "The file has no usable vocabulary: convert the model again or use another file.")
    }

    @Test(
        "A kind of tokenizer that is not implemented is named, with those that are",
        arguments: ["rwkv", "plamo2", "no_vocab", ""])
    func unsupported(model: String) throws {
        let error = try error("model", .string(GGUFString(model)))
        #expect(error.code == .unsupportedModel)
        #expect(
            error.message
                == "the tokenizer model '\(model)' (metadata key 'tokenizer.ggml.model') is not supported; supported are 'gpt2' (byte-level BPE), 'llama' "
                + "(SentencePiece BPE), 't5' (unigram), 'bert' (WordPiece) and 'gemma4' (BPE of characters). Use a model with one of these."
        )
    }

    @Test(
        "Values of the wrong type are refused",
        arguments: ["model", "tokens", "merges", "token_type", "bos_token_id", "add_bos_token"])
    func wrongType(key: String) throws {
        let error = try error(key, .float32(1))
        #expect(error.code == .invalidMetadata)
        #expect(error.field == "tokenizer.ggml.\(key)")
        #expect(error.message.contains("tokenizer.ggml.\(key)"))
    }

    @Test("Arrays of different lengths are refused")
    func lengths() throws {
        let types = try error("token_type", .array(GGUFArray([1, 1] as [Int32])))
        #expect(types.message.contains("has 2 entries for 257 tokens"))
        let scores = try error("scores", .array(GGUFArray([1] as [Float])))
        #expect(scores.message.contains("has 1 entries for 257 tokens"))
        let tokens = try error("tokens", .array(GGUFArray([] as [GGUFString])))
        #expect(tokens.message.contains("holds 0 tokens, but must hold 1 to 2147483646"))
    }

    @Test("A unigram vocabulary needs an unknown token, and a character map that is one")
    func unigram() throws {
        let pairs: [(key: String, value: GGUFValue)] = [
            ("tokenizer.ggml.model", "t5"), ("tokenizer.ggml.tokens", .array(GGUFArray(["a", "b"] as [GGUFString]))),
        ]
        let unknown = try #require(throws: TokenizerError.self) { try pairs.tokenizer() }
        #expect(unknown.field == "tokenizer.ggml.unknown_token_id")
        let broken =
            pairs + [
                ("tokenizer.ggml.unknown_token_id", .uint32(0)),
                ("tokenizer.ggml.precompiled_charsmap", .array(GGUFArray([9, 0, 0, 0, 1] as [UInt8]))),
            ]
        let map = try #require(throws: TokenizerError.self) { try broken.tokenizer() }
        #expect(map.message.contains("'tokenizer.ggml.precompiled_charsmap' is not a character map"))
    }
}
