import LeapBase
import LeapGGUF

/// Reads an adapter's file and checks that it fits a model.
///
/// This is the validation boundary for an adapter's sizes: whoever computes trusts what comes out of here.
struct AdapterReader {
    let file: GGUFFile
    private let model: Model
    private let matrices: [Matrix]
    private(set) var alpha: Float?
    private(set) var maxRank = 0
    private(set) var tensorCount = 0
    private(set) var identity = StableHash(seed: 1)
    private(set) var updates: [TensorPlace: LowRankUpdate] = [:]
    private(set) var embedding: LowRankUpdate?

    private static let downSuffix = ".lora_a"
    private static let upSuffix = ".lora_b"
    private static let embeddingName = "token_embd.weight"
    private static let outputName = "output.weight"

    /// Reads everything.
    init(file: GGUFFile, model: Model) throws {
        self.file = file
        self.model = model
        matrices = model.layers.matrices
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
                "general.type is \(Self.quoted(type)), not \"adapter\": the file is not an adapter; give a LoRA adapter in GGUF, as llama.cpp's convert_lora_to_gguf.py writes it",
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
                "it is an activated LoRA (adapter.alora.invocation_tokens), which starts at certain tokens: only adapters that apply to every token are supported",
                field: "adapter.alora.invocation_tokens")
        }
    }

    private func checkArchitecture() throws {
        let architecture = try file.metadata.string("general.architecture")
        guard architecture == model.architecture else {
            throw invalid(
                "it is for the architecture \(Self.quoted(architecture)), but the model \(ShownText.of(model.file.path, limit: 4096)) is \(model.architecture): load it with the model it was trained for",
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
            "tensor \(ShownText.of(missing)) is missing, the other half of the change to \(ShownText.of(name)): the file is incomplete; convert it again",
            field: missing)
    }

    private mutating func read(_ name: String) throws {
        guard let down = file.tensor(name + Self.downSuffix) else { throw missingHalf(name + Self.downSuffix, name) }
        guard let up = file.tensor(name + Self.upSuffix) else { throw missingHalf(name + Self.upSuffix, name) }
        guard let target = target(name) else {
            throw invalid(
                "the model has no tensor \(ShownText.of(name)): the adapter is for another model", field: down.name)
        }
        let isEmbedding = name == Self.embeddingName
        let rank = try rank(name, down, up, target, isEmbedding: isEmbedding)
        for tensor in [down, up] {
            identity.combine(tensor.name)
            identity.combine(UInt64(tensor.type.rawValue))
            for size in tensor.shape { identity.combine(UInt64(size)) }
            identity.combine(tensor.data)
        }
        let scale = alpha.map { $0 / Float(rank) } ?? 1
        let (downRows, upRows) = (try matrix(down), try matrix(up))
        if isEmbedding {
            embedding = LowRankUpdate(down: downRows, up: upRows, scale: scale)
        } else {
            try add(name, down: downRows, up: upRows, scale: scale, rank: rank, target)
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
                "tensors \(ShownText.of(down.name)) \(Self.text(down.shape)) and \(Self.upSuffix) \(Self.text(up.shape)) do not fit \(ShownText.of(name)) \(Self.text(target.shape)) of the model: the adapter is for another model",
                field: down.name)
        }
        guard downRank == u.0 else {
            throw invalid(
                "tensors \(ShownText.of(down.name)) \(Self.text(down.shape)) and \(Self.upSuffix) \(Self.text(up.shape)) have ranks of \(downRank) and \(u.0): they have to be the same; convert the adapter again",
                field: down.name)
        }
        guard downRank <= max(wanted.0, wanted.1) else {
            throw invalid(
                "tensor \(ShownText.of(down.name)) has a rank of \(downRank), more than \(ShownText.of(name)) has inputs or outputs: the file is damaged: get it again",
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

    /// All rows of a tensor.
    private func matrix(_ tensor: GGUFTensor) throws -> Matrix {
        guard tensor.type.isComputable else {
            throw invalid(
                "tensor \(ShownText.of(tensor.name)) is of type \(tensor.type.name), which is not supported: convert the adapter to F32, F16, BF16 or Q8_0",
                field: tensor.name)
        }
        guard tensor.data.baseAddress != nil, tensor.data.count >= tensor.byteCount else {
            throw invalid("tensor \(ShownText.of(tensor.name)) has no data: the file is incomplete", field: tensor.name)
        }
        return Matrix(
            TensorReference(tensor), rows: tensor.rowCount, columns: tensor.rowElementCount,
            rowByteCount: tensor.rowByteCount)
    }

    /// Enters what is added to each of the matrices that a tensor holds: several where it is fused, or a stack of
    /// experts.
    private mutating func add(
        _ name: String, down: Matrix, up: Matrix, scale: Float, rank: Int, _ target: GGUFTensor
    ) throws {
        guard target.data.baseAddress != nil else {
            throw invalid("tensor \(ShownText.of(name)) of the model has no data", field: name)
        }
        let range = target.fileOffset..<target.fileOffset + target.byteCount
        let parts = matrices.map(\.place).enumerated().filter {
            $0.element.file == target.fileIdentity && range.contains($0.element.offset)
        }
        guard !parts.isEmpty else {
            throw invalid(
                "tensor \(ShownText.of(name)) of the model is not a weight matrix: an adapter cannot change it; merge the adapter into its model instead",
                field: name)
        }
        // Rows of one matrix of a stack.
        let height = target.shape.count > 1 ? target.shape[1] : 1
        for (number, place) in parts {
            let row = (place.offset - range.lowerBound) / target.rowByteCount
            let (index, first) = row.quotientAndRemainder(dividingBy: height)
            let start = index * height + first
            updates[place] = LowRankUpdate(
                down: down.rows(index * rank..<(index + 1) * rank),
                up: up.rows(start..<start + matrices[number].rows), scale: scale)
        }
    }
}
