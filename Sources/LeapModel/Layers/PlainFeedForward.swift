/// A feed-forward network without a gate: down(activation(up · x)), with biases where the file has them.
package struct PlainFeedForward: Sendable {
    package var up: Matrix
    package var down: Matrix
    package var activation = Activation.exactGELU

    /// The activation of its inner values.
    package enum Activation: Sendable {
        /// GELU by its definition.
        case exactGELU
        /// GELU in its tanh form.
        case gelu
        /// max(x, 0), as the heads of decision models have it.
        case relu
        /// The square of what is above 0, as Nemotron-H has it.
        case squaredReLU
    }
}
