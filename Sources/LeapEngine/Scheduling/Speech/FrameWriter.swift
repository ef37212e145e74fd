import LeapCompute
import LeapModel

/// Writes the speech of generations whose next piece of output is a frame.
final class FrameWriter: ReclaimableMemory {
    /// Generations whose next frame can be written, and the vector in front of each, `[generations][width]`.
    struct Speaking {
        fileprivate var generations: [ActiveGeneration] = []
        fileprivate var vectors: [Float] = []
    }

    let kind = MemoryKind.speech
    private var speech: (any SpeechExecutor)?
    private let active: ActiveGenerations
    private let pool: MemoryPool

    /// - Parameters:
    ///   - speech: the decoder; nil speaks nothing.
    ///   - active: the generations that run.
    ///   - pool: where the memory of sounds comes from.
    init(_ speech: (any SpeechExecutor)?, active: ActiveGenerations, pool: MemoryPool) {
        self.speech = speech
        self.active = active
        self.pool = pool
    }

    /// True if there is a decoder.
    var isAvailable: Bool { speech != nil }

    /// Prepares the speech of a generation; nil where it may have none.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func begin(_ request: GenerationRequest) throws(EngineError) -> GeneratedSpeech? {
        guard let asked = request.speech, let speech else { return nil }
        return try GeneratedSpeech(asked, speech, prompt: request.prompt, memory: pool)
    }

    /// Copies the vectors of generations that speak from what a step gave, which is valid until the next one.
    func vectors(_ outputs: [Rows], of work: [BatchPart]) -> Speaking {
        var speaking = Speaking()
        for (part, rows) in zip(work, outputs) where part.segment.output == .hidden {
            for row in 0..<rows.count {
                speaking.generations.append(part.generation)
                speaking.vectors += UnsafeBufferPointer(start: rows.row(row), count: rows.length)
            }
        }
        return speaking
    }

    /// Writes the next frames of generations that speak, and their sound.
    ///
    /// - Parameter memory: takes memory from other parts where there is too little.
    func speak(_ output: Speaking, _ memory: MemoryReclaimer) {
        let (speaking, vectors) = (output.generations, output.vectors)
        guard let speech, !speaking.isEmpty else { return }
        // Drawn once, also where writing is tried again with more memory.
        let orders = speaking.map { $0.speech?.nextOrder() ?? [] }
        do throws(EngineError) {
            let frames = try memory.makingRoom(rows: speaking.count) { () throws(EngineError) in
                try speech.frames(vectors, order: { orders[$0] }) {
                    speaking[$0].speech?.draw(codebook: $1, from: $2)
                }
            }
            let sounding = zip(speaking, frames).compactMap { generation, frame in
                frame.flatMap { $0.isEnd ? nil : (generation, $0) }
            }
            var spectra = try memory.makingRoom(rows: sounding.count) { () throws(EngineError) in
                try speech.spectra(
                    sounding.compactMap { generation, frame in
                        generation.speech.map { ($0.audioState(), frame) }
                    })
            }[...]
            for (generation, frame) in zip(speaking, frames) {
                let isAudio = frame.map { !$0.isEnd } ?? false
                let own = isAudio ? spectra.popFirst() ?? [] : []
                guard !generation.task.isCancelled else { continue }
                generation.take(frame, spectra: own, decoder: speech.decoder)
            }
        } catch {
            for generation in speaking { generation.finish(.failed(error)) }
        }
    }

    /// Gives up the decoder's scratch memory while no generation speaks.
    func reclaim(rows: Int) -> Bool {
        guard let speech, !active.isSpeaking, speech.holdsMemory else { return false }
        speech.releaseMemory()
        return true
    }

    /// Lets go of the decoder.
    func unload() { speech = nil }
}
