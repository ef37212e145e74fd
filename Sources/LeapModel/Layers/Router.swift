/// The router of a mixture: it chooses the experts of each token, and the weights of their results.
package struct Router: Sendable {
    /// The scores that are made of the router's logits.
    package enum Score: Sendable, Hashable {
        /// 1 / (1 + exp(-x)), each for itself.
        case sigmoid
        /// exp(x) over the sum of those of all experts.
        case softmax
        /// exp(x) over the sum of those of the chosen ones: softmax after the choice.
        case softmaxOfChosen
    }

    /// One row for each expert.
    package var matrix: Matrix
    package var score: Score
    /// The biases of the scores, for the choice only.
    package var choiceBias: Vector?
    /// Experts for each token.
    package var used: Int
    /// The number that is added to the sum by which the chosen weights are divided; nil where they are not divided.
    package var normalization: Float?
    /// The factor of the weights.
    package var scale: Float = 1
    /// The factors of each expert's weight, whichever others are chosen; nil for 1.
    package var expertScales: Vector?
    /// Experts are chosen from the groups with the best scores only; nil for all.
    package var groups: Groups?

    /// A choice in two steps: first of groups of experts, then of experts of these.
    package struct Groups: Sendable, Hashable {
        /// Groups of neighbouring experts, all of the same size.
        package var count: Int
        /// Groups that experts are chosen from.
        package var used: Int

        package init(count: Int, used: Int) {
            self.count = count
            self.used = used
        }
    }
}
