import CLeapKernels
import LeapGGUF
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A random adapter of a fixture's model, as a file, and the model that it makes when its changes are added to the
/// weights.
struct AdapterFixture {
    /// The type in which the matrices are stored.
    enum Storage: Sendable, CaseIterable { case f32, f16, bf16, q8 }

    let base: GGUFFile
    /// The tensors of the model that are changed.
    private(set) var names: [String]
    var rank = 4
    var alpha: Float? = 8
    var seed: UInt64 = 1
    var storage = Storage.f32
    /// Half the width of the range of the numbers.
    var size: Float = 0.2

    init(_ model: Model, _ suffixes: [String], _ change: (inout AdapterFixture) -> Void = { _ in }) {
        base = model.file
        names = model.file.tensors.map(\.name).filter { name in suffixes.contains { name.hasSuffix($0) } }
        change(&self)
    }

    /// The same for one more tensor, which the model need not have: the output head, as a rule.
    func adding(_ name: String) -> AdapterFixture {
        var copy = self
        copy.names.append(name)
        return copy
    }

    /// Every tensor that inputs are multiplied with.
    static let linear = [
        "attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_output.weight", "attn_qkv.weight", "attn_gate.weight",
        "ffn_gate.weight",
        "ffn_up.weight", "ffn_down.weight", "in_proj.weight", "out_proj.weight", "ffn_gate_inp.weight",
        "ffn_gate_exps.weight", "ffn_up_exps.weight", "ffn_down_exps.weight", "attn_gate.weight", "ssm_alpha.weight",
        "ssm_beta.weight", "ssm_ba.weight", "ssm_out.weight", "ffn_gate_shexp.weight", "ffn_up_shexp.weight",
        "ffn_down_shexp.weight",
    ]

    /// The two halves for a tensor: shapes, and values as they are stored.
    struct Half {
        let name: String
        let shape: [Int]
        let type: GGUFTensorType
        let bytes: [UInt8]

        var values: [Float] {
            let (columns, rowBytes) = (shape[0], type.byteCount(elementCount: shape[0]) ?? 0)
            let rows = shape.dropFirst().reduce(1, *)
            var out = [Float](repeating: 0, count: rows * columns)
            bytes.withUnsafeBytes { raw in
                for row in 0..<rows {
                    out.withUnsafeMutableBufferPointer {
                        leap_dequantize_row(
                            Int32(bitPattern: type.rawValue), raw.baseAddress! + row * rowBytes,
                            $0.baseAddress! + row * columns, Int64(columns))
                    }
                }
            }
            return out
        }
    }

    func halves(_ name: String) throws -> (down: Half, up: Half) {
        guard let tensor = base.tensor(name) ?? base.tensor("token_embd.weight") else { throw EngineError.emptyPrompt }
        let (columns, rows, count) = (tensor.shape[0], tensor.shape[1], tensor.shape.dropFirst(2).first ?? 1)
        var random = RandomGenerator(seed: seed &+ UInt64(names.firstIndex(of: name) ?? 0) &* 1000)
        let stack = count > 1 ? [count] : []
        let isEmbedding = name == "token_embd.weight"
        let down = half("\(name).lora_a", (isEmbedding ? [rank, rows] : [columns, rank]) + stack, &random)
        let up = half("\(name).lora_b", [rank, isEmbedding ? columns : rows] + stack, &random)
        return (down, up)
    }

