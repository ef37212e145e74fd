package import Foundation
package import LeapGGUF

/// A generator of sound of LFM3-Audio whose weights are numbers that a script makes too: no file is needed for it.
package struct MadeGenerator {
    /// Length of the language model's vectors.
    package var input = 64
    /// Length of the vectors in the layers that write codes; heads have a quarter of it.
    package var depth = 32
    package var depthInner = 48
    package var depthLayers = 3
    /// The codec of its speech.
    package var codec = MadeCodec()
    /// True if layers have norms behind their blocks.
    package var hasPostNorms = true
    /// The names that files leave out, to be refused.
    package var omitted: Set<String> = []
    /// Other names for tensors than the usual ones.
    package var renamed: [String: String] = [:]
    /// True if the tables of the codebooks have their rows one behind the other.
    package var isFlat = false
    /// The kind that the file declares.
    package var kind = "lfm3a_gen"
    /// The values of `clip.gen.audio.sampling.*`.
    package var sampling: [String: Float] = [:]
    /// The factor of the logits of the end of speech, in the first codebook: with 4 it comes now and then, with 1 never.
    package var endScale: Float = 4
    /// True if all weights are zero, which is written sooner.
    package var isZero = false

    package init() {}

    /// No numbers, to be opened and not computed with.
    package static var zero: MadeGenerator {
        var generator = MadeGenerator()
        (generator.isZero, generator.codec.isZero) = (true, true)
        return generator
    }

    /// Tensors of the layers that write codes, in the order in which they are numbered.
    package var tensors: [MadeVocoder.Tensor] {
        let codes = 2017, books = 12
        func table(_ columns: Int) -> [Int] { isFlat ? [columns, books * codes] : [columns, codes, books] }
        var list: [MadeVocoder.Tensor] = [
            ("a.gen.code.proj_in.weight", [input, books * depth], 0.25),
            ("a.gen.code.proj_in.bias", [books * depth], 0.25), ("a.gen.code.mask_embd.weight", [depth], 1),
            ("a.gen.code.head.weight", table(depth), 1), ("a.gen.code.out_embd.weight", table(input), 0.25),
            ("a.gen.code.output_norm.weight", [depth], nil),
        ]
        for layer in 0..<depthLayers {
            list += Self.layer("a.gen.code.blk.\(layer).", depth, depthInner, hasPostNorms)
        }
        return list
    }

    private static func layer(
        _ prefix: String, _ length: Int, _ inner: Int, _ hasPostNorms: Bool
    ) -> [MadeVocoder.Tensor] {
        var list: [MadeVocoder.Tensor] = [
            (prefix + "ln1.weight", [length], nil), (prefix + "ln2.weight", [length], nil),
            (prefix + "ffn_gate.weight", [length, inner], 0.25), (prefix + "ffn_up.weight", [length, inner], 0.25),
            (prefix + "ffn_down.weight", [inner, length], 0.25),
        ]
        if hasPostNorms {
            list += [
                (prefix + "attn_post_norm.weight", [length], nil), (prefix + "ffn_post_norm.weight", [length], nil),
            ]
        }
        return list + [
            (prefix + "attn_q.weight", [length, length], 0.25), (prefix + "attn_k.weight", [length, length / 2], 0.25),
            (prefix + "attn_v.weight", [length, length / 2], 0.25),
            (prefix + "attn_out.weight", [length, length], 0.25),
            (prefix + "attn_q_norm.weight", [length / 4], nil), (prefix + "attn_k_norm.weight", [length / 4], nil),
        ]
    }

    /// Adds the keys and tensors to a projector's file.
    package func add(to writer: inout GGUFWriter) throws {
        writer.set("clip.has_gen_audio_encoder", true)
        writer.set("clip.gen.audio.projector_type", .string(GGUFString(kind)))
        let numbers = [
            "block_count": depthLayers, "embedding_length": depth, "feed_forward_length": depthInner,
            "attention.head_count": 4, "attention.head_count_kv": 2, "projection_dim": input,
        ]
        for (key, value) in numbers.sorted(by: { $0.key < $1.key }) {
            writer.set("clip.gen.audio.\(key)", .uint32(UInt32(value)))
        }
        writer.set("clip.gen.audio.attention.layer_norm_epsilon", .float32(1e-5))
        for (key, value) in sampling.sorted(by: { $0.key < $1.key }) {
            let isWhole = ["top_k", "penalty_last_n"].contains(key)
            writer.set("clip.gen.audio.sampling.\(key)", isWhole ? .int32(Int32(value)) : .float32(value))
        }
        for (index, tensor) in tensors.enumerated() where !omitted.contains(tensor.name) {
            let count = tensor.shape.reduce(1, *)
            var floats =
                isZero
                ? [Float](repeating: 0, count: count)
                : MadeVocoder.values(index, count: count, scale: tensor.scale)
            if tensor.name == "a.gen.code.head.weight" {
                for place in 2016 * depth..<2017 * depth { floats[place] *= endScale }
            }
            try writer.add(tensor: renamed[tensor.name] ?? tensor.name, shape: tensor.shape, floats: floats)
        }
        for (index, tensor) in codec.tensors.enumerated() where !omitted.contains(tensor.name) {
            let floats = codec.values(index, tensor)
            try writer.add(tensor: renamed[tensor.name] ?? tensor.name, shape: tensor.shape, floats: floats)
        }
    }

    /// Marks of speech that take the places of reserved tokens of the language model of the pictures, from 300 on.
    private static let marks = ["<|audio_start|>", "<|audio|>", "<|audio_out|>", "<|text_end|>"]

    /// Writes a model and its projector, which hears and speaks, into a folder: `model.gguf` and `mmproj-model.gguf`.
    ///
    /// - Parameter fixtures: the folder of the fixtures.
    package func writeModel(to folder: URL, fixtures: URL) throws {
        let plain = try GGUFFile.open(path: fixtures.appending(path: "vision/vision.gguf").path)
        var writer = GGUFWriter()
        for (key, value) in plain.metadata.pairs { writer.set(key, Self.marked(key, value)) }
        for tensor in plain.tensors { try writer.add(tensor) }
        try writer.write(to: folder.appending(path: "model.gguf").path)
        let encoder = try GGUFFile.open(path: fixtures.appending(path: "lfm3a/mmproj-lfm3a.gguf").path)
        var projector = GGUFWriter()
        for (key, value) in encoder.metadata.pairs { projector.set(key, value) }
        for tensor in encoder.tensors { try projector.add(tensor) }
        try add(to: &projector)
        try projector.write(to: folder.appending(path: "mmproj-model.gguf").path)
    }

    private static func marked(_ key: String, _ value: GGUFValue) -> GGUFValue {
        guard key == "tokenizer.ggml.tokens", case .array(let array) = value, let tokens = array.strings else {
            return value
        }
        var names = Array(tokens)
        for (index, mark) in marks.enumerated() { names[300 + index] = mark }
        return .array(GGUFArray(names))
    }
}
