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

    /// Runs the network on the normed stream in `pass.normed` and leaves the result in `pass.branch`.
    func run(_ pass: ForwardPass) throws(EngineError) {
        let rows = pass.rowCount
        let inner = gate.rows
        let gated = try pass.workspace.floats(.gate, rows * inner)
        let lifted = try pass.workspace.floats(.up, rows * inner)
        try pass.project(pass.normed, count: rows, [(gate, gated, inner), (up, lifted, inner)])
        pass.kernels.activate(activation, gate: gated, up: lifted, length: inner, rows: rows)
        try pass.project(gated, count: rows, [(down, pass.branch, down.rows)])
    }
}
