package import LeapCompute
package import LeapModel

/// Runs layers that predict further tokens on the processor.
package final class DraftLayerPass: DraftStepExecutor {
    private let layers: DraftLayers
    private let pass: ForwardPass

    /// - Parameter layout: that of the model's sequences, with a place for what the layers keep.
    init(_ layers: DraftLayers, layout: CacheLayout, kernels: Kernels, contextSize: Int) {
        self.layers = layers
        pass = ForwardPass(layers.stack, layout: layout, kernels: kernels, contextSize: contextSize)
    }

    package func makeSequence() -> SequenceState { pass.layout.makeSequence(limit: 0) }

    package func run(
        _ steps: [DraftStep], shouldContinue: () -> Bool
    ) throws(EngineError) -> [DraftOutput]? {
        let segments = steps.map { step in
            var segment = BatchSegment(sequence: step.sequence, tokens: [step.token], wanted: .last)
            segment.offset = step.offset
            return segment
        }
        return try pass.look(segments, reserving: true) { () throws(EngineError) -> [DraftOutput]? in
            var stream = try self.pass.draftInputs(self.layers, tokens: steps.map(\.token)) { row, target in
                self.read(steps[row], into: target)
            }
            for layer in self.pass.stack.layers {
                guard shouldContinue() else { return nil }
                stream = try layer.run(stream, self.pass, isLast: false)
            }
            if let norm = self.pass.stack.outputNorm { stream = try self.pass.norm(stream, norm) }
            return try self.outputs(stream)
        }
    }

    /// The results of steps, of their vectors behind the last norm.
    private func outputs(_ vectors: Rows) throws(EngineError) -> [DraftOutput] {
        let logits = try pass.project(vectors, layers.head.matrix, into: .logits)
        if layers.head.scale != 1 { pass.kernels.scale(logits, by: layers.head.scale) }
        if layers.head.softcap > 0 { pass.kernels.softcap(logits, layers.head.softcap) }
        return DraftOutput.outputs(logits: logits, hidden: vectors)
    }

    /// The vector of the position before a step's token.
    private func read(_ step: DraftStep, into target: UnsafeMutablePointer<Float>) {
        let width = layers.stack.width
        if step.hidden == nil {
            pass.readHidden(of: step.sequence, into: target, length: width)
        } else {
            step.read(into: target, length: width)
        }
    }
}
