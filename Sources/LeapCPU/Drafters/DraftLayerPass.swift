package import LeapCompute
package import LeapModel

/// Runs layers that predict further tokens on the processor.
package final class DraftLayerPass: DraftLayerExecutor {
    private let layers: DraftLayers
    private let pass: ForwardPass

    /// - Parameter layout: that of the model's sequences, with a place for what the layers keep.
    init(_ layers: DraftLayers, layout: CacheLayout, kernels: Kernels, contextSize: Int) {
        self.layers = layers
        pass = ForwardPass(layers.stack, layout: layout, kernels: kernels, contextSize: contextSize)
    }

    package func makeSequence(limit: Int) -> SequenceState { pass.layout.makeSequence(limit: limit) }

    package func run(
        _ steps: [DraftStep], shouldContinue: () -> Bool
    ) throws(EngineError) -> [DraftOutput]? {
        let segments = steps.map { step in
            var segment = BatchSegment(sequence: step.sequence, tokens: [step.token], wanted: .last)
            segment.offset = step.offset
            return segment
        }
        var outputs: [DraftOutput] = []
        let isDone = try pass.peek(segments, shouldContinue: shouldContinue) { () throws(EngineError) -> Rows in
            try self.pass.draftInputs(self.layers, tokens: steps.map(\.token)) { row, target in
                self.read(steps[row], into: target)
            }
        } body: { (rows) throws(EngineError) in
            let hidden = (0..<rows.count).map {
                Array(UnsafeBufferPointer(start: rows.row($0), count: rows.length))
            }
            let logits = try self.pass.project(rows, self.layers.head.matrix, into: .logits)
            if self.layers.head.scale != 1 { self.pass.kernels.scale(logits, by: self.layers.head.scale) }
            if self.layers.head.softcap > 0 { self.pass.kernels.softcap(logits, self.layers.head.softcap) }
            outputs = hidden.enumerated().map { row, hidden in
                DraftOutput(logits: logits.slice(row..<row + 1), hidden: hidden)
            }
        }
        return isDone ? outputs : nil
    }

    /// The vector of the position before a step's token.
    private func read(_ step: DraftStep, into target: UnsafeMutablePointer<Float>) {
        let width = layers.stack.width
        guard let hidden = step.hidden, hidden.count == width else {
            return pass.readHidden(of: step.sequence, into: target, length: width)
        }
        for (index, value) in hidden.enumerated() { target[index] = value }
    }
}
