import FoundationEssentials
import LeapDemoModel
import LeapGGUF

/// A draft model for the demo model: its first layer, with its vocabulary or one that differs in a token.
enum DraftModelFile {
    static func write(in folder: borrowing TemporaryFolder, changingVocabulary: Bool = false) throws -> String {
        let file = try GGUFFile.open(path: LeapDemoModel.url.path)
        var writer = GGUFWriter(copyingMetadataOf: file)
        writer.set("lfm2.block_count", .uint32(1))
        writer.set("lfm2.attention.head_count_kv", .uint32(0))
        if changingVocabulary, let tokens = try file.metadata.strings("tokenizer.ggml.tokens") {
            var texts = tokens.map { String($0) }
            texts[300] += "?"
            writer.set("tokenizer.ggml.tokens", .array(GGUFArray(texts)))
        }
        for tensor in file.tensors where !tensor.name.hasPrefix("blk.") || tensor.name.hasPrefix("blk.0.") {
            try writer.add(tensor)
        }
        let path = folder.url.appendingPathComponent("draft.gguf").path
        try writer.write(to: path)
        return path
    }
}
