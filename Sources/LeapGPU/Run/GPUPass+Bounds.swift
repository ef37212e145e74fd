import LeapModel

/// Products whose inputs and outputs are cut to bounds.
extension GPUPass {
    /// Multiplies rows with a matrix that has bounds.
    ///
    /// - Parameters:
    ///   - start: where the first output is in `output`.
    ///   - stride: from the outputs of a row to those of the next.
    func multiply(
        _ matrix: GPUMatrix, within bounds: MatrixBounds, _ input: GPUBinding, into output: GPUBinding,
        at start: Int = 0, stride: Int, _ flow: inout Flow
    ) throws(GPUError) {
        let (rows, columns) = (flow.rows, matrix.columns)
        let bounded = try scratch.take(.bounded, rows * columns)
        // A product before this one may still read what it was given there.
        try flow.recording.barrier()
        try flow.recording.clamp(
            input, to: bounds.input, length: columns, stride: columns, start: 0, count: rows, into: bounded)
        try flow.recording.barrier()
        try flow.recording.multiply(matrix, bounded, count: rows, into: output, at: start, stride: stride)
        try flow.recording.barrier()
        try flow.recording.clamp(
            output, to: bounds.output, length: matrix.rows, stride: stride, start: start, count: rows, into: output)
    }

    /// Computes what a network whose products have bounds has between its matrices.
    func lift(
        _ network: GPUDense, gate: MatrixBounds, up: MatrixBounds, _ normed: GPUBinding, into inner: GPUBinding,
        _ flow: inout Flow
    ) throws(GPUError) {
        let length = network.gate.rows, lifted = try scratch.take(.boundedUps, flow.rows * length)
        try multiply(network.gate, within: gate, normed, into: inner, stride: length, &flow)
        try multiply(network.up, within: up, normed, into: lifted, stride: length, &flow)
        try flow.recording.barrier()
        if let cutoff = network.cutoff {
            try flow.recording.cut(inner, deviations: cutoff, length: length, count: flow.rows)
            try flow.recording.barrier()
        }
        try flow.recording.activate(
            inner, timesInputs: lifted, stride: length, start: 0, length: length, count: flow.rows)
        try flow.recording.barrier()
    }
}

extension Recording {
    /// Cuts numbers to bounds.
    ///
    /// - Parameters:
    ///   - length: numbers of a row, which follow each other at `stride` behind `start`.
    ///   - output: may be the input.
    mutating func clamp(
        _ input: GPUBinding, to bounds: ClosedRange<Float>, length: Int, stride: Int, start: Int, count: Int,
        into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .clamp, [input, output],
            [count, length, stride, start].map { UInt32($0) }
                + [bounds.lowerBound.bitPattern, bounds.upperBound.bitPattern],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }
}
