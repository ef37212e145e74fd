/// Runs a decoder of speech for any number of generations; used by one thread at a time.
final class SpeechPass {
    let decoder: SpeechDecoder
    private let depth: ForwardPass
    private let codes: ForwardPass
    /// What frames are written in: emptied for each frame.
    private var drafts: [SequenceState] = []

    init(_ decoder: SpeechDecoder, kernels: Kernels, memory: MemoryPool) {
        self.decoder = decoder
        func pass(_ layers: Decoder) -> ForwardPass {
            ForwardPass(
                decoder: layers, owner: decoder,
                layout: CacheLayout(decoder: layers, keyValueType: .f32, memory: memory), kernels: kernels,
                contextSize: .max)
        }
        depth = pass(decoder.depth.decoder)
        codes = pass(decoder.codes.decoder)
    }

    /// The state of one generation's sound, which goes on from frame to frame.
    func makeSoundState() -> SequenceState { SequenceState(layout: codes.layout, limit: Int(Int32.max)) }

    /// One vector for each token of a segment, or one for all of them.
    private struct Vectors: InputVectors {
        let base: UnsafePointer<Float>
        func vector(at position: Int) -> UnsafePointer<Float> { base }
    }

    // MARK: Codes

    /// Writes the next frame of several generations.
    ///
    /// - Parameters:
    ///   - vectors: the language model's vector of each, `[generations][inputLength]`.
    ///   - draw: chooses a code from the logits of one generation's codebook; nil where there is none to choose.
    /// - Returns: a frame for each; nil where `draw` found none.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func frames(
        _ vectors: [Float], draw: (_ generation: Int, _ codebook: Int, UnsafeMutableBufferPointer<Float>) -> Int?
    ) throws(EngineError) -> [SpeechFrame?] {
        let part = decoder.depth
        let (length, count) = (part.length, vectors.count / decoder.inputLength)
        var inputs = try project(vectors, part.input, count: count)
        while drafts.count < count {
            drafts.append(SequenceState(layout: depth.layout, limit: SpeechFrame.codebookCount))
        }
        for draft in drafts { draft.truncate(to: 0) }
        var codes = [[UInt16]](repeating: [], count: count)
        var open = Array(0..<count)
        for (codebook, tables) in part.codebooks.enumerated() where !open.isEmpty {
            try compute(open, inputs, codebook) { (rows) throws(EngineError) in
                let logits = try depth.project(try depth.norm(rows, tables.norm), tables.output, into: .logits)
                for (row, generation) in open.enumerated() {
                    let values = UnsafeMutableBufferPointer(start: logits.row(row), count: logits.length)
                    guard let code = draw(generation, codebook, values) else {
                        codes[generation] = []
                        continue
                    }
                    codes[generation].append(UInt16(code))
                }
            }
            open.removeAll { codes[$0].count <= codebook || codes[$0][0] == SpeechFrame.endCode }
            guard codebook + 1 < part.codebooks.count else { break }
            // The next code is written from its own part of the input, and the code before it.
            withUnsafeTemporaryAllocation(of: Float.self, capacity: length) { embedding in
                guard let base = embedding.baseAddress else { return }
                for generation in open {
                    tables.embedding.read(row: Int(codes[generation][codebook]), into: base)
                    let start = (generation * part.codebooks.count + codebook + 1) * length
                    for index in 0..<length { inputs[start + index] += base[index] }
                }
            }
        }
        return codes.map { $0.first.map(Int.init) == SpeechFrame.endCode ? .end : SpeechFrame(codes: $0) }
    }

    /// Computes the next position of some generations' frames.
    private func compute(
        _ generations: [Int], _ inputs: [Float], _ codebook: Int, body: (Rows) throws(EngineError) -> Void
    ) throws(EngineError) {
        let length = decoder.depth.length
        var failure: EngineError?
        inputs.withUnsafeBufferPointer { inputs in
            guard let base = inputs.baseAddress else { return }
            let segments = generations.map { generation in
                BatchSegment(
                    sequence: drafts[generation], tokens: [-1], wanted: .last,
                    vectors: Vectors(base: base + (generation * SpeechFrame.codebookCount + codebook) * length))
            }
            do throws(EngineError) {
                _ = try depth.read(segments, body: body)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// A product whose inputs and outputs do not lie in scratch memory.
    private func project(
        _ vectors: [Float], _ matrix: WeightMatrix, count: Int
    ) throws(EngineError) -> [Float] {
        let input = try depth.rows(.stream, count, matrix.columns)
        vectors.withUnsafeBufferPointer { values in
            if let base = values.baseAddress { input.base.update(from: base, count: values.count) }
        }
        let out = try depth.project(input, matrix, into: .up)
        return Array(UnsafeBufferPointer(start: out.base, count: out.count * out.length))
    }

    // MARK: Spectra

    /// The spectra of the next frame of several generations.
    ///
    /// - Parameter frames: the state of each generation's sound and its frame, which is not the end.
    /// - Returns: for each the logarithms of magnitudes and the phases, `[spectraPerFrame][spectrumLength]`.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func spectra(_ frames: [(state: SequenceState, frame: SpeechFrame)]) throws(EngineError) -> [[Float]] {
        guard !frames.isEmpty else { return [] }
        let part = decoder.codes
        let count = CodeDecoder.spectraPerFrame
        let vectors = [Float](unsafeUninitializedCapacity: frames.count * part.length) { buffer, filled in
            if let base = buffer.baseAddress {
                for (index, item) in frames.enumerated() { part.embed(item.frame, into: base + index * part.length) }
            }
            filled = frames.count * part.length
        }
        let tokens = [Int32](repeating: -1, count: count)
        var spectra: [[Float]] = []
        var failure: EngineError?
        vectors.withUnsafeBufferPointer { vectors in
            guard let base = vectors.baseAddress else { return }
            let segments = frames.enumerated().map { index, item in
                BatchSegment(
                    sequence: item.state, tokens: tokens[...], wanted: .all,
                    vectors: Vectors(base: base + index * part.length))
            }
            do throws(EngineError) {
                _ = try codes.read(segments) { (rows) throws(EngineError) in
                    let values = try codes.project(rows, part.output, into: .logits)
                    spectra = frames.indices.map { index in
                        Array(UnsafeBufferPointer(start: values.row(index * count), count: count * values.length))
                    }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        for item in frames { item.state.releasePages(before: item.state.count - CodeDecoder.attentionWindow) }
        return spectra
    }

    /// Whether scratch memory is taken.
    var holdsMemory: Bool {
        depth.workspace.byteCount + codes.workspace.byteCount > 0 || drafts.contains { $0.holdsMemory }
    }

    /// Gives scratch memory back.
    func releaseMemory() {
        depth.workspace.removeAll()
        codes.workspace.removeAll()
        drafts = []
    }
}
