/// What the gate of a feed-forward network is passed through.
enum GateActivation: Sendable {
    /// x · sigmoid(x).
    case silu
    /// GELU in its tanh form.
    case gelu
}

/// A gated feed-forward network: down(activation(gate · x) ⊙ (up · x)).
struct DenseFeedForward: Sendable {
    var gate: WeightMatrix
    var up: WeightMatrix
    var down: WeightMatrix
    var activation: GateActivation = .silu

    /// Runs the network on the normed stream.
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let gated = try pass.rows(.gate, input.count, gate.rows)
        let lifted = try pass.rows(.up, input.count, up.rows)
        try pass.project(input, [(gate, gated), (up, lifted)])
        pass.kernels.activate(activation, gate: gated, up: lifted)
        return try pass.project(gated, down, into: .branch)
    }
}
