import LeapCompute
import LeapModel

/// Makes generations that run, of an engine's model.
struct GenerationMaker {
    /// The tokens that outputs can hold.
    let vocabulary: OutputVocabulary
    /// The number of floats of a vector that takes the place of a token.
    let embeddingLength: Int
    /// The number of vectors that follow each of a picture.
    let additionCount: Int
    /// True if each picture has to be computed in one piece.
    let keepsImagesWhole: Bool
    /// The maximum number of positions of a sequence.
    let contextSize: Int
    let counters: EngineCounters
    let drafting: Drafting
    let speech: FrameWriter

    /// Begins a generation from what its session's state holds of the prompt.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func make(_ waiting: WaitingGeneration, in slot: SessionSlots.Slot) throws(EngineError) -> ActiveGeneration {
        let request = waiting.request
        let draft = drafting.begin(request, in: slot)
        let speech = try speech.begin(request)
        let media =
            request.media.isEmpty
            ? nil
            : PromptMedia(
                request.media, prompt: request.prompt, length: embeddingLength, additionCount: additionCount,
                keepsImagesWhole: keepsImagesWhole)
        return ActiveGeneration(
            waiting, state: slot.state, vocabulary: vocabulary, media: media, draft: draft, speech: speech,
            contextSize: contextSize, counters: counters)
    }
}
