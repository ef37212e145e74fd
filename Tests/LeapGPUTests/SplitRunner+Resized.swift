import LeapGGUF
import LeapModel
import LeapTestSupport

extension SplitRunner {
    /// A fixture with rows as long as kernels take them.
    ///
    /// Some fixtures have rows of 24, 40 or 48 numbers. They are lengthened here, with numbers that are about those
    /// there are.
    static func model(_ name: String) throws -> Model {
        // Lengths of vectors, networks, values, channels, all projections of Mamba-2, and groups.
        let mamba = [24: 32, 40: 64, 72: 96, 136: 160, 214: 262, 36: 48]
        let shared: GGUFValue = .uint32(64)
        // Tensors of the vectors that tokens have for layers.
        let ofTokens = ["per_layer_", "inp_gate", ".proj."]
        switch name {
        case "qwen35moe", "qwen3next", "granitehybrid":
            return try resized(name, keys: ["expert_shared_feed_forward_length": shared]) { _ in [48: 64] }
        case "falcon-h1":
            return try resized(
                name,
                keys: [
                    "embedding_length": .uint32(32), "ssm.inner_size": .uint32(96), "feed_forward_length": .uint32(64),
                ]
            ) { _ in mamba }
        case "nemotron-h":
            let lengths = [0, 64, 0, 0, 0, 64, 64, 0]
            return try resized(
                name,
                keys: [
                    "embedding_length": .uint32(32), "ssm.inner_size": .uint32(96),
                    "feed_forward_length": .array(GGUFArray(lengths.map { Int32($0) })),
                ]
            ) { _ in mamba }
        case "nemotron-h-moe":
            let lengths = [0, 32, 0, 32, 0]
            return try resized(
                name,
                keys: [
                    "embedding_length": .uint32(32), "ssm.inner_size": .uint32(96),
                    "expert_feed_forward_length": .uint32(32), "expert_shared_feed_forward_length": .uint32(32),
                    "feed_forward_length": .array(GGUFArray(lengths.map { Int32($0) })),
                ]
            ) { name in
                name.contains("_exps") ? [24: 32, 16: 32] : name.contains("shexp") ? [24: 32, 28: 32] : mamba
            }
        case "gemma4":
            return try resized(name, keys: ["embedding_length_per_layer_input": .uint32(32)]) { name in
                ofTokens.contains { name.contains($0) } ? [16: 32, 96: 192] : [:]
            }
        case "gemma3n":
            let lengths = [UInt32](repeating: 64, count: 8)
            return try resized(
                name,
                keys: [
                    "embedding_length_per_layer_input": .uint32(32), "feed_forward_length": .array(GGUFArray(lengths)),
                ]
            ) { name in
                if name.contains("laurel") { return [6: 32] }
                if name.contains("ffn_") { return [48: 64] }
                return ofTokens.contains { name.contains($0) } ? [8: 32, 64: 256] : [:]
            }
        default: return try fixture(name)
        }
    }

    /// A fixture of which some lengths are others.
    ///
    /// - Parameters:
    ///   - keys: the values of the architecture's keys that say so.
    ///   - sizes: the new lengths of a tensor by the old ones.
    private static func resized(
        _ name: String, keys: [String: GGUFValue], sizes: (String) -> [Int: Int]
    ) throws -> Model {
        let file = try fixture(name).file
        var writer = GGUFWriter(copyingMetadataOf: file)
        let architecture = try file.metadata.string("general.architecture") ?? ""
        for (key, value) in keys { writer.set("\(architecture).\(key)", value) }
        var random = SeededGenerator(seed: 4)
        for tensor in file.tensors {
            let sizes = sizes(tensor.name), shape = tensor.shape.map { sizes[$0] ?? $0 }
            guard shape != tensor.shape else {
                try writer.add(tensor)
                continue
            }
            let old = Array(tensor.data.bindMemory(to: Float.self))
            let numbers = (0..<shape.reduce(1, *)).map { index in
                var (rest, at, stride, isNew) = (index, 0, 1, false)
                for (size, oldSize) in zip(shape, tensor.shape) {
                    at += rest % size % oldSize * stride
                    isNew = isNew || rest % size >= oldSize
                    rest /= size
                    stride *= oldSize
                }
                return isNew ? old[at] * Float.random(in: 0.5...1.5, using: &random) : old[at]
            }
            try writer.add(tensor: tensor.name, shape: shape, floats: numbers)
        }
        return try Model.load(file: try writer.file())
    }
}
