package import LeapBase
package import LeapGGUF
import LeapTokenizer

/// Tells the weights of files apart.
package enum WeightIdentity {
    /// Counts changes of what is hashed.
    private static let version: UInt64 = 2
    private static let sampleLength = 64

    /// A hash of the model alone, for state that moves between machines: no dates, which copies do not keep.
    package static func of(_ model: Model) -> StableHash {
        var hash = StableHash(seed: version)
        hash.combine(model.architecture)
        hash.combine(UInt64(model.tokenizer.vocabularySize))
        combineTensors(model.file, into: &hash)
        return hash
    }

    /// A hash of the tensors of any file.
    static func ofTensors(_ file: GGUFFile) -> StableHash {
        var hash = StableHash(seed: version)
        combineTensors(file, into: &hash)
        return hash
    }

    /// Adds the tensors' names, types, shapes and some of their bytes.
    package static func combineTensors(_ file: GGUFFile, into hash: inout StableHash) {
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

    /// Adds how positions are turned: the rotation is chosen by the context size in some models, and by metadata in
    /// all.
    package static func combineRopes(_ model: Model, contextSize: Int, into hash: inout StableHash) {
        for rope in model.layers.stack.ropes {
            let (inverse, factor) = rope.frequencies(contextSize: contextSize)
            inverse.withUnsafeBytes { hash.combine($0) }
            hash.combine(UInt64(factor.bitPattern))
        }
    }
}
