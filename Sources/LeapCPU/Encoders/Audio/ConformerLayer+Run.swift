import LeapCompute
import LeapModel

extension ConformerLayer {
    /// Runs the layer in place.
    ///
    /// - Parameter positions: see ``RelativeAttention/run(_:positions:_:)``.
    func run(_ stream: Rows, positions: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.normed, .branch]) }
        try pass.add(try first.run(try pass.norm(stream, firstNorm), pass), to: stream, norm: nil, scale: 0.5)
        let attended = try attention.run(try pass.norm(stream, attentionNorm), positions: positions, pass)
        pass.kernels.add(attended, to: stream)
        pass.kernels.add(try convolution.run(try pass.norm(stream, convolutionNorm), pass), to: stream)
        try pass.add(try second.run(try pass.norm(stream, secondNorm), pass), to: stream, norm: nil, scale: 0.5)
        pass.kernels.norm(stream, outputNorm, into: stream)
    }
}

extension ConformerFeedForward {
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.up]) }
        let lifted = try pass.project(input, up, into: .up)
        pass.kernels.silu(lifted)
        return try pass.project(lifted, down, into: .branch)
    }
}

extension ConformerConvolution {
    func run(_ rows: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.gatedUnits, .unitInputs, .mixed]) }
        let gated = try pass.rows(.gatedUnits, rows.count, rows.length)
        pass.kernels.gatedLinearUnit(try pass.project(rows, input, into: .unitInputs), into: gated)
        let mixed = try pass.rows(.mixed, rows.count, rows.length)
        var inputs: [UnsafePointer<Float>?] = []
        inputs.reserveCapacity(rows.count * filters.taps)
        for row in 0..<rows.count {
            for tap in 0..<filters.taps {
                let source = row + tap - filters.taps / 2
                inputs.append(source >= 0 && source < rows.count ? UnsafePointer(gated.row(source)) : nil)
            }
        }
        pass.kernels.depthwise(inputs, filters, into: mixed)
        pass.kernels.silu(mixed)
        return try pass.project(mixed, output, into: .branch)
    }
}
