import LeapCompute
import LeapModel

extension PerLayerEmbedding {
    /// Computes the vectors of a batch for all layers.
    ///
    /// - Parameters:
    ///   - stream: the vectors in front of the first layer.
    ///   - rows: the row of the table of each of them.
    /// - Returns: `[rows][layers · width]`.
    func run(_ stream: Rows, rows: [Int], _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.tokenRows]) }
        let kernels = pass.kernels
        let all = try pass.project(stream, projection, into: .tokenInputs)
        kernels.scale(all, by: projectionScale)
        let parts = all.split(into: layers)
        kernels.rmsNorm(parts, norm, into: parts)
        let read = try pass.rows(.tokenRows, all.count, all.length)
        let matrix = WeightMatrix(table)
        for (index, row) in rows.enumerated() { matrix.read(row: row, into: read.row(index)) }
        kernels.scale(read, by: tableScale)
        kernels.add(read, to: all)
        kernels.scale(all, by: scale)
        return all
    }
}

extension TokenInput {
    /// Adds what the layer makes of its vectors and of a stream to that, or to others beside it.
    func add(of stream: Rows, to targets: [Rows], _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.scaledStream, .tokenGate, .branch]) }
        let gated = try pass.project(try scaled(stream, pass), gate, into: .tokenGate)
        pass.kernels.gatedGELU(
            gated, times: pass.tokenInputs(index, length: gated.length), stride: pass.tokenInputStride)
        let branch = try pass.project(gated, projection, into: .branch)
        pass.kernels.norm(branch, norm, into: branch)
        for target in targets { pass.kernels.add(branch, to: target) }
    }

    /// Returns the input of the gate.
    private func scaled(_ stream: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        guard let scale else { return stream }
        let (factors, scaled) = (
            pass.kernels.bound.floats(scale), try pass.rows(.scaledStream, stream.count, stream.length)
        )
        for row in 0..<stream.count {
            let (source, target) = (stream.row(row), scaled.row(row))
            for index in 0..<stream.length { target[index] = source[index] * factors[index] }
        }
        return scaled
    }
}
