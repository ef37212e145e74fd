/// The head that computes logits from the outputs of the last layer.
package struct OutputHead: Sendable {
    /// One row for each token id; the embedding table itself where the two are tied.
    package var matrix: Matrix
    /// The factor of the logits.
    package var scale: Float = 1
    /// Logits are cap·tanh(logit / cap); 0 leaves them.
    package var softcap: Float = 0
}
