import LeapCompute
import LeapModel

extension DenseFeedForward {
    /// Runs the network on the normed stream.
    func run(
        _ input: Rows, _ pass: ForwardPass, into purpose: Workspace.Purpose = .branch
    ) throws(EngineError) -> Rows {
        defer { pass.release([.gate, .up]) }
        let gated = try pass.rows(.gate, input.count, gate.rows)
        let lifted = try pass.rows(.up, input.count, up.rows)
        try pass.project(input, [(gate, gated), (up, lifted)])
        if let cutoff { pass.kernels.gaussianTopK(gated, deviations: cutoff) }
        pass.kernels.activate(activation, gate: gated, up: lifted)
        return try pass.project(gated, down, into: purpose)
    }
}

extension PlainFeedForward {
    /// Runs the network on rows.
    func run(
        _ input: Rows, _ pass: ForwardPass, into purpose: Workspace.Purpose = .branch
    ) throws(EngineError) -> Rows {
        defer { pass.release([.up]) }
        let lifted = try pass.project(input, up, into: .up)
        pass.kernels.activate(activation, lifted)
        return try pass.project(lifted, down, into: purpose)
    }
}
