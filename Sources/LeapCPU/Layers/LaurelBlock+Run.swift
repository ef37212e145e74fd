import LeapCompute
import LeapModel

extension LaurelBlock {
    /// Adds the residual to the stream.
    ///
    /// - Parameter input: what the mixer reads.
    func add(_ input: Rows, to stream: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.laurel, .branch]) }
        let branch = try pass.project(try pass.project(input, down, into: .laurel), up, into: .branch)
        try pass.add(branch, to: stream, norm: norm, scale: 1)
        pass.kernels.add(input, to: stream)
    }
}
