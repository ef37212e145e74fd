import Foundation
import LeapGGUF

/// A decoder of speech whose weights are numbers that scripts make too: no file is needed for it.
package struct MadeVocoder {
    /// Length of the language model's vectors.
    package var input = 64
    /// Length of the vectors in the layers that write codes; heads have an eighth of it.
    package var depth = 64
    package var depthLayers = 2
    package var depthInner = 96
    /// Length of the vectors in the layers that make spectra; heads have a quarter of it.
    package var length = 64
    package var inner = 96
    /// A flag for each of these, true for attention; the others are convolutions.
    package var attention = [false, false, true, false, true, false]
    /// The names that files leave out, to be refused.
    package var omitted: Set<String> = []
    /// True if all weights are zero, which is written sooner.
    package var isZero = false

    package init() {}

    /// A tensor's name, its shape with the fastest dimension first, and what its numbers are multiplied with; nil for
    /// norms.
    package typealias Tensor = (name: String, shape: [Int], scale: Float?)

    /// Tensors in the order in which they are numbered.
    package var tensors: [Tensor] {
        let head = depth / 8
        var list: [Tensor] = [
            ("depth_linear.weight", [input, 8 * depth], 0.25), ("depth_linear.bias", [8 * depth], 0.25),
        ]
        for layer in 0..<depthLayers {
            let prefix = "depthformer.layers.\(layer)."
            list += [
                (prefix + "operator_norm.weight", [depth], nil), (prefix + "ffn_norm.weight", [depth], nil),
                (prefix + "operator.qkv_proj.weight", [depth, depth + 4 * head], 0.25),
                (prefix + "operator.out_proj.weight", [depth, depth], 0.25),
                (prefix + "operator.attention.q_layernorm.weight", [head], nil),
                (prefix + "operator.attention.k_layernorm.weight", [head], nil),
                (prefix + "feed_forward.w1.weight", [depth, depthInner], 0.25),
                (prefix + "feed_forward.w3.weight", [depth, depthInner], 0.25),
                (prefix + "feed_forward.w2.weight", [depthInner, depth], 0.25),
            ]
        }
        for codebook in 0..<8 {
            let prefix = "depth_embeddings.\(codebook)."
            list += [
                (prefix + "embedding.weight", [depth, 2049], 1), (prefix + "embedding_norm.weight", [depth], nil),
                (prefix + "to_logits.weight", [depth, 2049], 1),
            ]
        }
        list += [
            ("audio_embedding.embedding.weight", [input, 8 * 2049], 0.25),
            ("emb.emb.weight", [length, 8 * 2048], 1), ("lfm.embedding_norm.weight", [length], nil),
        ]
        for (layer, isAttention) in attention.enumerated() {
            let prefix = "lfm.layers.\(layer)."
            list += [
                (prefix + "operator_norm.weight", [length], nil), (prefix + "ffn_norm.weight", [length], nil),
                (prefix + "feed_forward.w1.weight", [length, inner], 0.25),
                (prefix + "feed_forward.w3.weight", [length, inner], 0.25),
                (prefix + "feed_forward.w2.weight", [inner, length], 0.25),
            ]
            if isAttention {
                list += [
                    (prefix + "self_attn.q_proj.weight", [length, length], 0.25),
                    (prefix + "self_attn.k_proj.weight", [length, length / 2], 0.25),
                    (prefix + "self_attn.v_proj.weight", [length, length / 2], 0.25),
                    (prefix + "self_attn.out_proj.weight", [length, length], 0.25),
                    (prefix + "self_attn.q_layernorm.weight", [length / 4], nil),
                    (prefix + "self_attn.k_layernorm.weight", [length / 4], nil),
                ]
            } else {
                list += [
                    (prefix + "conv.in_proj.weight", [length, 3 * length], 0.25),
                    (prefix + "conv.conv.weight", [3, length], 0.5),
                    (prefix + "conv.out_proj.weight", [length, length], 0.25),
                ]
            }
        }
        return list + [("lin.weight", [length, 1282], 0.125), ("lin.bias", [1282], 0.5)]
    }

    /// The numbers of a tensor: `scale` times numbers in -1..<1, or one and a fifth of them for norms.
    package static func values(_ index: Int, count: Int, scale: Float?) -> [Float] {
        var generator = SeededGenerator(seed: UInt64(index))
        return (0..<count).map { _ in
            let value = Float(generator.next() >> 40) / 0x1p23 - 1
            return scale.map { $0 * value } ?? 1 + 0.25 * value
        }
    }

    /// Writes the file.
    ///
    /// - Parameter change: may change what stands in it.
    package func write(to path: String, change: (inout [Tensor]) -> Void = { _ in }) throws {
        var writer = GGUFWriter()
        writer.set(
            "general.architecture",
            .string("this model cannot be used as LLM, use it via --model-vocoder in TTS examples"))
        writer.set("depthformer_n_layer", .uint32(UInt32(depthLayers)))
        writer.set("depthformer_n_embd", .uint32(UInt32(depth)))
        var list = tensors
        change(&list)
        for (index, tensor) in list.enumerated() where !omitted.contains(tensor.name) {
            let count = tensor.shape.reduce(1, *)
            if isZero {
                try writer.add(
                    tensor: tensor.name, type: .f32, shape: tensor.shape, bytes: [UInt8](repeating: 0, count: 4 * count)
                )
                continue
            }
            var floats = Self.values(index, count: count, scale: tensor.scale)
            if tensor.name == "depth_embeddings.0.to_logits.weight" {
                // The end of speech comes now and then.
                for place in floats.indices.suffix(depth) { floats[place] *= 3 }
            }
            try writer.add(tensor: tensor.name, shape: tensor.shape, floats: floats)
        }
        if !omitted.contains("istft.window") {
            let window = (0..<1280).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / 1280)) }
            try writer.add(tensor: "istft.window", shape: [1280], floats: window)
        }
        try writer.write(to: path)
    }
}
