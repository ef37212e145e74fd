import LeapCompute
import LeapModel

/// Generations whose next piece of output is a frame of speech.
extension EngineCore {
    /// Generations whose next frame can be written, and the vector in front of each, `[generations][width]`.
    struct Speaking {
        var generations: [ActiveGeneration] = []
        var vectors: [Float] = []
    }

    /// The vectors of generations that speak, among what a step gave.
    func vectors(_ outputs: [Rows], of work: [Work]) -> Speaking {
        var speaking = Speaking()
        for ((generation, segment), rows) in zip(work, outputs) where segment.output == .hidden {
            for row in 0..<rows.count {
                speaking.generations.append(generation)
                speaking.vectors += UnsafeBufferPointer(start: rows.row(row), count: rows.length)
            }
        }
        return speaking
    }

    /// Writes the next frames of generations that speak, and their sound.
    func speak(_ output: Speaking) {
        let (speaking, vectors) = (output.generations, output.vectors)
        guard let speech, !speaking.isEmpty else { return }
        do throws(EngineError) {
            let frames = try makingRoom(rows: speaking.count) { () throws(EngineError) in
                try speech.frames(vectors) { speaking[$0].speech?.draw(codebook: $1, from: $2) }
            }
            let sounding = zip(speaking, frames).compactMap { generation, frame in
                frame.flatMap { $0.isEnd ? nil : (generation, $0) }
            }
            var spectra = try makingRoom(rows: sounding.count) { () throws(EngineError) in
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

    /// The speech of a generation that may speak.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func speech(for request: GenerationRequest) throws(EngineError) -> GeneratedSpeech? {
        guard let asked = request.speech, let speech else { return nil }
        return try GeneratedSpeech(
            asked, speech, promptCount: request.prompt.count, memory: memory)
    }
}
