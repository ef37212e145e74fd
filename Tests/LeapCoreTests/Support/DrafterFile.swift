import FoundationEssentials
import LeapDemoModel
import LeapGGUF

/// A drafter of blocks for the demo model: one layer of numbers that mean nothing, with the model's vocabulary.
enum DrafterFile {
    /// - Parameter layer: the number of the layer that reads the output which the drafter reads.
    static func write(in folder: borrowing TemporaryFolder, layer: Int32 = 5) throws -> String {
        let (width, heads, head, inner, rank, rows) = (256, 4, 32, 64, 4, 4096)
        var writer = GGUFWriter(copyingMetadataOf: try GGUFFile.open(path: LeapDemoModel.url.path))
        writer.set("general.architecture", .string(GGUFString("dflash")))
        let numbers: [(String, Int)] = [
            ("context_length", 4096), ("embedding_length", width), ("block_count", 1), ("feed_forward_length", inner),
            ("attention.head_count", heads), ("attention.key_length", head), ("attention.value_length", head),
            ("block_size", 5),
        ]
        for (key, value) in numbers { writer.set("dflash.\(key)", .uint32(UInt32(value))) }
        writer.set("dflash.attention.layer_norm_rms_epsilon", .float32(1e-5))
        writer.set("dflash.target_layers", .array(GGUFArray([layer])))
        writer.set("tokenizer.ggml.mask_token_id", .uint32(UInt32(rows - 1)))
        let shapes: [(String, [Int])] = [
            ("fc", [width, width]), ("enc.output_norm", [width]), ("output_norm", [width]),
            ("markov_w1", [rank, rows]), ("markov_w2", [rank, rows]), ("blk.0.attn_norm", [width]),
            ("blk.0.ffn_norm", [width]), ("blk.0.attn_q_norm", [head]), ("blk.0.attn_k_norm", [head]),
            ("blk.0.attn_q", [width, heads * head]), ("blk.0.attn_k", [width, heads * head]),
            ("blk.0.attn_v", [width, heads * head]), ("blk.0.attn_output", [heads * head, width]),
            ("blk.0.ffn_gate", [width, inner]), ("blk.0.ffn_up", [width, inner]), ("blk.0.ffn_down", [inner, width]),
        ]
        for (name, shape) in shapes {
            let count = shape.reduce(1, *)
            let floats = (0..<count).map { index -> Float in
                let value: Int = (index * 7919 + 31) % 211
                return Float(value - 105) / 1000
            }
            try writer.add(tensor: "\(name).weight", shape: shape, floats: floats)
        }
        let path = folder.url.appendingPathComponent("drafter-\(layer).gguf").path
        try writer.write(to: path)
        return path
    }
}
