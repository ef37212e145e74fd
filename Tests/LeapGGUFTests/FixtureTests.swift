import Foundation
import LeapGGUF
import Testing

struct FixtureTests {
    static let architectures = ["lfm2", "lfm2moe", "llama", "qwen2", "qwen3"]

    @Test(
        "Every fixture opens with its architecture, metadata and F32 tensors", arguments: architectures, [true, false])
    func opens(architecture: String, useMmap: Bool) throws {
        let path = TestFiles.fixtures.appending(path: "\(architecture).gguf").path
        let file = try GGUFFile.open(path: path, useMmap: useMmap)
        #expect(file.version == 3)
        #expect(file.alignment == 32)
        #expect(file.byteCount == (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int))
        let metadata = file.metadata
        #expect(try metadata.string("general.architecture") == architecture)
        #expect(try metadata.uint("\(architecture).embedding_length") == 64)
        #expect(try metadata.uint("\(architecture).attention.head_count") == 4)
        let tokens = try #require(try metadata.strings("tokenizer.ggml.tokens"))
        #expect(tokens.count == 512)
        #expect(tokens[1] == "<|startoftext|>")
        #expect(try metadata.ints("tokenizer.ggml.token_type")?.count == 512)

        let embedding = try #require(file.tensor("token_embd.weight"))
        #expect(embedding.shape == [64, 512])
        #expect(embedding.rowByteCount == 256)
        #expect(file.tensors.allSatisfy { $0.type == .f32 && $0.data.count == $0.byteCount })
        // The weights themselves are where the table says: random numbers around zero, none of them absurd.
        for tensor in file.tensors {
            for position in stride(from: 0, to: tensor.byteCount, by: 4) {
                let value = tensor.data.loadUnaligned(fromByteOffset: position, as: Float.self)
                if value.isFinite, abs(value) < 16 { continue }
                Issue.record("\(value) at \(position)")
                return
            }
        }
    }

    @Test("Layers of lfm2 name their attention heads one by one")
    func headCounts() throws {
        let file = try GGUFFile.open(path: TestFiles.fixtures.appending(path: "lfm2.gguf").path)
        #expect(try file.metadata.ints("lfm2.attention.head_count_kv") == [0, 0, 2, 0, 2])
        #expect(file.tensor("blk.0.shortconv.conv.weight")?.shape == [3, 64])
        #expect(file.tensor("blk.2.attn_k.weight")?.shape == [64, 32])
        #expect(file.tensor("blk.9.attn_k.weight") == nil)
    }
}
