import LeapCPU
package import LeapCompute
import LeapEngine
package import LeapModel
package import LeapTokenizer

/// Runs a model over given tokens, for comparison with other engines.
package enum Evaluation {
    /// The logits of every position, `[tokens][vocabulary]`, row-major.
    ///
    /// Computes on the calling thread, for as long as that takes.
    ///
    /// - Parameters:
    ///   - tokens: at least one, all of the model's vocabulary.
    ///   - keyValueType: element type of cached keys and values.
    ///   - precision: how products take their inputs.
    ///   - threads: nil takes ``ThreadAdvisor/recommended``.
    ///   - chunk: tokens in one pass; it does not change the result.
    /// - Throws: ``EngineError``.
    package static func logits(
        model: Model, tokens: [TokenID], keyValueType: KeyValueType = .f16, precision: Precision = .fast,
        threads: Int? = nil, chunk: Int = 128
    ) throws(EngineError) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(tokens.count * model.vocabularySize)
        try logits(
            model: model, tokens: tokens, keyValueType: keyValueType, precision: precision, threads: threads,
            chunk: chunk
        ) { rows in
            result.append(contentsOf: rows)
        }
        return result
    }

    /// The same, a few rows at a time: the logits of a long sequence need not fit in memory.
    ///
    /// - Parameter body: called with the logits of the next positions, `[some][vocabulary]`, valid during the call.
    package static func logits(
        model: Model, tokens: [TokenID], keyValueType: KeyValueType = .f16, precision: Precision = .fast,
        threads: Int? = nil, chunk: Int = 128,
        body: (UnsafeBufferPointer<Float>) -> Void
    ) throws(EngineError) {
        guard !tokens.isEmpty else { throw .emptyPrompt }
        guard tokens.count <= model.contextLimit else {
            throw .contextExceeded(needed: tokens.count, available: model.contextLimit)
        }
        try model.validate(tokens)
        var options = EngineOptions()
        options.threads = threads
        options.prefillChunk = chunk
        options = try options.validated()
        let runner = try SynchronousRunner(
            model: model, keyValueType: keyValueType, precision: precision,
            threads: options.threads ?? ThreadAdvisor.recommended, contextSize: tokens.count)
        var start = 0
        while start < tokens.count {
            let end = min(start + chunk, tokens.count)
            body(UnsafeBufferPointer(try runner.run(tokens[start..<end], wanted: .all)))
            start = end
        }
    }
}
