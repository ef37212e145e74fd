import LeapBase
import LeapTokenizer

/// Encodes the pictures and sounds of prompts, and keeps the vectors of the latest ones.
///
/// A prompt that diverges within a page behind a picture has to compute some of its positions again; the encoder need not run for that.
final class PromptEncoder {
    let encoder: any MediaEncoder
    private let pass: any MediaPass
    private let memory: MemoryPool
    private var kept = LatestValues<[TokenID], AlignedMemory>(maxBytes: KeptMedia.maxVectorBytes) { $0.byteCount }

    init(_ encoder: any MediaEncoder, kernels: Kernels, memory: MemoryPool) {
        self.encoder = encoder
        self.memory = memory
        pass = encoder.makePass(kernels: kernels, memory: memory)
    }

    /// The vectors for an input's tokens; nil if it was stopped.
    func vectors(
        for tokens: ArraySlice<TokenID>, _ input: MediaInput, shouldContinue: () -> Bool
    ) throws -> AlignedMemory? {
        let tokens = Array(tokens)
        if let vectors = kept.use(tokens) { return vectors }
        guard let values = try pass.encode(try input.content(), shouldContinue: shouldContinue) else { return nil }
        guard values.count == tokens.count * encoder.outputLength else {
            throw EngineError(
                .invalidOption,
                "a \(input.medium) has \(values.count / encoder.outputLength) vectors and \(tokens.count) positions in the prompt",
                field: "media")
        }
        let vectors = try AlignedMemory(byteCount: values.count * MemoryLayout<Float>.stride, pool: memory)
        values.withUnsafeBytes { vectors.base.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
        kept.keep(vectors, for: tokens)
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
