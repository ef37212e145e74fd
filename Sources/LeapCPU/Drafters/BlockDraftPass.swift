package import LeapCompute
package import LeapModel
package import LeapTokenizer

/// Runs a drafter on the processor.
package final class BlockDraftPass: BlockDraftExecutor {
    private let drafter: BlockDrafter
    private let head: Matrix
    /// Keeps the file of the tables mapped that are the model's.
    private let target: Model
    private let pass: ForwardPass

    package var memory: any StateMemory { pass.layout }

    /// Prepares for a drafter that was validated for its model.
    ///
    /// - Throws: ``EngineError`` with code `unsupportedTask` where the model makes no logits.
    init(
        _ drafter: BlockDrafter, target: Model, layout: CacheLayout, kernels: Kernels, contextSize: Int
    ) throws(EngineError) {
        guard let head = drafter.head ?? target.layers.head?.matrix else { throw .writesNoText }
        self.drafter = drafter
        self.target = target
        self.head = head
        pass = ForwardPass(
            drafter.stack, embedding: drafter.tokenEmbedding(beside: target), layout: layout, kernels: kernels,
            contextSize: contextSize)
    }

    package func makeSequence(limit: Int) -> SequenceState { pass.layout.makeSequence(limit: limit) }

    package func absorb(_ segments: [BatchSegment], streams: [Rows]) throws(EngineError) {
        try pass.extend(segments) { () throws(EngineError) in
            let fused = try self.fuse(streams)
            for layer in self.drafter.stack.layers {
                try layer.mixer?.attention?.absorbKeyValues(fused, self.pass)
            }
        }
    }

    /// One vector of those that the model's layers put out at each position.
    private func fuse(_ streams: [Rows]) throws(EngineError) -> Rows {
        defer { pass.release([.joinedStreams, .fusedStreams]) }
        let count = streams.reduce(0) { $0 + $1.count }
        let joined = try pass.rows(.joinedStreams, count, drafter.fusion.columns)
        var row = 0
        for stream in streams {
            joined.row(row).update(from: stream.base, count: stream.count * stream.length)
            row += stream.count
        }
        return try pass.norm(try pass.project(joined, drafter.fusion, into: .fusedStreams), drafter.fusionNorm)
    }

    package func logits(
        of blocks: [DraftBlock], shouldContinue: () -> Bool
    ) throws(EngineError) -> [Rows]? {
        let held = blocks.map(\.sequence.count)
        let segments = blocks.map {
            BatchSegment(sequence: $0.sequence, tokens: $0.tokens[...], wanted: .suffix($0.proposals))
        }
        var outputs: [Rows] = []
        let isDone = try pass.compute(segments, shouldContinue: shouldContinue) { (rows) throws(EngineError) in
            let logits = try self.pass.project(rows, self.head, into: .logits)
            var row = 0
            for block in blocks {
                outputs.append(logits.slice(row..<row + block.proposals))
                row += block.proposals
            }
        }
        for (block, count) in zip(blocks, held) { block.sequence.truncate(to: count) }
        return isDone ? outputs : nil
    }

    package func addTransitions(_ rows: [(previous: TokenID, logits: Rows)]) throws(EngineError) {
        guard let transitions = drafter.transitions else { return }
        defer { pass.release([.previousTokens, .transitions]) }
        let table = WeightMatrix(transitions.previous)
        let input = try pass.rows(.previousTokens, rows.count, table.columns)
        for (index, row) in rows.enumerated() { table.read(row: Int(row.previous), into: input.row(index)) }
        if transitions.previous.scale != 1 { pass.kernels.scale(input, by: transitions.previous.scale) }
        let added = try pass.project(input, transitions.next, into: .transitions)
        for (index, row) in rows.enumerated() { pass.kernels.add(added.slice(index..<index + 1), to: row.logits) }
    }
}
