package import Foundation
package import LeapGGUF

/// A decision model with a head that scores options at masks, behind the layers of a tiny encoder's file.
///
/// Its numbers are those of `make-decision-fixtures.py`.
package struct MaskDecisionFile {
    /// The value of `A.decision.type`: `laya` for `modern-bert.gguf`, `lfm2-d1-omni` for `lfm2-retrieval.gguf`.
    package let type: String
    /// Further changes of the metadata; nil removes a key.
    package var changes: [String: GGUFValue?] = [:]
    /// The names of tensors of the head that are left out.
    package var omitted: Set<String> = []
    /// The shapes of tensors of the head that are zero and have another shape.
    package var shapes: [String: [Int]] = [:]
    /// True if queries, keys and values have a tensor each.
    package var isSplit = false

    package init(_ type: String) { self.type = type }

    /// The number of blocks of the head.
    package static let blocks = 2
    /// The tokens of the vocabulary that stand for masks.
    package static let mask: UInt32 = 3

    /// The name of the encoder's file.
    package var trunk: String { type == "laya" ? "modern-bert" : "lfm2-retrieval" }
    private var architecture: String { type == "laya" ? "modern-bert" : "lfm2" }
    private var width: Int { type == "laya" ? 64 : 32 }
    private let trunkLayers = 4

    /// The head's tensors, with the fastest dimension first, in the order in which they are numbered.
    private var tensors: [MadeVocoder.Tensor] {
        func matrix(_ name: String, _ rows: Int, _ columns: Int, _ scale: Float = 0.25) -> [MadeVocoder.Tensor] {
            [("\(name).weight", [columns, rows], scale), ("\(name).bias", [rows], 0.125)]
        }
        func norm(_ name: String) -> [MadeVocoder.Tensor] {
            [("\(name).weight", [width], nil), ("\(name).bias", [width], 0.125)]
        }
        var list: [MadeVocoder.Tensor] = [("token_types.weight", [width, 3], 0.5)]
        for layer in trunkLayers..<trunkLayers + Self.blocks {
            let prefix = "blk.\(layer)."
            list += norm(prefix + "attn_norm") + matrix(prefix + "attn_qkv", 3 * width, width)
            list += matrix(prefix + "attn_output", width, width) + norm(prefix + "ffn_norm")
            list += matrix(prefix + "ffn_up", 4 * width, width) + matrix(prefix + "ffn_down", width, 4 * width)
        }
        return list + norm("cls.norm") + matrix("cls", width, width) + matrix("cls.output", 1, width, 0.5)
    }

    /// Writes the file into a folder for temporary files.
    ///
    /// - Parameter folder: the folder of the encoders' files.
    package func write(from folder: URL) throws -> URL {
        let file = try GGUFFile.open(path: folder.appendingPathComponent("\(trunk).gguf").path)
        var metadata: [String: GGUFValue] = [:]
        for key in file.metadata.keys { metadata[key] = file.metadata[key] }
        let inner = try file.metadata.uint("\(architecture).feed_forward_length") ?? 0
        let layers = trunkLayers + Self.blocks
        metadata["\(architecture).block_count"] = .uint32(UInt32(layers))
        metadata["\(architecture).feed_forward_length"] = .array(
            GGUFArray((0..<layers).map { $0 < trunkLayers ? Int32(clamping: inner) : Int32(4 * width) }))
        metadata["\(architecture).decision.type"] = .string(GGUFString(type))
        metadata["\(architecture).decision.block_count"] = .uint32(UInt32(Self.blocks))
        metadata["\(architecture).attention.layer_norm_epsilon"] = .float32(1e-5)
        metadata["tokenizer.ggml.token_type_count"] = .uint32(3)
        metadata["tokenizer.ggml.mask_token_id"] = .uint32(Self.mask)
        metadata["tokenizer.chat_template.systemone"] = .string(GGUFString("{{ instructions }}"))
        if type == "laya" {
            metadata["\(architecture).decision.max_head_tokens"] = .uint32(192)
            metadata["tokenizer.ggml.seperator_token_id"] = .uint32(4)
        } else {
            metadata["\(architecture).attention.head_count_kv"] = .array(GGUFArray([0, 2, 0, 2, 4, 4].map(Int32.init)))
        }
        for (key, value) in changes { metadata[key] = value }
        var writer = GGUFWriter()
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { writer.set(key, value) }
        for tensor in file.tensors { try writer.add(tensor) }
        for (index, tensor) in tensors.enumerated() {
            let values = MadeVocoder.values(index, count: tensor.shape.reduce(1, *), scale: tensor.scale)
            if isSplit, tensor.name.contains("attn_qkv") {
                let count = values.count / 3
                var shape = tensor.shape
                shape[shape.count - 1] = width
                for (part, letter) in ["q", "k", "v"].enumerated() {
                    try writer.add(
                        tensor: tensor.name.replacing("qkv", with: letter), shape: shape,
                        floats: Array(values[part * count..<(part + 1) * count]))
                }
            } else if let shape = shapes[tensor.name] {
                let zeros = [Float](repeating: 0, count: shape.reduce(1, *))
                try writer.add(tensor: tensor.name, shape: shape, floats: zeros)
            } else if !omitted.contains(tensor.name) {
                try writer.add(tensor: tensor.name, shape: tensor.shape, floats: values)
            }
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        try writer.write(to: url.path)
        return url
    }
}