    private func half(_ name: String, _ shape: [Int], _ random: inout RandomGenerator) -> Half {
        let values = (0..<shape.reduce(1, *)).map { _ in Float.random(in: -size...size, using: &random) }
        // Rows of the second half are too short for blocks, as a rule; converters then take F16.
        switch storage {
        case .f32:
            return Half(
                name: name, shape: shape, type: .f32, bytes: values.flatMap { Self.littleEndian($0.bitPattern) })
        case .bf16:
            return Half(
                name: name, shape: shape, type: .bf16,
                bytes: values.flatMap { Self.littleEndian(UInt16($0.bitPattern >> 16)) })
        case .q8 where shape[0] % 32 == 0:
            let bytes = stride(from: 0, to: values.count, by: 32).flatMap { start -> [UInt8] in
                let scale: Float = 1 / 512
                return Self.littleEndian(Self.half(scale))
                    + values[start..<start + 32].map { UInt8(bitPattern: Int8(max(-127, min(127, $0 / scale)))) }
            }
            return Half(name: name, shape: shape, type: .q8_0, bytes: bytes)
        case .f16, .q8:
            return Half(
                name: name, shape: shape, type: .f16, bytes: values.flatMap { Self.littleEndian(Self.half($0)) })
        }
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// Half precision, cut off; normal numbers only.
    private static func half(_ value: Float) -> UInt16 {
        let bits = value.bitPattern
        let exponent = Int(bits >> 23 & 0xFF) - 112
        guard exponent > 0 else { return 0 }
        return UInt16(bits >> 16 & 0x8000) | UInt16(exponent << 10) | UInt16(bits >> 13 & 0x3FF)
    }

    /// The adapter's file, in memory.
    func file(_ change: (inout GGUFWriter) throws -> Void = { _ in }) throws -> GGUFFile {
        var writer = try header()
        for name in names {
            let (down, up) = try halves(name)
            for half in [down, up] {
                try writer.add(tensor: half.name, type: half.type, shape: half.shape, bytes: half.bytes)
            }
        }
        try change(&writer)
        return try writer.file(name: "adapter.gguf")
    }

    /// A file without tensors.
    func header() throws -> GGUFWriter {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string(GGUFString(try base.metadata.string("general.architecture") ?? "")))
        writer.set("general.type", .string(GGUFString("adapter")))
        writer.set("adapter.type", .string(GGUFString("lora")))
        if let alpha { writer.set("adapter.lora.alpha", .float32(alpha)) }
        return writer
    }

    func adapter(for model: Model) throws -> Adapter { try Adapter.load(file: try file(), for: model) }

    /// Returns the adapter's additions to a tensor, in the tensor's order.
    func change(_ name: String) throws -> [Double] {
        let (down, up) = try halves(name)
        let (a, b) = (down.values, up.values)
        let factor = Double(alpha.map { $0 / Float(rank) } ?? 1)
        let count = down.shape.dropFirst(2).first ?? 1
        let isEmbedding = name == "token_embd.weight"
        let (columns, rows) = (isEmbedding ? up.shape[1] : down.shape[0], isEmbedding ? down.shape[1] : up.shape[1])
        var result = [Double](repeating: 0, count: count * rows * columns)
        for row in 0..<count * rows {
            for column in 0..<columns {
                var sum = 0.0
                for k in 0..<rank {
                    let left = isEmbedding ? a[row * rank + k] : b[row * rank + k]
                    let right = isEmbedding ? b[column * rank + k] : a[(row / rows * rank + k) * columns + column]
                    sum += Double(left) * Double(right)
                }
                result[row * columns + column] = sum * factor
            }
        }
        return result
    }

    /// The model with adapters' changes added to its weights, all in F32.
    static func merged(_ base: GGUFFile, _ adapters: [(AdapterFixture, scale: Float)]) throws -> Model {
        var writer = GGUFWriter(copyingMetadataOf: base)
        func add(_ tensor: GGUFTensor, as name: String) throws {
            var values = Half(
                name: name, shape: tensor.shape, type: tensor.type, bytes: Array(tensor.data)
            ).values.map { Double($0) }
            var isChanged = false
            for (adapter, scale) in adapters where adapter.names.contains(name) {
                isChanged = true
                for (index, change) in try adapter.change(name).enumerated() {
                    values[index] += change * Double(scale)
                }
            }
            if isChanged || name != tensor.name {
                try writer.add(tensor: name, shape: tensor.shape, floats: values.map { Float($0) })
            } else {
                try writer.add(tensor)
            }
        }
        for tensor in base.tensors { try add(tensor, as: tensor.name) }
        // An adapter changes the embeddings or the output head, also where the model has one matrix for both.
        if base.tensor("output.weight") == nil, let table = base.tensor("token_embd.weight") {
            try add(table, as: "output.weight")
        }
        return try Model.load(file: try writer.file())
    }
}
