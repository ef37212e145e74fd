/// A feed-forward network without a gate: down(GELU(up · x)), with biases where the file has them.
package struct PlainFeedForward: Sendable {
    package var up: Matrix
    package var down: Matrix
    /// Whether GELU is the approximation with tanh, rather than its definition.
    package var usesTanh = false
}
