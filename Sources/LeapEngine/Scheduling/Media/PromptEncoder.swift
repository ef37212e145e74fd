import LeapBase
import LeapTokenizer

/// Encodes the pictures, sounds and frames of speech of prompts, and keeps the vectors of the latest ones.
///
/// A prompt that diverges within a page behind a picture has to compute some of its positions again; the encoder need not run for that.
final class PromptEncoder {
    /// What reads pictures or sound; nil where nothing does.
    let encoder: (any MediaEncoder)?
    private let pass: (any MediaPass)?
    /// What reads frames of speech; nil where nothing does.
    private let speech: SpeechDecoder?
    private let memory: MemoryPool
    private var kept = LatestValues<[TokenID], AlignedMemory>(maxBytes: KeptMedia.maxVectorBytes) { $0.byteCount }

    init(_ encoder: (any MediaEncoder)?, speech: SpeechDecoder? = nil, kernels: Kernels, memory: MemoryPool) {
        self.encoder = encoder
        self.speech = speech
        self.memory = memory
        pass = encoder?.makePass(kernels: kernels, memory: memory)
    }

    /// The vectors for an input's tokens; nil if it was stopped.
    func vectors(
        for tokens: ArraySlice<TokenID>, _ input: MediaInput, shouldContinue: () -> Bool
    ) throws -> AlignedMemory? {
        let tokens = Array(tokens)
        if let vectors = kept.use(tokens) { return vectors }
        let content = try input.content()
        if case .speech(let frames) = content { return try embed(frames, count: tokens.count) }
        guard let pass, let encoder else { throw EngineError.readsNo(input.medium) }
        guard let values = try pass.encode(content, shouldContinue: shouldContinue) else { return nil }
        try check(values.count / encoder.outputLength, input.medium, count: tokens.count)
        let vectors = try AlignedMemory(byteCount: values.count * MemoryLayout<Float>.stride, pool: memory)
        values.withUnsafeBytes { vectors.base.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
        kept.keep(vectors, for: tokens)
        return vectors
    }

    /// The vectors of frames; looking them up costs less than keeping them.
    private func embed(_ frames: [SpeechFrame], count: Int) throws(EngineError) -> AlignedMemory {
        guard let speech else { throw .readsNo(.speech) }
        try check(frames.count, .speech, count: count)
        let vectors = try AlignedMemory(
            byteCount: count * speech.inputLength * MemoryLayout<Float>.stride, pool: memory)
        let base = vectors.base.assumingMemoryBound(to: Float.self)
        for (index, frame) in frames.enumerated() { speech.embed(frame, into: base + index * speech.inputLength) }
        return vectors
    }

    private func check(_ vectorCount: Int, _ medium: Medium, count: Int) throws(EngineError) {
        guard vectorCount == count else {
            throw EngineError(
                .invalidOption,
                "a \(medium) has \(vectorCount) vectors and \(count) positions in the prompt", field: "media")
        }
    }

    /// Whether ``releaseMemory()`` gives anything back.
    var holdsMemory: Bool { !kept.isEmpty || pass?.holdsMemory == true }

    /// Gives memory back.
    func releaseMemory() {
        kept.removeAll()
        pass?.releaseMemory()
    }
}
