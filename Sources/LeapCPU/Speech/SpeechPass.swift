package import LeapCompute
package import LeapModel

/// Runs a decoder of speech for any number of generations; used by one thread at a time.
package final class SpeechPass: SpeechExecutor {
    package let decoder: SpeechDecoder
    let depth: ForwardPass
    private let codes: CodePass
    /// The sequences that frames are written in: emptied for each frame.
    private(set) var drafts: [SequenceState] = []

    /// Layers that another device than the processor computes, and the layout of what they keep.
    package struct Offload {
        package var layout: CacheLayout
        /// Computes the last layers; nil where the processor computes all of them.
        package var suffix: (any LayerSuffix)?

        /// All layers of a stack on the processor.
        package init(_ stack: LayerStack, memory: MemoryPool) {
            layout = CacheLayout(stack, keyValueType: .f32, pool: memory)
        }

        /// The pass of the stack's layers.
        func pass(_ stack: LayerStack, kernels: Kernels) -> ForwardPass {
            let pass = ForwardPass(stack, layout: layout, kernels: kernels, contextSize: .max)
            pass.suffix = suffix
            return pass
        }
    }

    package convenience init(_ decoder: SpeechDecoder, kernels: Kernels, memory: MemoryPool) {
        self.init(
            decoder, kernels: kernels, depth: Offload(decoder.depth.stack, memory: memory),
            codes: Offload(decoder.codes.stack, memory: memory))
    }

    /// - Parameters:
    ///   - depth: the layers that write codes.
    ///   - codes: the layers that make spectra of codes.
    package init(_ decoder: SpeechDecoder, kernels: Kernels, depth: Offload, codes: Offload) {
        self.decoder = decoder
        self.depth = depth.pass(decoder.depth.stack, kernels: kernels)
        self.codes = CodePass(decoder.codes, kernels: kernels, offload: codes)
    }

    package func makeAudioState() -> SequenceState { codes.makeState() }

    package func embed(_ frame: SpeechFrame, into out: UnsafeMutablePointer<Float>) {
        WeightMatrix(decoder.feedback).sum(
            rows: frame.codes.enumerated().map { $0 * decoder.form.codeCount + Int($1) }, into: out)
    }

    /// One vector for all positions of a segment.
    private struct Vectors: InputVectors {
        let base: UnsafePointer<Float>
        func vector(at position: Int) -> UnsafePointer<Float> { base }
    }

    // MARK: Codes

    package func frames(
        _ vectors: [Float], order: (_ generation: Int) -> [Int],
        draw: (_ generation: Int, _ codebook: Int, UnsafeMutableBufferPointer<Float>) -> Int?
    ) throws(EngineError) -> [SpeechFrame?] {
        let count = vectors.count / decoder.inputLength
        while drafts.count < count {
            drafts.append(depth.layout.makeSequence(limit: decoder.form.codebookCount))
        }
        emptyDrafts()
        let inputs = try depth.project(vectors, by: [(decoder.depth.input, .depthInputs)])
        switch decoder.depth.order {
        case .oneByOne: return try writeOneByOne(inputs, count: count, draw: draw)
        case .inPasses(let sizes, let mask):
            return try writeInPasses(sizes, mask: mask, inputs, orders: (0..<count).map(order), draw: draw)
        }
    }

    /// Forgets what the sequences hold that frames are written in.
    func emptyDrafts() { for draft in drafts { draft.truncate(to: 0) } }

    private func writeOneByOne(
        _ inputs: [Float], count: Int,
        draw: (_ generation: Int, _ codebook: Int, UnsafeMutableBufferPointer<Float>) -> Int?
    ) throws(EngineError) -> [SpeechFrame?] {
        let (part, form) = (decoder.depth, decoder.form)
        let length = part.length
        var inputs = inputs
        var codes = [[UInt16]](repeating: [], count: count)
        var open = Array(0..<count)
        for (codebook, tables) in part.codebooks.enumerated() where !open.isEmpty {
            try compute(open, inputs, codebook) { (rows) throws(EngineError) in
                let normed = if let norm = tables.norm { try depth.norm(rows, norm) } else { rows }
                let logits = try depth.project(normed, tables.output, into: .logits)
                for (row, generation) in open.enumerated() {
                    let values = UnsafeMutableBufferPointer(start: logits.row(row), count: logits.length)
                    guard let code = draw(generation, codebook, values) else {
                        codes[generation] = []
                        continue
                    }
                    codes[generation].append(UInt16(code))
                }
            }
            open.removeAll { codes[$0].count <= codebook || codes[$0][0] == form.endCode }
            guard codebook + 1 < part.codebooks.count else { break }
            // The next code is written from its own part of the input, and the code before it.
            withUnsafeTemporaryAllocation(of: Float.self, capacity: length) { embedding in
                guard let base = embedding.baseAddress else { return }
                for generation in open {
                    WeightMatrix(tables.embedding).read(row: Int(codes[generation][codebook]), into: base)
                    let start = (generation * part.codebooks.count + codebook + 1) * length
                    for index in 0..<length { inputs[start + index] += base[index] }
                }
            }
        }
        return codes.map { $0.first.map(Int.init) == form.endCode ? form.end : SpeechFrame(codes: $0) }
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
                    sequence: drafts[generation],
                    inputs: .vectors(
                        1, Vectors(base: base + (generation * decoder.form.codebookCount + codebook) * length)),
                    wanted: .last, output: .hidden)
            }
            do throws(EngineError) {
                _ = try depth.compute(segments, body: body)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    // MARK: Spectra

    package func spectra(_ frames: [(state: SequenceState, frame: SpeechFrame)]) throws(EngineError) -> [[Float]] {
        try codes.spectra(frames.map { ($0.state, $0.frame.codes) })
    }

    package var holdsMemory: Bool {
        depth.workspace.byteCount > 0 || codes.holdsMemory || drafts.contains { $0.holdsMemory }
    }

    package func releaseMemory() {
        depth.workspace.removeAll()
        codes.releaseMemory()
        drafts = []
    }
}
