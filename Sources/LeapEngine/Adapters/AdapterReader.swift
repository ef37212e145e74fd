import CLeapKernels
import LeapBase
import LeapGGUF

/// Reads an adapter's file and checks that it fits a model.
///
/// This is the validation boundary for an adapter's sizes: the kernels trust what comes out of here.
struct AdapterReader {
    let file: GGUFFile
    private let model: Model
    private let matrices: [WeightMatrix]
    private(set) var alpha: Float?
    private(set) var maxRank = 0
    private(set) var tensorCount = 0
    /// The matrices that are not used where they lie in the file.
    private(set) var unpacked: [FloatVector] = []
    private(set) var unpackedByteCount = 0
    private(set) var identity = StableHash(seed: 1)
    private(set) var updates: [UInt: LowRankUpdate] = [:]
    private(set) var embedding: LowRankUpdate?

    private static let downSuffix = ".lora_a"
    private static let upSuffix = ".lora_b"
    private static let embeddingName = "token_embd.weight"
    private static let outputName = "output.weight"

    /// Reads everything.
    init(file: GGUFFile, model: Model) throws {
        self.file = file
        self.model = model
        matrices = model.decoder.matrices
        try checkKind()
        try checkArchitecture()
        try readAlpha()
        for name in try tensorNames() { try read(name) }
    }

    private func invalid(_ text: String, field: String? = nil) -> EngineError {
        EngineError(.invalidAdapter, "adapter \(ShownText.of(file.path, limit: 4096)): \(text)", field: field)
    }

    // MARK: Metadata

    private func checkKind() throws {
        let type = try file.metadata.string("general.type")
        guard type == "adapter" else {
            throw invalid(
                "general.type is \(Self.quoted(type)), not \"adapter\": the file is no adapter; give a LoRA adapter in GGUF, as llama.cpp's convert_lora_to_gguf.py writes it",
                field: "general.type")
        }
        let kind = try file.metadata.string("adapter.type")
        guard kind == "lora" else {
            throw invalid(
                "adapter.type is \(Self.quoted(kind)): only \"lora\" is supported; merge the adapter into its model instead",
                field: "adapter.type")
        }
        guard file.metadata["adapter.alora.invocation_tokens"] == nil else {
            throw invalid(
                "it is an activated LoRA (adapter.alora.invocation_tokens), which begins to work at certain tokens: only adapters that work on every token are supported",
                field: "adapter.alora.invocation_tokens")
        }
    }

    private func checkArchitecture() throws {
        let architecture = try file.metadata.string("general.architecture")
        guard architecture == model.architecture else {
            throw invalid(
                "it is for the architecture \(Self.quoted(architecture)), but the model \(ShownText.of(model.file.path, limit: 4096)) is \(model.architecture): load it beside the model it was trained for",
                field: "general.architecture")
        }
    }

    private mutating func readAlpha() throws {
        guard let value = try file.metadata.float("adapter.lora.alpha") else { return }
        guard value.isFinite, value >= 0 else {
            throw invalid(
                "adapter.lora.alpha is \(value): it has to be a number, 0 or more; convert the adapter again",
                field: "adapter.lora.alpha")
        }
        // As in llama.cpp, 0 stands for none.
        alpha = value == 0 ? nil : value
        identity.combine(UInt64(value.bitPattern))
    }

    private static func quoted(_ text: String?) -> String { text.map { "\"\(ShownText.of($0))\"" } ?? "missing" }

    // MARK: Tensors

    /// The names of the model's tensors that are changed, in the order of the file.
    private func tensorNames() throws -> [String] {
        var names: [String] = []
        for tensor in file.tensors {
            if tensor.name.hasSuffix(Self.downSuffix) {
                names.append(String(tensor.name.dropLast(Self.downSuffix.count)))
            } else if tensor.name.hasSuffix(Self.upSuffix) {
                let name = String(tensor.name.dropLast(Self.upSuffix.count))
                guard file.tensor(name + Self.downSuffix) != nil else {
                    throw missingHalf(name + Self.downSuffix, name)
                }
            } else {
                throw invalid(
                    "tensor \(ShownText.of(tensor.name)) is neither a \(Self.downSuffix) nor a \(Self.upSuffix): tensors that replace the model's own are not supported; merge the adapter into its model instead",
                    field: tensor.name)
            }
        }
        guard !names.isEmpty else { throw invalid("it has no tensors: the file is incomplete; convert it again") }
        return names
    }

