/// The head of models that classify texts, or rank them: makes scores of the vector that stands for a text; and that of
/// masked words, whose scores are the logits of the vocabulary.
package struct Classifier: Sendable {
    /// The activation after the dense layer.
    package enum Activation: Sendable {
        /// The hyperbolic tangent, as BERT has it.
        case tanh
        /// GELU by its definition, as ModernBERT has it.
        case exactGELU
    }

    /// The method that gives the vector that stands for a text.
    package var pooling: Pooling
    /// Goes before the scores, followed by its activation.
    package var dense: Matrix?
    package var activation: Activation
    /// A norm of what the activation gives.
    package var norm: Norm?
    /// One row for each score.
    package var output: Matrix
    /// The names of the scores, as the file has them; empty where it has none.
    package var labels: [String] = []
}
