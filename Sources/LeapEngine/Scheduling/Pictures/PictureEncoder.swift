import LeapBase
import LeapTokenizer

/// Encodes the pictures of prompts, and keeps the vectors of the latest ones.
///
/// A prompt that diverges within a page behind a picture has to compute some of its positions again; the tower need not run for that.
final class PictureEncoder {
    let encoder: VisionEncoder
    private let pass: VisionPass
    private let memory: MemoryPool
    /// The one that was used last is at the end.
    private var kept: [(tokens: [TokenID], vectors: AlignedMemory)] = []

    init(_ encoder: VisionEncoder, kernels: Kernels, memory: MemoryPool) {
        self.encoder = encoder
        self.memory = memory
        pass = VisionPass(encoder, kernels: kernels, memory: memory)
    }

    /// The vectors for a picture's tokens; nil if it was stopped.
    func vectors(
        for tokens: ArraySlice<TokenID>, _ input: PictureInput, shouldContinue: () -> Bool
    ) throws -> AlignedMemory? {
        if let index = kept.firstIndex(where: { $0.tokens[...] == tokens }) {
            kept.append(kept.remove(at: index))
            return kept[kept.count - 1].vectors
        }
        let patches = try input.patches()
        guard let values = try pass.encode(patches, shouldContinue: shouldContinue) else { return nil }
        guard values.count == tokens.count * encoder.outputLength else {
            throw EngineError(
                .invalidOption,
                "a picture has \(values.count / encoder.outputLength) vectors and \(tokens.count) positions in the prompt",
                field: "pictures")
        }
        let vectors = try AlignedMemory(byteCount: values.count * MemoryLayout<Float>.stride, pool: memory)
        values.withUnsafeBytes { vectors.base.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
        kept.append((Array(tokens), vectors))
        while kept.count > 1, kept.reduce(0, { $0 + $1.vectors.byteCount }) > KeptPictures.maxVectorBytes {
            kept.removeFirst()
        }
        return vectors
    }

    /// Whether ``releaseMemory()`` gives anything back.
    var holdsMemory: Bool { !kept.isEmpty || pass.holdsMemory }

    /// Gives memory back.
    func releaseMemory() {
        kept.removeAll()
        pass.releaseMemory()
    }
}
