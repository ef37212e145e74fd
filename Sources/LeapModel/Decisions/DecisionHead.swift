/// The head of decision models that score options at masks (`laya`, `lfm2-d1-omni`).
///
/// Its blocks are the last layers of the stack, behind the ``StreamEntry`` of the first of them, and its norm is that of
/// the stack: what is left is one number for each vector at a mask.
package struct DecisionHead: Sendable {
    /// The number of question types: choice, score and yes or no, in this order.
    package static let typeCount = 3

    /// Makes the score of an option: output · gelu(dense · x).
    package var scorer: Classifier
}

/// The step between layers of two kinds: a norm of the stream, in place, and a vector that is added to all positions of
/// a text by the type of its question.
package struct StreamEntry: Sendable {
    package var norm: Norm?
    /// One vector for each type, `[types][width]`.
    package var types: Vector
}
