import LeapCompute
import LeapModel

/// Frames whose codes are written several at a time (LFM3-Audio).
extension SpeechPass {
    /// The vectors of a frame's codebooks, one for each position.
    private struct Slots: InputVectors {
        let base: UnsafePointer<Float>
        let length: Int

        func vector(at position: Int) -> UnsafePointer<Float> { base + position * length }
    }

    /// Writes a frame for each generation.
    ///
    /// - Parameters:
    ///   - sizes: the number of codes of each pass.
    ///   - mask: stands for a code that is not known yet.
    ///   - inputs: what the layers take of the language model's vectors, `[generations][codebooks][length]`.
    ///   - orders: for each generation all codebooks.
    func writeInPasses(
        _ sizes: [Int], mask: Vector, _ inputs: [Float], orders: [[Int]],
        draw: (_ generation: Int, _ codebook: Int, UnsafeMutableBufferPointer<Float>) -> Int?
    ) throws(EngineError) -> [SpeechFrame?] {
        let count = decoder.form.codebookCount
        precondition(orders.allSatisfy { $0.sorted() == Array(0..<count) }, "all codebooks, each once")
        var codes = [[Int?]](repeating: Array(repeating: nil, count: count), count: orders.count)
        var open = Array(orders.indices)
        var start = 0
        for size in sizes where !open.isEmpty {
            let places = start..<min(start + size, count)
            start = places.upperBound
            let known = vectors(of: open, inputs, codes, mask: mask)
            try compute(open, known) { (rows) throws(EngineError) in
                for codebook in 0..<count {
                    let drawing = open.indices.filter { orders[open[$0]][places].contains(codebook) }
                    guard !drawing.isEmpty else { continue }
                    let logits = try codeLogits(of: codebook, rows, drawing)
                    for (row, place) in drawing.enumerated() {
                        let values = UnsafeMutableBufferPointer(start: logits.row(row), count: logits.length)
                        codes[open[place]][codebook] = draw(open[place], codebook, values)
                    }
                    depth.release([.codebookRows, .logits])
                }
            }
            open.removeAll { generation in orders[generation][places].contains { codes[generation][$0] == nil } }
        }
        return codes.map { codes in
            let known = codes.compactMap { $0.map { UInt16($0) } }
            return known.count == count ? SpeechFrame(codes: known) : nil
        }
    }

    /// The vectors in front of the layers of some generations' frames, `[generations][codebooks][length]`.
    private func vectors(of generations: [Int], _ inputs: [Float], _ codes: [[Int?]], mask: Vector) -> [Float] {
        let part = decoder.depth
        let (length, count) = (part.length, part.codebooks.count)
        let mask = depth.kernels.bound.floats(mask)
        var vectors: [Float] = []
        vectors.reserveCapacity(generations.count * count * length)
        for generation in generations {
            vectors += inputs[generation * count * length..<(generation + 1) * count * length]
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: length) { embedding in
            guard let base = embedding.baseAddress else { return }
            for (index, generation) in generations.enumerated() {
                for (codebook, code) in codes[generation].enumerated() {
                    let start = (index * count + codebook) * length
                    if let code { WeightMatrix(part.codebooks[codebook].embedding).read(row: code, into: base) }
                    let added = code == nil ? mask : UnsafePointer(base)
                    for element in 0..<length { vectors[start + element] += added[element] }
                }
            }
        }
        return vectors
    }

    /// Runs the layers over the frames of some generations.
    ///
    /// - Parameter body: takes the vectors behind them, `[generations · codebooks][length]`.
    private func compute(
        _ generations: [Int], _ vectors: [Float], body: (Rows) throws(EngineError) -> Void
    ) throws(EngineError) {
        let (length, count) = (decoder.depth.length, decoder.form.codebookCount)
        emptyDrafts()
        var failure: EngineError?
        vectors.withUnsafeBufferPointer { vectors in
            guard let base = vectors.baseAddress else { return }
            let segments = generations.enumerated().map { index, generation in
                BatchSegment(
                    sequence: drafts[generation],
                    inputs: .vectors(count, Slots(base: base + index * count * length, length: length)),
                    wanted: .all, output: .hidden)
            }
            do throws(EngineError) {
                _ = try depth.compute(segments, body: body)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// The logits of a codebook for some of the frames that were computed.
    private func codeLogits(of codebook: Int, _ rows: Rows, _ frames: [Int]) throws(EngineError) -> Rows {
        let part = decoder.depth
        let chosen = try depth.rows(.codebookRows, frames.count, part.length)
        for (row, frame) in frames.enumerated() {
            chosen.row(row).update(from: rows.row(frame * part.codebooks.count + codebook), count: part.length)
        }
        return try depth.project(chosen, part.codebooks[codebook].output, into: .logits)
    }
}
