import LeapAudio
import LeapCompute
import LeapModel
import LeapTokenizer

/// The speech of one generation: what comes next, how codes are drawn, and the sound so far.
final class GeneratedSpeech: InputVectors {
    private let executor: any SpeechExecutor
    private var schedule: SpeechSchedule
    private var sampler: CodeSampler
    /// The frames by their positions behind the prompt.
    private var frames: [Int: SpeechFrame] = [:]
    private let promptCount: Int
    /// The vector that was asked for last.
    private let vector: AlignedMemory
    /// Positions of the sound that were computed; nil where none is in progress.
    private(set) var sound: SequenceState?
    private var synthesis: SpectrumSynthesis

    /// - Parameter prompt: the whole of it; speech begins at once where it ends with the token that begins speech.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    init(
        _ request: SpeechRequest, _ executor: any SpeechExecutor, prompt: [TokenID], memory: MemoryPool
    ) throws(EngineError) {
        self.executor = executor
        promptCount = prompt.count
        schedule = SpeechSchedule(
            request.order, start: request.start, textEnd: request.textEnd, isBehind: prompt.last)
        sampler = CodeSampler(
            executor.decoder, request.sampling.filled(from: executor.decoder.sampling(for: request.order)))
        vector = try AlignedMemory(byteCount: executor.decoder.inputLength * MemoryLayout<Float>.stride, pool: memory)
        synthesis = Self.synthesis(executor.decoder)
    }

    private static func synthesis(_ decoder: SpeechDecoder) -> SpectrumSynthesis {
        SpectrumSynthesis(window: decoder.window, hop: CodeDecoder.hop)
    }

    /// True if a frame comes next, rather than a token.
    var isSpeaking: Bool { schedule.isSpeaking }

    /// Takes note of a token that became part of the output.
    func note(token: TokenID) { schedule.note(token: token) }

    /// Takes note of a frame that became part of the output, at an index behind the prompt.
    func note(frame: SpeechFrame, at index: Int) {
        frames[index] = frame
        sampler.accept(frame)
        schedule.note(frame: frame)
    }

    /// The codebooks in the order in which the next frame's codes are drawn.
    func nextOrder() -> [Int] { sampler.nextOrder() }

    /// The code to write next; nil where no logit is a number.
    func draw(codebook: Int, from logits: UnsafeMutableBufferPointer<Float>) -> Int? {
        sampler.draw(codebook: codebook, from: logits)
    }

    /// The state that the next frame of sound goes on from.
    func audioState() -> SequenceState {
        if let sound { return sound }
        let state = executor.makeAudioState()
        sound = state
        return state
    }

    /// The samples that are known with a frame's spectra.
    func samples(_ spectra: [Float]) -> [Float] { synthesis.append(spectra) }

    /// The last samples of a sound that has ended; none where there is no sound.
    func endAudio() -> [Float] {
        guard sound != nil else { return [] }
        let rest = synthesis.finish()
        sound = nil
        synthesis = Self.synthesis(executor.decoder)
        return rest
    }

    func vector(at position: Int) -> UnsafePointer<Float> {
        guard let frame = frames[position - promptCount] else {
            preconditionFailure("negative tokens after a prompt are frames")
        }
        let out = vector.base.assumingMemoryBound(to: Float.self)
        executor.embed(frame, into: out)
        return UnsafePointer(out)
    }
}

/// The vectors of a prompt, and those of the output behind it.
final class GenerationVectors: InputVectors {
    private let prompt: PromptMedia?
    private let output: GeneratedSpeech?
    private let promptCount: Int

    /// nil where all tokens are ids of the vocabulary.
    init?(prompt: PromptMedia?, output: GeneratedSpeech?, promptCount: Int) {
        guard prompt != nil || output != nil else { return nil }
        self.prompt = prompt
        self.output = output
        self.promptCount = promptCount
    }

    func vector(at position: Int) -> UnsafePointer<Float> { vectors(of: position).vector(at: position) }

    func addition(at position: Int, layer: Int) -> UnsafePointer<Float>? {
        vectors(of: position).addition(at: position, layer: layer)
    }

    private func vectors(of position: Int) -> any InputVectors {
        guard let vectors: any InputVectors = position < promptCount ? prompt : output else {
            preconditionFailure("a sequence with negative tokens has vectors for them")
        }
        return vectors
    }
}
