import CLeapKernels
import LeapBase
import LeapGGUF

/// Tells whether cached state was computed by the same model in the same way.
enum ModelIdentity {
    /// Counts changes of what is in a page or of the arithmetic that fills it.
    private static let version: UInt64 = 2
    private static let sampleLength = 64

    /// A hash of the file's size and date, of the tensors' names, types, shapes and some of their bytes, of the layout, and of the
    /// instruction set: the same tokens give the same bits on one of these only.
    ///
    /// The date stands for the bytes that are not looked at: a copy of the file with a date of its own counts as another model.
    static func of(_ model: Model, _ layout: CacheLayout, contextSize: Int) -> StableHash {
        var hash = StableHash(seed: version)
        hash.combine(String(cString: leap_isa_name()))
        hash.combine(layout.keyValueType.rawValue)
        hash.combine(UInt64(layout.pageByteCount))
        hash.combine(model.architecture)
        for path in model.file.partPaths {
            guard let status = FileSystem.status(of: path) else { continue }
            hash.combine(UInt64(bitPattern: status.byteCount))
            hash.combine(UInt64(bitPattern: status.modified))
        }
        combineRopes(model, contextSize, into: &hash)
        combineTensors(model.file, into: &hash)
        return hash
    }

    /// A hash of the model alone, for state that moves between machines: no dates, which copies do not keep.
    static func ofWeights(_ model: Model) -> StableHash {
        var hash = StableHash(seed: version)
        hash.combine(model.architecture)
        hash.combine(UInt64(model.tokenizer.vocabularySize))
        combineTensors(model.file, into: &hash)
        return hash
    }

    /// A hash of all that state depends on besides the model: the instruction set, the layout, and how positions are turned.
    static func ofState(_ model: Model, _ layout: CacheLayout, contextSize: Int) -> StableHash {
        var hash = ofWeights(model)
        hash.combine(String(cString: leap_isa_name()))
        hash.combine(layout.keyValueType.rawValue)
        hash.combine(UInt64(layout.pageByteCount))
        combineRopes(model, contextSize, into: &hash)
        return hash
    }

    /// The rotation is chosen by the context size in some models, and by metadata in all.
    private static func combineRopes(_ model: Model, _ contextSize: Int, into hash: inout StableHash) {
        for rope in model.decoder.ropes {
            let (inverse, factor) = rope.frequencies(contextSize: contextSize)
            inverse.withUnsafeBytes { hash.combine($0) }
            hash.combine(UInt64(factor.bitPattern))
        }
    }

    /// A hash of the tensors of any file.
    static func ofTensors(_ file: GGUFFile) -> StableHash {
        var hash = StableHash(seed: version)
        combineTensors(file, into: &hash)
        return hash
    }

    private static func combineTensors(_ file: GGUFFile, into hash: inout StableHash) {
        for tensor in file.tensors {
            hash.combine(tensor.name)
            hash.combine(UInt64(tensor.type.rawValue))
            for size in tensor.shape { hash.combine(UInt64(size)) }
            let data = tensor.data
            for start in [0, data.count / 2, data.count - sampleLength] {
                let start = max(start, 0)
                hash.combine(UnsafeRawBufferPointer(rebasing: data[start..<min(start + sampleLength, data.count)]))
            }
        }
    }
}