    private func missingHalf(_ missing: String, _ name: String) -> EngineError {
        invalid(
            "tensor \(ShownText.of(missing)) is missing, the other half of what \(ShownText.of(name)) is changed by: the file is incomplete; convert it again",
            field: missing)
    }

    private mutating func read(_ name: String) throws {
        guard let down = file.tensor(name + Self.downSuffix) else { throw missingHalf(name + Self.downSuffix, name) }
        guard let up = file.tensor(name + Self.upSuffix) else { throw missingHalf(name + Self.upSuffix, name) }
        guard let target = target(name) else {
            throw invalid(
                "the model has no tensor \(ShownText.of(name)): the adapter is of another model", field: down.name)
        }
        let isEmbedding = name == Self.embeddingName
        let rank = try rank(name, down, up, target, isEmbedding: isEmbedding)
        for tensor in [down, up] {
            identity.combine(tensor.name)
            identity.combine(UInt64(tensor.type.rawValue))
            for size in tensor.shape { identity.combine(UInt64(size)) }
            identity.combine(tensor.data)
        }
        let downRows = try rows(down)
        let scale = alpha.map { $0 / Float(rank) } ?? 1
        if isEmbedding {
            embedding = LowRankUpdate(down: downRows, up: try table(up, rows: 0..<up.rowCount), scale: scale)
        } else {
            try add(name, down: downRows, up: up, scale: scale, rank: rank, target)
        }
        maxRank = max(maxRank, rank)
        tensorCount += 1
    }

    /// The model's tensor of a name; for the output head of a model that has none of its own, the embedding table.
    private func target(_ name: String) -> GGUFTensor? {
        model.file.tensor(name) ?? (name == Self.outputName ? model.file.tensor(Self.embeddingName) : nil)
    }

    /// Checks both shapes against the model's tensor and gives the rank.
    private func rank(
        _ name: String, _ down: GGUFTensor, _ up: GGUFTensor, _ target: GGUFTensor, isEmbedding: Bool
    ) throws -> Int {
        guard let d = Self.sizes(down), let u = Self.sizes(up), let t = Self.sizes(target) else {
            throw invalid("tensor \(ShownText.of(down.name)) has more than 3 dimensions", field: down.name)
        }
        // Of an embedding table, A has a row for each token.
        let (inputs, downRank) = isEmbedding ? (d.1, d.0) : (d.0, d.1)
        let wanted = isEmbedding ? (t.1, t.0) : (t.0, t.1)
        guard inputs == wanted.0, u.1 == wanted.1, d.2 == t.2, u.2 == t.2 else {
            throw invalid(
                "tensors \(ShownText.of(down.name)) \(Self.text(down.shape)) and \(Self.upSuffix) \(Self.text(up.shape)) do not fit \(ShownText.of(name)) \(Self.text(target.shape)) of the model: the adapter is of another model",
                field: down.name)
        }
        guard downRank == u.0 else {
            throw invalid(
                "tensors \(ShownText.of(down.name)) \(Self.text(down.shape)) and \(Self.upSuffix) \(Self.text(up.shape)) have ranks of \(downRank) and \(u.0): they have to be the same; convert the adapter again",
                field: down.name)
        }
        guard downRank <= max(wanted.0, wanted.1) else {
            throw invalid(
                "tensor \(ShownText.of(down.name)) has a rank of \(downRank), more than \(ShownText.of(name)) has inputs or outputs: the file is damaged",
                field: down.name)
        }
        return downRank
    }

