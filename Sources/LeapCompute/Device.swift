package import LeapModel

/// A device that computes: the threads of a processor, for example.
///
/// What it makes is used by one thread at a time, the same for all of it.
package protocol Device: AnyObject {
    /// Prepares for a model.
    ///
    /// - Parameters:
    ///   - keyValueType: element type of cached keys and values.
    ///   - contextSize: the maximum number of positions of any sequence; some models rotate differently for long
    ///     contexts.
    ///   - memory: where pages and scratch memory come from.
    func makeExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor

    /// Prepares for a model and its layers that predict further tokens.
    ///
    /// - Parameter draftLayers: nil where none are used. Where ``Executor/draftLayers`` is nil all the same, the device
    ///   does not run them.
    func makeExecutor(
        for model: Model, draftLayers: DraftLayers?, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor

    /// Prepares for a drafter of a model.
    ///
    /// - Parameter contextSize: the maximum number of positions of any sequence.
    func makeDraftExecutor(
        for drafter: BlockDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any BlockDraftExecutor

    /// Prepares for a drafter that reads the keys and values of a model, whose executor this device made.
    ///
    /// - Parameters:
    ///   - keyValueType: element type of the model's cached keys and values.
    ///   - contextSize: the maximum number of positions of any of the model's sequences.
    func makeAssistantExecutor(
        for drafter: AssistantDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any DraftStepExecutor

    /// Prepares for an encoder of pictures or sound.
    func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass

    /// Prepares for a decoder of speech.
    func makeSpeechExecutor(for decoder: SpeechDecoder, memory: MemoryPool) throws(EngineError) -> any SpeechExecutor

    /// Lets at most so many threads of the processor compute from the next call on; results keep their bits.
    ///
    /// A limit above the number of threads that were started is that number.
    func limitThreads(to count: Int)
}

extension Device {
    /// Nothing, for devices without threads.
    package func limitThreads(to count: Int) {}
}

/// Runs what prompts hold through an encoder; used by one thread at a time.
package protocol MediaPass: AnyObject {
    /// The vectors of a content, one after the other; nil if it was stopped.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`, or `invalidOption` for what the encoder does not read.
    func encode(_ content: MediaContent, shouldContinue: () -> Bool) throws(EngineError) -> [Float]?

    /// Names what computes vectors besides the processor; nil where nothing does.
    var arithmetic: String? { get }

    /// True if scratch memory is taken.
    var holdsMemory: Bool { get }

    /// Gives the scratch memory back.
    func releaseMemory()
}

extension MediaPass {
    package var arithmetic: String? { nil }
}

/// Runs a decoder of speech for any number of generations; used by one thread at a time.
package protocol SpeechExecutor: AnyObject {
    var decoder: SpeechDecoder { get }

    /// Writes the vector that the language model reads for a frame: the sum of its codes' embeddings.
    func embed(_ frame: SpeechFrame, into out: UnsafeMutablePointer<Float>)

    /// The state of one generation's sound, which goes on from frame to frame.
    func makeAudioState() -> SequenceState

    /// Writes the next frame of several generations.
    ///
    /// - Parameters:
    ///   - vectors: the language model's vector of each, `[generations][inputLength]`.
    ///   - order: all codebooks in the order in which a generation's codes are drawn; asked for where the decoder writes
    ///     in passes.
    ///   - draw: chooses a code from the logits of one generation's codebook; nil where there is none to choose.
    /// - Returns: a frame for each; nil where `draw` found none.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func frames(
        _ vectors: [Float], order: (_ generation: Int) -> [Int],
        draw: (_ generation: Int, _ codebook: Int, UnsafeMutableBufferPointer<Float>) -> Int?
    ) throws(EngineError) -> [SpeechFrame?]

    /// The spectra of the next frame of several generations.
    ///
    /// - Parameter frames: the state of each generation's sound and its frame, which is not the end.
    /// - Returns: for each the logarithms of magnitudes and the phases, `[spectraPerFrame][spectrumLength]`.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func spectra(_ frames: [(state: SequenceState, frame: SpeechFrame)]) throws(EngineError) -> [[Float]]

    /// True if scratch memory is taken.
    var holdsMemory: Bool { get }

    /// Gives scratch memory back.
    func releaseMemory()
}

extension SpeechExecutor {
    /// Writes the next frame of several generations, the codebooks in their order.
    package func frames(
        _ vectors: [Float], draw: (_ generation: Int, _ codebook: Int, UnsafeMutableBufferPointer<Float>) -> Int?
    ) throws(EngineError) -> [SpeechFrame?] {
        try frames(vectors, order: { [decoder] _ in Array(0..<decoder.form.codebookCount) }, draw: draw)
    }
}
