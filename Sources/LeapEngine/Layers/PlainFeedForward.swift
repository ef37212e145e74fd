/// A feed-forward network without a gate: down(GELU(up · x)), with biases where the file has them.
struct PlainFeedForward: Sendable {
    var up: WeightMatrix
    var down: WeightMatrix
    /// Whether GELU is the approximation with tanh, rather than its definition.
    var usesTanh = false

    /// Runs the network on rows.
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let lifted = try pass.project(input, up, into: .up)
        pass.kernels.gelu(lifted, usesTanh: usesTanh)
        return try pass.project(lifted, down, into: .branch)
    }
}
