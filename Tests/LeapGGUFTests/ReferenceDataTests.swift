import Foundation
import LeapGGUF
import Testing

/// Real files from the reference data folder, which is not part of the package.
@Suite(.enabled(if: TestFiles.shared != nil, "the reference data folder is not there"))
struct ReferenceDataTests {
    static let quantisations: [(String, GGUFTensorType)] = [
        ("F16", .f16), ("BF16", .bf16), ("Q4_0", .q4_0), ("Q4_1", .q4_1), ("Q5_0", .q5_0), ("Q5_1", .q5_1),
        ("Q8_0", .q8_0), ("Q2_K", .q2_K), ("Q3_K_M", .q3_K), ("Q4_K_M", .q4_K), ("Q5_K_M", .q5_K), ("Q6_K", .q6_K),
        ("IQ4_NL", .iq4_nl), ("IQ4_XS", .iq4_xs),
    ]

    @Test("The demo model opens in every quantisation", arguments: quantisations)
    func demoModels(name: String, type: GGUFTensorType) throws {
        let shared = try #require(TestFiles.shared)
        let file = try GGUFFile.open(path: shared.appending(path: "models/leap-demo-\(name).gguf").path)
        #expect(try file.metadata.string("general.architecture") == "lfm2")
        #expect(file.tensors.contains { $0.type == type })
        #expect(file.tensors.allSatisfy { $0.type.isKnown && $0.data.count == $0.byteCount })
        let summary = GGUFSummary(file)
        #expect(summary.warnings.isEmpty)
        #expect(summary.fileType == name)
        // Data without gaps and in order, as converters write it: the sizes of our types are theirs.
        var end = 0
        for tensor in file.tensors {
            if end > 0 { #expect(tensor.fileOffset == (end + 31) & ~31, "\(tensor)") }
            end = tensor.fileOffset + tensor.byteCount
        }
        #expect(file.byteCount == (end + 31) & ~31 || file.byteCount == end)
    }

    @Test(
        "Vocabulary-only files open with all their tokens",
        arguments: [("deepseek-llm", 102_400), ("falcon", 65_024), ("gpt-2", 50_257), ("llama-spm", 32_000)])
    func vocabularies(name: String, count: Int) throws {
        let shared = try #require(TestFiles.shared)
        let file = try GGUFFile.open(path: shared.appending(path: "vocab/ggml-vocab-\(name).gguf").path)
        #expect(file.tensors.isEmpty)
        #expect(try file.metadata.strings("tokenizer.ggml.tokens")?.count == count)
        #expect(try file.metadata.ints("tokenizer.ggml.token_type")?.count == count)
        #expect(GGUFSummary(file).text.contains("vocabulary only"))
    }
}
