package import LeapCompute
import LeapGGUF
package import LeapModel
package import LeapTokenizer

/// Runs a model on the processor.
package final class CPUExecutor: Executor {
    private let model: Model
    package let pass: ForwardPass
    /// Texts whose vectors are projected at a time.
    private static let projectedRows = 64

    package var vocabularySize: Int { model.vocabularySize }
    package var memory: any StateMemory { pass.layout }
    package var scratch: any ScratchMemory { pass.workspace }
    package var capturedLayers: [Int] {
        get { pass.capturedLayers }
        set { pass.capturedLayers = newValue }
    }
    package var capturedStreams: Rows? { pass.capturedStreams }
    package var keepsVectors = false
    package private(set) var keptVectors: Rows?
    package let draftLayers: (any DraftStepExecutor)?

    /// Prepares for a model.
    ///
    /// - Parameters:
    ///   - draftLayers: the model's layers that predict further tokens, for which the layout has to have a place; nil
    ///     without such.
    ///   - contextSize: the maximum number of positions of any sequence; some models rotate differently for long
    ///     contexts.
    package init(
        model: Model, draftLayers: DraftLayers? = nil, layout: CacheLayout, kernels: Kernels, contextSize: Int
    ) {
        self.model = model
        self.draftLayers = draftLayers.map {
            DraftLayerPass($0, layout: layout, kernels: kernels, contextSize: contextSize)
        }
        pass = ForwardPass(
            model.layers.stack, embedding: model.layers.embedding, layout: layout, kernels: kernels,
            contextSize: contextSize)
        pass.draftLayers = draftLayers
        if WeightReadAhead.helps(fileAt: model.file.path) {
            pass.readAhead = WeightReadAhead(model.layers.sharedWeights)
        }
    }

    package func makeSequence(limit: Int) -> SequenceState { pass.layout.makeSequence(limit: limit) }

    package func run(
        _ segments: [BatchSegment], shouldContinue: () -> Bool = { true }
    ) throws(EngineError) -> [Rows]? {
        var outputs: [Rows] = []
        keptVectors = nil
        let isDone = try pass.compute(segments, shouldContinue: shouldContinue) { (rows) throws(EngineError) in
            if self.keepsVectors { self.keptVectors = try self.copy(of: rows) }
            outputs = try self.outputs(of: segments, rows)
        }
        return isDone ? outputs : nil
    }

    /// A copy of vectors that stays behind the batch; nil of none.
    private func copy(of rows: Rows) throws(EngineError) -> Rows? {
        guard rows.count > 0 else { return nil }
        let kept = try pass.rows(.keptVectors, rows.count, rows.length)
        kept.base.update(from: rows.base, count: rows.count * rows.length)
        return kept
    }

    /// Returns the wanted outputs of each segment.
    private func outputs(of segments: [BatchSegment], _ rows: Rows) throws(EngineError) -> [Rows] {
        var outputs: [Rows] = []
        outputs.reserveCapacity(segments.count)
        guard segments.contains(where: { $0.output == .hidden }) else {
            let logits = try wantedLogits(rows, kept: nil)
            var row = 0
            for segment in segments {
                let count = segment.wantedIndices.count
                outputs.append(logits.slice(row..<row + count))
                row += count
            }
            return outputs
        }
        var text: [Int] = []
        var hidden: [Int] = []
        var row = 0
        for segment in segments {
            let range = row..<row + segment.wantedIndices.count
            if segment.output == .hidden { hidden += range } else { text += range }
            row = range.upperBound
        }
        // A copy: what logits are made of is moved to the front.
        let kept = try pass.rows(.hidden, hidden.count, rows.length)
        for (index, old) in hidden.enumerated() { kept.row(index).update(from: rows.row(old), count: rows.length) }
        let logits = try wantedLogits(rows, kept: text)
        var (next, nextHidden) = (0, 0)
        for segment in segments {
            let count = segment.wantedIndices.count
            if segment.output == .hidden {
                outputs.append(kept.slice(nextHidden..<nextHidden + count))
                nextHidden += count
            } else {
                outputs.append(logits.slice(next..<next + count))
                next += count
            }
        }
        return outputs
    }

    /// The logits of a batch's vectors, or of some of them.
    private func wantedLogits(_ rows: Rows, kept: [Int]?) throws(EngineError) -> Rows {
        guard kept?.count ?? rows.count > 0 else { return Rows(base: rows.base, count: 0, length: vocabularySize) }
        let ready = pass.suffixLogits ?? rows
        let wanted = kept.map { ready.compacted(to: $0) } ?? ready
        return pass.suffixLogits == nil ? try logits(of: wanted) : finish(wanted)
    }

    package func logits(of vectors: Rows) throws(EngineError) -> Rows {
        guard let head = model.layers.head else { throw .writesNoText }
        return finish(try pass.project(vectors, head.matrix, into: .logits))
    }

    package func logits(of vectors: Rows, for tokens: [TokenID]) throws(EngineError) -> [[Float]] {
        guard let head = model.layers.head else { throw .writesNoText }
        guard !tokens.isEmpty else { return [[Float]](repeating: [], count: vectors.count) }
        // One row of the matrix for each token: a vocabulary has 65 to 260 thousand.
        let out = try pass.rows(.logits, tokens.count, vectors.count)
        let columns = (0..<tokens.count).map { Rows(base: out.row($0), count: vectors.count, length: 1) }
        try pass.project(
            vectors,
            zip(tokens, columns).map { token, column in
                (matrix: head.matrix.rows(Int(token)..<Int(token) + 1), out: column)
            })
        let finished = finish(out)
        return (0..<vectors.count).map { row in (0..<tokens.count).map { finished.row($0)[row] } }
    }

    /// Scales and caps what the head's matrix makes of vectors.
    private func finish(_ logits: Rows) -> Rows {
        guard let head = model.layers.head else { return logits }
        if head.scale != 1 { pass.kernels.scale(logits, by: head.scale) }
        if head.softcap > 0 { pass.kernels.softcap(logits, head.softcap) }
        return logits
    }

    package func project(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]? {
        guard let first = model.layers.projections.first else { return nil }
        return try transform(vectors, length: first.columns) { (input) throws(EngineError) -> Rows in
            var output = input
            for (index, projection) in self.model.layers.projections.enumerated() {
                output = try self.pass.project(output, projection, into: index % 2 == 0 ? .transformedTexts : .texts)
            }
            return output
        }
    }

    package func classify(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]? {
        guard let classifier = model.layers.classifier else { return nil }
        return try transform(vectors, length: classifier.output.columns) { (input) throws(EngineError) -> Rows in
            try classifier.run(input, self.pass)
        }
    }

    package func maskedWords(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]? {
        guard let head = model.layers.maskedWords else { return nil }
        return try transform(vectors, length: head.output.columns) { (input) throws(EngineError) -> Rows in
            try head.run(input, self.pass)
        }
    }

    package func optionScores(_ vectors: [[Float]]) throws(EngineError) -> [Float]? {
        guard let scorer = model.layers.decisionHead?.scorer else { return nil }
        return try transform(vectors, length: scorer.output.columns) { (input) throws(EngineError) -> Rows in
            try scorer.run(input, self.pass)
        }.flatMap(\.self)
    }

    /// Puts vectors through something, as many at a time as fit into scratch memory.
    private func transform(
        _ vectors: [[Float]], length: Int, _ body: (Rows) throws(EngineError) -> Rows
    ) throws(EngineError) -> [[Float]] {
        // The outputs of the latest run end here.
        pass.release([.hidden])
        defer { pass.release([.texts, .transformedTexts]) }
        var transformed: [[Float]] = []
        for start in stride(from: 0, to: vectors.count, by: Self.projectedRows) {
            let range = start..<min(start + Self.projectedRows, vectors.count)
            let input = try pass.rows(.texts, range.count, length)
            for (row, index) in range.enumerated() { input.row(row).update(from: vectors[index], count: length) }
            let output = try body(input)
            for row in 0..<output.count {
                transformed.append(Array(UnsafeBufferPointer(start: output.row(row), count: output.length)))
            }
        }
        return transformed
    }

    package func logSumExp(_ rows: Rows) -> [Float] { rows.count > 0 ? pass.kernels.logSumExp(rows) : [] }
}