    private static func sizes(_ tensor: GGUFTensor) -> (Int, Int, Int)? {
        let shape = tensor.shape + [1, 1, 1]
        guard shape[3...].allSatisfy({ $0 == 1 }) else { return nil }
        return (shape[0], shape[1], shape[2])
    }

    private static func text(_ shape: [Int]) -> String {
        "[" + shape.map(String.init).joined(separator: ", ") + "]"
    }

    /// The type and the data of a tensor.
    private func contents(_ tensor: GGUFTensor) throws -> (type: Int32, base: UnsafeRawPointer) {
        let type = Int32(bitPattern: tensor.type.rawValue)
        guard leap_activation_kind(type) >= 0 else {
            throw invalid(
                "tensor \(ShownText.of(tensor.name)) is of type \(tensor.type.name), which cannot be computed with: convert the adapter to F32, F16, BF16 or Q8_0",
                field: tensor.name)
        }
        guard let base = tensor.data.baseAddress, tensor.data.count >= tensor.byteCount else {
            throw invalid("tensor \(ShownText.of(tensor.name)) has no data: the file is incomplete", field: tensor.name)
        }
        return (type, base)
    }

    /// Some rows of a tensor, turned.
    private mutating func table(_ tensor: GGUFTensor, rows: Range<Int>) throws -> LowRankTable {
        let (type, base) = try contents(tensor)
        let (rank, rowBytes) = (tensor.rowElementCount, tensor.rowByteCount)
        let table = LowRankTable(rank: rank, columns: rows.count) { row, out in
            leap_dequantize_row(type, base + (rows.lowerBound + row) * rowBytes, out, Int64(rank))
        }
        unpackedByteCount += table.values.byteCount
        return table
    }

    /// All rows of a tensor as one matrix, in a type that is computed with without rounding its inputs.
    private mutating func rows(_ tensor: GGUFTensor) throws -> WeightMatrix {
        let (type, base) = try contents(tensor)
        let (rows, columns) = (tensor.rowCount, tensor.rowElementCount)
        if tensor.type == .f32 || tensor.type == .f16 {
            return WeightMatrix(
                data: base, type: type, rows: rows, columns: columns, rowBytes: tensor.rowByteCount)
        }
        let values = FloatVector(count: rows * columns) { out in
            for row in 0..<rows {
                leap_dequantize_row(type, base + row * tensor.rowByteCount, out + row * columns, Int64(columns))
            }
        }
        unpacked.append(values)
        unpackedByteCount += values.byteCount
        return WeightMatrix(
            data: values.pointer, type: Int32(LEAP_F32), rows: rows, columns: columns,
            rowBytes: columns * MemoryLayout<Float>.stride)
    }

    /// Enters what is added to each of the matrices that a tensor holds: several where it is fused, or a stack of experts.
    private mutating func add(
        _ name: String, down: WeightMatrix, up: GGUFTensor, scale: Float, rank: Int, _ target: GGUFTensor
    ) throws {
        let data = target.data
        guard let base = data.baseAddress else {
            throw invalid("tensor \(ShownText.of(name)) of the model has no data", field: name)
        }
        let range = UInt(bitPattern: base)..<UInt(bitPattern: base) + UInt(data.count)
        let parts = matrices.filter { range.contains($0.address) }
        guard !parts.isEmpty else {
            throw invalid(
                "tensor \(ShownText.of(name)) of the model is not one that inputs are multiplied with: it cannot be adapted; merge the adapter into its model instead",
                field: name)
        }
        // Rows of one matrix of a stack.
        let height = target.shape.count > 1 ? target.shape[1] : 1
        for part in parts {
            let row = Int(part.address - range.lowerBound) / target.rowByteCount
            let (index, first) = row.quotientAndRemainder(dividingBy: height)
            let start = index * height + first
            updates[part.address] = LowRankUpdate(
                down: down.rows(index * rank..<(index + 1) * rank), up: try table(up, rows: start..<start + part.rows),
                scale: scale)
        }
    }
}
