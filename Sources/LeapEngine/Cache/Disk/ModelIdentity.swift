import LeapBase
import LeapCompute
import LeapGGUF
import LeapModel

/// Tells whether cached state was computed by the same model in the same way.
enum ModelIdentity {
    /// Counts changes of what is in a page.
    private static let version: UInt64 = 2

    /// A hash of the file's size and date, of the tensors' names, types, shapes and some of their bytes, of the pages'
    /// layout, and of the arithmetic: the same tokens give the same bits on one of these only.
    ///
    /// The date stands for the bytes that are not looked at: a copy of the file with a date of its own counts as
    /// another model.
    static func of(_ model: Model, _ memory: any StateMemory, contextSize: Int) -> StableHash {
        var hash = StableHash(seed: version)
        hash.combine(memory.arithmetic)
        hash.combine(memory.keyValueType.rawValue)
        hash.combine(UInt64(memory.pageByteCount))
        hash.combine(model.architecture)
        for path in model.file.partPaths {
            guard let status = FileSystem.status(of: path) else { continue }
            hash.combine(UInt64(bitPattern: status.byteCount))
            hash.combine(UInt64(bitPattern: status.modified))
        }
        WeightIdentity.combineRopes(model, contextSize: contextSize, into: &hash)
        WeightIdentity.combineTensors(model.file, into: &hash)
        return hash
    }

    /// A hash of all that state depends on besides the file's name and date: the model, the arithmetic, the pages'
    /// layout, and how positions are turned.
    static func ofState(_ model: Model, _ memory: any StateMemory, contextSize: Int) -> StableHash {
        var hash = WeightIdentity.of(model)
        hash.combine(memory.arithmetic)
        hash.combine(memory.keyValueType.rawValue)
        hash.combine(UInt64(memory.pageByteCount))
        WeightIdentity.combineRopes(model, contextSize: contextSize, into: &hash)
        return hash
    }
}
