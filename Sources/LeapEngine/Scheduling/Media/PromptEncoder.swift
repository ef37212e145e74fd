import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// Encodes the pictures, sounds and frames of speech of prompts, and keeps the vectors of the latest ones.
///
/// A prompt that diverges within a page behind a picture has to compute some of its positions again; the encoder need
/// not run for that.
final class PromptEncoder {
    /// The encoders of images and audio.
    let encoders: [any MediaEncoder]
    /// The encoder of each of them, in the same order.
    private let passes: [any MediaPass]
    /// The executor that reads frames of speech; nil where nothing does.
    private let speech: (any SpeechExecutor)?
    private let memory: MemoryPool
    private var kept = LatestValues<[TokenID], AlignedMemory>(maxBytes: KeptMedia.maxVectorBytes) { $0.byteCount }

    /// - Throws: ``EngineError`` with code `outOfMemory`.
    init(
        _ encoders: [any MediaEncoder], speech: (any SpeechExecutor)? = nil, device: any Device, memory: MemoryPool
    ) throws(EngineError) {
        self.encoders = encoders
        self.speech = speech
        self.memory = memory
        var passes: [any MediaPass] = []
        for encoder in encoders { passes.append(try device.makePass(for: encoder, memory: memory)) }
        self.passes = passes
    }

    /// Names what computes vectors besides the processor; nil where nothing does.
    var arithmetic: String? { passes.lazy.compactMap(\.arithmetic).first }

    /// The vectors that are kept for an input's tokens.
    func keptVectors(for tokens: ArraySlice<TokenID>) -> AlignedMemory? { kept.use(Array(tokens)) }

    /// The vectors for an input's tokens; nil if it was stopped.
    ///
    /// - Parameter content: what the input is.
    func vectors(
        for tokens: ArraySlice<TokenID>, _ medium: Medium, _ content: MediaContent, shouldContinue: () -> Bool
    ) throws(EngineError) -> AlignedMemory? {
        let tokens = Array(tokens)
        if case .speech(let frames) = content { return try embed(frames, count: tokens.count) }
        guard let index = encoders.firstIndex(where: { $0.medium == medium }) else { throw .readsNo(medium) }
        guard let values = try passes[index].encode(content, shouldContinue: shouldContinue) else { return nil }
        try check(values.count / encoders[index].vectorStride, medium, count: tokens.count)
        let vectors = try AlignedMemory(byteCount: values.count * MemoryLayout<Float>.stride, pool: memory)
        values.withUnsafeBytes { vectors.base.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
        kept.keep(vectors, for: tokens)
        return vectors
    }

    /// The vectors of frames; looking them up costs less than keeping them.
    private func embed(_ frames: [SpeechFrame], count: Int) throws(EngineError) -> AlignedMemory {
        guard let speech else { throw .readsNo(.speech) }
        try check(frames.count, .speech, count: count)
        let codes = speech.decoder.form.codebookCount
        if let frame = frames.first(where: { $0.codes.count != codes }) {
            throw EngineError(
                .invalidOption,
                "a frame of speech has \(frame.codes.count) codes, but those of the decoder have \(codes): it is another model's",
                field: "media")
        }
        let length = speech.decoder.inputLength
        let vectors = try AlignedMemory(
            byteCount: count * length * MemoryLayout<Float>.stride, pool: memory)
        let base = vectors.base.assumingMemoryBound(to: Float.self)
        for (index, frame) in frames.enumerated() { speech.embed(frame, into: base + index * length) }
        return vectors
    }

    private func check(_ vectorCount: Int, _ medium: Medium, count: Int) throws(EngineError) {
        guard vectorCount == count else {
            throw EngineError(
                .invalidOption,
                "a \(medium.rawValue) has \(vectorCount) vectors and \(count) positions in the prompt", field: "media")
        }
    }

    /// True if ``releaseMemory()`` gives anything back.
    var holdsMemory: Bool { !kept.isEmpty || passes.contains(where: \.holdsMemory) }

    /// Gives memory back.
    func releaseMemory() {
        kept.removeAll()
        for pass in passes { pass.releaseMemory() }
    }
}
