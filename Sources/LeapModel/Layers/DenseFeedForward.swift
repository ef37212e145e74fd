/// The activation of a feed-forward network's gate.
package enum GateActivation: Sendable {
    /// x · sigmoid(x).
    case silu
    /// GELU in its tanh form.
    case gelu
    /// x · sigmoid(1.702 · x), x no more than a limit; the other factor is cut to the same limit on both sides, and 1
    /// is added to it.
    case clampedSilu(limit: Float)
    /// GELU by its definition.
    case exactGELU
}

/// A gated feed-forward network: down(activation(gate · x) ⊙ (up · x)).
package struct DenseFeedForward: Sendable {
    package var gate: Matrix
    package var up: Matrix
    package var down: Matrix
    package var activation: GateActivation = .silu
    /// The number of standard deviations above the mean of its row that a gate must have to count, all others being 0
    /// (Gemma 3n); nil where all count.
    package var cutoff: Float?
}
