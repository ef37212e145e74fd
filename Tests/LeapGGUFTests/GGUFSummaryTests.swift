import FoundationEssentials
import LeapGGUF
import Testing

struct GGUFSummaryTests {
    private func summary(_ architecture: String) throws -> GGUFSummary {
        GGUFSummary(try GGUFFile.open(path: TestFiles.fixtures.appending(path: "\(architecture).gguf").path))
    }

    @Test("A hybrid model's summary counts its attention layers")
    func hybrid() throws {
        let summary = try summary("lfm2")
        #expect(summary.architecture == "lfm2")
        #expect(summary.name == "fixture-lfm2")
        #expect(summary.contextLength == 2048)
        #expect(summary.layerCount == 5)
        #expect(summary.embeddingLength == 64)
        #expect(summary.feedForwardLengths == [128])
        #expect(summary.headCounts == [4])
        #expect(summary.keyValueHeadCounts == [0, 0, 2, 0, 2])
        #expect(summary.vocabularySize == 512)
        #expect(summary.tokenizerModel == "gpt2")
        #expect(summary.tokenizerPre == "lfm2")
        #expect(summary.types.map(\.type) == [.f32])
        #expect(summary.parameterCount * 4 == summary.types[0].byteCount)
        #expect(summary.tensors.count == summary.types[0].tensorCount)
        #expect(summary.warnings.isEmpty)
        let text = summary.text
        for line in [
            "architecture   lfm2", "layers         5, 2 with attention", "heads          4, 2 for keys and values",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        #expect(summary.tensorText.contains("blk.0.shortconv.conv.weight"))
        #expect(summary.tensorText.split(separator: "\n").count == summary.tensors.count)
    }

    @Test("A mixture of experts says how many")
    func experts() throws {
        let summary = try summary("lfm2moe")
        #expect(summary.expertCount == 8)
        #expect(summary.expertUsedCount == 2)
        #expect(summary.text.contains("experts        8, 2 per token"))
    }

    @Test("A projector's file with several media tells the kind of each")
    func mixedProjector() throws {
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        for part in ["vision", "audio", "gen_audio"] { writer.set("clip.has_\(part)_encoder", true) }
        writer.set("clip.vision.projector_type", "lfm3vl")
        writer.set("clip.audio.projector_type", "lfm3a")
        writer.set("clip.gen.audio.projector_type", "lfm3a_gen")
        writer.set("clip.vision.embedding_length", .uint32(1024))
        writer.set("clip.audio.embedding_length", .uint32(768))
        writer.set("clip.audio.projection_dim", .uint32(2048))
        writer.set("clip.audio.num_mel_bins", .uint32(128))
        let summary = GGUFSummary(try writer.file())
        let text = summary.text
        #expect(
            text.contains("projector of pictures (lfm3vl), sound (lfm3a) and speech that it generates (lfm3a_gen)"))
        #expect(text.contains("128 bands every 10 ms"))
        let projector = try #require(summary.projector)
        #expect(projector.kind == "lfm3vl" && projector.length == 1024)
        #expect(projector.audioLength == 768 && projector.audioOutputLength == 2048)
        writer.set("clip.has_vision_encoder", false)
        writer.set("clip.has_gen_audio_encoder", false)
        let sound = GGUFSummary(try writer.file())
        #expect(sound.text.contains("projector (lfm3a) of sound") && sound.embeddingLength == 768)
    }

    @Test("The list of names has every key and tensor, with short values that no terminal obeys")
    func names() throws {
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        writer.set("a.key", .string(GGUFString("\u{1B}[31m")))
        writer.set("a.few", .array(GGUFArray([1, 2, 3] as [Int32])))
        writer.set("a.many", .array(GGUFArray(Array(0..<9) as [Int32])))
        writer.set("a.text", .string(GGUFString(String(repeating: "x", count: 200))))
        try writer.add(tensor: "v.one", shape: [2, 3], floats: [1, 2, 3, 4, 5, 6])
        let summary = GGUFSummary(try writer.file())
        let cut = "\"" + String(repeating: "x", count: 96) + "…\" (200 bytes)"
        #expect(
            summary.namesText.split(separator: "\n") == [
                "GGUF version 3, 5 keys, 1 tensors", "general.architecture  string  \"clip\"",
                "a.key  string  \"\\u{1b}[31m\"", "a.few  3 × int32  1, 2, 3",
                "a.many  9 × int32  0, 1, 2, 3, 4, 5, 6, 7, …",
                "a.text  string  \(cut)", "v.one  F32  2 × 3",
            ])
    }

    @Test("A file with odd metadata is summarised with warnings")
    func oddMetadata() throws {
        var writer = GGUFWriter()
        writer.set("general.architecture", "llama")
        writer.set("general.name", "bad\u{1B}[31mname")
        writer.set("llama.block_count", "many")
        writer.set("llama.feed_forward_length", .array(GGUFArray([1024, 2048] as [Int32])))
        writer.set("tokenizer.chat_template", "{{ x }}")
        let summary = GGUFSummary(try writer.file())
        #expect(summary.layerCount == nil)
        #expect(summary.warnings.contains { $0.contains("'llama.block_count'") })
        #expect(!summary.text.contains("\u{1B}"))
        #expect(summary.text.contains("1,024 to 2,048"))
        #expect(summary.text.contains("chat template  7 bytes"))
        #expect(summary.text.contains("vocabulary only"))
    }

    @Test("Types are listed with their shares and the bits per weight")
    func mix() throws {
        var writer = GGUFWriter()
        writer.set("general.file_type", .uint32(15))
        try writer.add(tensor: "a", type: .q4_K, shape: [256, 3], bytes: [UInt8](repeating: 0, count: 432))
        try writer.add(tensor: "b", type: .q6_K, shape: [256], bytes: [UInt8](repeating: 0, count: 210))
        let summary = GGUFSummary(try writer.file())
        #expect(summary.types.map(\.type) == [.q4_K, .q6_K])
        #expect(summary.types.map(\.byteCount) == [432, 210])
        #expect(summary.parameterCount == 1024)
        // 642 bytes for 1,024 weights.
        #expect(summary.quantisation == "Q4_K_M, 5.02 bits per weight (1 × Q4_K, 1 × Q6_K)")
        #expect(summary.warnings.contains { $0.contains("general.architecture") })
    }

    @Test("A tensor of unknown type and any size does not overflow the sums")
    func unknownTypes() throws {
        let bytes = HeaderBytes.with(tensors: 3) {
            $0.tensor("a", [1 << 62], type: 99)
            $0.tensor("b", [1 << 62], type: 99)
            $0.tensor("c", [4])
            $0.data(32)
        }
        let summary = GGUFSummary(try GGUFFile.parse(bytes: bytes))
        #expect(summary.parameterCount == .max)
        #expect(summary.warnings.contains { $0.contains("2 tensors are stored as type 99") })
        #expect(summary.text.contains("type 99"))
    }
}
