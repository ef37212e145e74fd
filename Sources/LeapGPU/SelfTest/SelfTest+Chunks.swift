import LeapCompute
import LeapModel

/// Attention to pages in several chunks.
extension SelfTest {
    /// Tries attention to pages in two chunks, where a model has attention.
    ///
    /// - Throws: ``GPUError/wrongResult(kernel:)``, or what the device says.
    mutating func runChunks(_ model: GPUModel) throws(GPUError) {
        guard let block = model.layers.compactMap(\.attention).first else { return }
        let trial = AttentionTrial(block, model, &self)
        let (expected, _) = try attend(trial)
        guard try attendToChunks(trial) == expected else {
            throw .wrongResult(kernel: "attention to pages in several buffers")
        }
    }

    /// Has the device store a trial's vectors in two chunks, and attend to both.
    ///
    /// Of each chunk, one page is in use, and the place of the other one is spare.
    private mutating func attendToChunks(_ trial: AttentionTrial) throws(GPUError) -> [Float] {
        let outputCount = trial.count * trial.heads * trial.length
        var (chunks, spans): ([BoundChunk], [BoundSpan]) = ([], [])
        for page in 0..<2 {
            let pages = try buffer([UInt16](repeating: 0, count: 4 * trial.halfPage))
            let spare = trial.starts[1 - page], start = trial.starts[page]
            let slots = (0..<trial.count).flatMap { row in
                [row / trial.page == page ? start : spare, UInt32(row % trial.page)]
            }
            let seen = (0..<trial.count).flatMap { row -> [UInt32] in
                let range = (0..<row + 1).clamped(to: page * trial.page..<(page + 1) * trial.page)
                let part = range.isEmpty ? 0..<0 : range
                return [0, UInt32(part.lowerBound), UInt32(part.upperBound), trial.factor?.bitPattern ?? 0]
            }
            chunks.append(BoundChunk(pages: pages, slots: try buffer(slots)))
            spans.append(BoundSpan(pages: pages, seen: try buffer(seen)))
        }
        let projected = try buffer(trial.values), turns = try buffer(trial.turns)
        let table = try buffer(trial.starts), seen = try buffer(trial.seen)
        let output = try buffer(numbers(outputCount))
        let gathered = try buffer(numbers(trial.count * trial.heads * trial.starts.count * (2 + trial.length)))
        let placement = trial.placement(GPUNorm(gains: try buffer(trial.gains), epsilon: trial.epsilon))
        try carryOut { (recording) throws(GPUError) in
            try recording.place(
                placement, projected, turns: trial.pairs > 0 ? turns : nil, chunks: chunks, count: trial.count)
            try recording.barrier()
            try recording.attend(
                placement, scale: trial.scale, projected, spans: spans, table: table, seen: seen, sinks: nil,
                count: trial.count, pageCount: trial.starts.count, gathered: gathered, into: output)
        }
        return floats(output)
    }
}
