package import LeapGGUF

/// The codec of LFM3-Audio's speech with numbers as those of ``MadeVocoder``: no file is needed for it.
package struct MadeCodec {
    /// Length of the vectors between the layers; heads have a quarter of it.
    package var length = 64
    package var inner = 96
    /// Length of the vector between the two products behind the latents.
    package var joined = 32
    /// A flag for each layer, true for attention; the others are convolutions.
    package var attention = [false, false, true, false, true, false]
    /// True for LFM3's layers, with norms behind their blocks, gates of heads and filters of 7; false for LFM2's.
    package var isLFM3 = true
    /// True if all weights are zero, which is written sooner.
    package var isZero = false

    package init() {}

    package static let prefix = "a.gen.wav."

    /// Sizes as small as they may be, and no numbers.
    package static var small: MadeCodec {
        var codec = MadeCodec()
        (codec.length, codec.inner, codec.joined, codec.attention, codec.isZero) = (8, 8, 4, [false, true], true)
        return codec
    }

    /// Tensors in the order in which they are numbered, without what all names begin with.
    private var parts: [MadeVocoder.Tensor] {
        var list: [MadeVocoder.Tensor] = [
            ("quant.first.codebook.weight", [4, 2016], 1), ("quant.first.out_proj.weight", [48, joined], 0.25),
            ("quant.first.out_proj.bias", [joined], 0.25), ("tfm.in_proj.weight", [joined, length], 0.25),
            ("tfm.in_proj.bias", [length], 0.25),
        ]
        for (layer, isAttention) in attention.enumerated() {
            let layer = "tfm.blk.\(layer)."
            list += [(layer + "ln1.weight", [length], nil), (layer + "ln2.weight", [length], nil)]
            if isLFM3 {
                list += [
                    (layer + "attn_post_norm.weight", [length], nil), (layer + "ffn_post_norm.weight", [length], nil),
                ]
            }
            list += [
                (layer + "ffn_gate.weight", [length, inner], 0.25), (layer + "ffn_up.weight", [length, inner], 0.25),
                (layer + "ffn_down.weight", [inner, length], 0.25),
            ]
            list += isAttention ? attentionTensors(layer) : convolutionTensors(layer)
        }
        return list + [
            ("tfm.output_norm.weight", [length], nil), ("tfm.out_proj.weight", [length, 1282], 0.125),
            ("tfm.out_proj.bias", [1282], 0.5),
        ]
    }

    private func attentionTensors(_ layer: String) -> [MadeVocoder.Tensor] {
        let list: [MadeVocoder.Tensor] = [
            (layer + "attn_q.weight", [length, length], 0.25), (layer + "attn_k.weight", [length, length / 2], 0.25),
            (layer + "attn_v.weight", [length, length / 2], 0.25), (layer + "attn_out.weight", [length, length], 0.25),
            (layer + "attn_q_norm.weight", [length / 4], nil), (layer + "attn_k_norm.weight", [length / 4], nil),
        ]
        return isLFM3 ? list + [(layer + "attn_gate.weight", [length, 4], 0.25)] : list
    }

    private func convolutionTensors(_ layer: String) -> [MadeVocoder.Tensor] {
        [
            (layer + "conv_pw1.weight", [length, 3 * length], 0.25),
            (layer + "conv_dw.weight", [isLFM3 ? 7 : 3, length], 0.5),
            (layer + "conv_pw2.weight", [length, length], 0.25),
        ]
    }

    /// Tensors in the order in which they are numbered.
    package var tensors: [MadeVocoder.Tensor] {
        parts.map { (Self.prefix + $0.name, $0.shape, $0.scale) }
    }

    /// The numbers of a tensor.
    package func values(_ index: Int, _ tensor: MadeVocoder.Tensor) -> [Float] {
        let count = tensor.shape.reduce(1, *)
        return isZero
            ? [Float](repeating: 0, count: count)
            : MadeVocoder.values(index, count: count, scale: tensor.scale)
    }

    /// A writer of a file with the codec alone.
    ///
    /// - Parameter change: returns the tensor to write in place of one; nil leaves it out.
    package func writer(
        _ change: (MadeVocoder.Tensor) -> MadeVocoder.Tensor? = { $0 }
    ) throws -> GGUFWriter {
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        for (index, tensor) in tensors.enumerated() {
            guard let changed = change(tensor) else { continue }
            try writer.add(tensor: changed.name, shape: changed.shape, floats: values(index, changed))
        }
        return writer
    }
}
