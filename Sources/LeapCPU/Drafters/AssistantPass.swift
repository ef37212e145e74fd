package import LeapCompute
package import LeapModel

/// Runs an assistant on the processor.
package final class AssistantPass: DraftStepExecutor {
    private let drafter: AssistantDrafter
    /// Keeps the file of the table of tokens mapped.
    private let target: Model
    private let pass: ForwardPass

    /// Prepares for a drafter and its model.
    ///
    /// - Parameters:
    ///   - layout: of the drafter's layers, with keys and values of the type of the model's.
    ///   - contextSize: that of the model, on which rotations may depend.
    /// - Throws: ``EngineError`` with code `incompatibleModels`.
    init(
        _ drafter: AssistantDrafter, target: Model, layout: CacheLayout, kernels: Kernels, contextSize: Int
    ) throws(EngineError) {
        self.drafter = drafter
        self.target = target
        pass = ForwardPass(
            try drafter.stack(beside: target), layout: layout, kernels: kernels, contextSize: contextSize)
    }

    package func makeSequence() -> SequenceState { pass.layout.makeSequence(limit: 0) }

    package func run(_ steps: [DraftStep], shouldContinue: () -> Bool) throws(EngineError) -> [DraftOutput]? {
        let segments = steps.map { BatchSegment(sequence: $0.sequence, tokens: [$0.token], wanted: .all) }
        return try pass.look(segments) { () throws(EngineError) -> [DraftOutput]? in
            var stream = try self.enter(steps)
            for layer in self.pass.stack.layers {
                guard shouldContinue() else { return nil }
                stream = try layer.run(stream, self.pass, isLast: false)
            }
            if let norm = self.pass.stack.outputNorm { stream = try self.pass.norm(stream, norm) }
            return DraftOutput.outputs(
                logits: try self.pass.project(stream, self.drafter.head, into: .logits),
                hidden: try self.pass.project(stream, self.drafter.output, into: .hidden))
        }
    }

    /// The vectors in front of the first layer: of each step the token's and the model's, as one.
    private func enter(_ steps: [DraftStep]) throws(EngineError) -> Rows {
        defer { pass.release([.joinedStreams]) }
        let embedding = target.layers.embedding
        let (table, length) = (WeightMatrix(embedding.table), drafter.targetLength)
        let joined = try pass.rows(.joinedStreams, steps.count, 2 * length)
        for (row, step) in steps.enumerated() {
            table.read(row: Int(step.token), into: joined.row(row))
            if embedding.scale != 1 {
                pass.kernels.scale(Rows(base: joined.row(row), count: 1, length: length), by: embedding.scale)
            }
            step.read(into: joined.row(row) + length, length: length)
        }
        return try pass.project(joined, drafter.input, into: .stream)
    }
}
