import LeapBase
import LeapGGUF

/// A LoRA adapter of one model: small matrices that are added to products with the model's own, which stay as they are.
///
/// It is immutable and may be used by any number of sequences at once. The first of each two matrices is used where it lies in the file if
/// it is stored as F32 or F16; what is stored otherwise, and the second ones, are kept in memory as F32. The adapter keeps its file mapped, and its model, while it lives.
package final class Adapter: Sendable {
    /// The file it came from.
    package let file: GGUFFile
    /// The only model it can be used with.
    package let model: Model
    /// The factor that it was trained with, which is divided by the rank; nil where the file has none.
    package let alpha: Float?
    /// The largest rank of its matrices.
    package let rank: Int
    /// The number of the model's tensors that it changes.
    package let tensorCount: Int
    /// A hash of all it adds: of names, types, shapes, factors and every byte of its matrices.
    package let identity: StableHash
    /// What was unpacked of the file, into which matrices point.
    private let unpacked: [FloatVector]
    /// By the address of the matrix's first byte.
    private let updates: [UInt: LowRankUpdate]
    /// What is added to rows of the embedding table.
    let embedding: LowRankUpdate?

    /// Loads an adapter for a model.
    ///
    /// - Parameter useMmap: false reads the file into memory instead of mapping it.
    /// - Throws: `GGUFError`; ``EngineError`` with code `invalidAdapter` where the file is no adapter, or not of this model.
    package static func load(path: String, for model: Model, useMmap: Bool = true) throws -> Adapter {
        try load(file: try GGUFFile.open(path: path, useMmap: useMmap), for: model)
    }

    /// Loads the adapter of an open file.
    ///
    /// - Throws: as ``load(path:for:useMmap:)``.
    package static func load(file: GGUFFile, for model: Model) throws -> Adapter {
        Adapter(try AdapterReader(file: file, model: model), model)
    }

    private init(_ reader: AdapterReader, _ model: Model) {
        file = reader.file
        self.model = model
        alpha = reader.alpha
        rank = reader.maxRank
        tensorCount = reader.tensorCount
        identity = reader.identity
        unpacked = reader.unpacked
        unpackedByteCount = reader.unpackedByteCount
        updates = reader.updates
        embedding = reader.embedding
    }

    /// Bytes of what was unpacked, beside the file.
    package let unpackedByteCount: Int

    /// What is added to products with a matrix; nil where it stays as it is.
    func update(of matrix: WeightMatrix) -> LowRankUpdate? { updates[matrix.address] }
}

extension WeightMatrix {
    /// Where its first byte lies: no other matrix begins there, but for the output head where it is the embedding table.
    var address: UInt { UInt(bitPattern: kernel.data) }
}
