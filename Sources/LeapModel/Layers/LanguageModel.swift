/// A model of text as its parts: what an architecture makes of a file.
package struct LanguageModel: Sendable {
    package var embedding: TokenEmbedding
    package var stack: LayerStack
    /// The head that makes the logits; nil for models that only read texts.
    package var head: OutputHead?
    /// Project vectors that stand for texts to their final length, one after the other.
    package var projections: [Matrix] = []
    /// Makes scores of texts; nil for models that do not.
    package var classifier: Classifier?
    /// Makes the logits of masked words from the vectors in their places; nil for models that are not made for that.
    package var maskedWords: Classifier?
    /// Makes scores of options from the vectors at their masks; nil for models that are not made for that.
    package var decisionHead: DecisionHead?
}
