/// Generations whose next piece of output is a frame of speech.
extension EngineCore {
    /// What a pass over the model gives.
    struct StepOutput {
        /// Logits of the wanted positions of generations that write text, in the order of the batch; valid until the next pass.
        var logits = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
        /// Generations whose next frame can be written.
        var speaking: [ActiveGeneration] = []
        /// The vector in front of each of these, `[generations][embedding]`.
        var vectors: [Float] = []
    }

    /// Computes a batch: logits for those that write text, and for those that speak the vectors in front of them.
    ///
    /// - Returns: nil if it was stopped.
    func run(
        _ work: [Work], _ pass: ForwardPass, shouldContinue: () -> Bool
    ) throws(EngineError) -> StepOutput? {
        guard work.contains(where: \.generation.isSpeaking) else {
            return try pass.run(work.map(\.segment), shouldContinue: shouldContinue).map { StepOutput(logits: $0) }
        }
        var output = StepOutput()
        let isDone = try pass.read(work.map(\.segment), shouldContinue: shouldContinue) { (rows) throws(EngineError) in
            var row = 0
            var text: [Int] = []
            for (generation, segment) in work {
                for _ in segment.wantedIndices {
                    if generation.isSpeaking {
                        output.speaking.append(generation)
                        output.vectors += UnsafeBufferPointer(start: rows.row(row), count: rows.length)
                    } else {
                        text.append(row)
                    }
                    row += 1
                }
            }
            guard !text.isEmpty else { return }
            let logits = try pass.head(rows.compacted(to: text))
            output.logits = UnsafeMutableBufferPointer(start: logits.base, count: logits.count * logits.length)
        }
        return isDone ? output : nil
    }

    /// Writes the next frames of generations that speak, and their sound.
    func speak(_ output: StepOutput) {
        let (speaking, vectors) = (output.speaking, output.vectors)
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
                        generation.speech.map { ($0.soundState(speech), frame) }
                    })
            }[...]
            for (generation, frame) in zip(speaking, frames) {
                let isSound = frame.map { !$0.isEnd } ?? false
                let own = isSound ? spectra.popFirst() ?? [] : []
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
            asked, decoder: speech.decoder, promptCount: request.prompt.count, memory: memory)
    }
}
