package import LeapBase
package import LeapGGUF

/// A LoRA adapter of one model: small matrices that are added to products with the model's own, which stay as they are.
///
/// It is immutable and may be used by any number of sequences at once. It keeps its file mapped, and its model, while
/// it lives.
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
    /// The updates of products, by the place where the model's matrix begins.
    package let updates: [TensorPlace: LowRankUpdate]
    /// The update of rows of the embedding table; nil where there is none.
    package let embedding: LowRankUpdate?

    /// Loads an adapter for a model.
    ///
    /// - Parameter useMmap: false reads the file into memory instead of mapping it.
    /// - Throws: `GGUFError`; ``EngineError`` with code `invalidAdapter` if the file is not an adapter, or not of this
    ///   model.
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
        updates = reader.updates
        embedding = reader.embedding
    }

}
