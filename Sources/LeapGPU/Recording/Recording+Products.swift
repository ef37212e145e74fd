import LeapGGUF

/// Products of matrices.
extension Recording {
    /// Multiplies vectors with a matrix.
    ///
    /// - Parameters:
    ///   - input: `[count][columns]`.
    ///   - start: where the first output is in `output`.
    ///   - stride: from the outputs of a vector to those of the next; nil for as many as there are rows.
    mutating func multiply(
        _ matrix: GPUMatrix, _ input: GPUBinding, count: Int, into output: GPUBinding, at start: Int = 0,
        stride: Int? = nil, mode: GPUKernel.ProductMode = .store
    ) throws(GPUError) {
        for span in spans(count) {
            let choice = pipelines.product(matrix.type, vectors: span.vectors.count, isPrompt: span.isPrompt)
            guard let choice else { throw .invalid("weights of type \(matrix.type.name) have no kernel") }
            let kernel = choice.kernel
            for slice in matrix.slices {
                func work(_ vectors: Int) -> GPUWork {
                    .product(
                        rows: slice.rows.count, columns: matrix.columns, rowByteCount: matrix.rowByteCount,
                        vectors: vectors, usesMatrixUnits: choice.rows == GPUKernel.tileLength)
                }
                // The order of a vector's sums does not depend on the vectors beside it.
                for vectors in parts(of: span.vectors, step: choice.vectors, work(span.vectors.count)) {
                    let constants = Self.constants(
                        matrix, rows: slice.rows.count, start: slice.start, vectors, stride: stride ?? matrix.rows,
                        outputStart: start + slice.rows.lowerBound, mode)
                    try run(
                        kernel, [slice.binding, input, output], Array(constants.prefix(kernel.constantCount)),
                        groups: (
                            Self.groups(slice.rows.count, choice.rows), Self.groups(vectors.count, choice.vectors)
                        ), work: work(vectors.count))
                }
            }
        }
    }

    /// Multiplies vectors with two matrices of one shape, and the products of the second with the activation of the
    /// first.
    mutating func multiply(
        gate: GPUMatrix, up: GPUMatrix, _ input: GPUBinding, count: Int, into output: GPUBinding,
        mode: GPUKernel.ProductMode
    ) throws(GPUError) {
        let isSingle = count == 1 && !spans(count).contains(where: \.isPrompt)
        guard isSingle, let kernel = GPUKernel.pairProduct(gate.type), pipelines.has(kernel),
            let pair = GPUMatrix.Pair(gate, up, device.properties)
        else {
            try multiply(gate, input, count: count, into: output)
            try barrier()
            return try multiply(up, input, count: count, into: output, mode: mode)
        }
        let constants = Self.constants(
            gate, rows: gate.rows, start: pair.first, 0..<1, stride: gate.rows, outputStart: 0, mode,
            second: pair.second)
        try run(
            kernel, [pair.binding, input, output], constants,
            groups: (Self.groups(gate.rows, GPUKernel.rowsPerGroup), 1),
            work: .product(rows: 2 * gate.rows, columns: gate.columns, rowByteCount: gate.rowByteCount, vectors: 1))
    }

    /// The parameters of product.slang, the last of which those of tiles.slang do not have.
    private static func constants(
        _ matrix: GPUMatrix, rows: Int, start: Int, _ vectors: Range<Int>, stride: Int, outputStart: Int,
        _ mode: GPUKernel.ProductMode, second: Int = 0
    ) -> [UInt32] {
        [
            rows, matrix.columns / GPUKernel.unit, start, matrix.rowByteCount / 2, vectors.lowerBound,
            vectors.upperBound, matrix.columns / 4, stride, outputStart, Int(mode.rawValue), second,
        ].map(UInt32.init(truncatingIfNeeded:))
    }

    /// Rows that follow each other and take the same kernel.
    private func spans(_ count: Int) -> [(vectors: Range<Int>, isPrompt: Bool)] {
        guard device.properties.hasMatrixUnits, !promptRows.isEmpty else { return [(0..<count, false)] }
        var (spans, end): ([(vectors: Range<Int>, isPrompt: Bool)], Int) = ([], 0)
        for rows in promptRows {
            if rows.lowerBound > end { spans.append((end..<rows.lowerBound, false)) }
            spans.append((rows, true))
            end = rows.upperBound
        }
        if end < count { spans.append((end..<count, false)) }
        return spans
    }
}
