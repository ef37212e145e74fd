/// Several streams side by side, of which each layer computes the first and predicts the others: alternating updates
/// (AltUp, Baykal and others 2023, as in Gemma 3n).
package struct AlternatingStreams: Sendable {
    /// The projections of the vectors in front of the first layer to those of each stream but the first; they get the
    /// root mean square of these.
    package var projections: [Matrix]
    /// The projections of each stream but the first, after the last layer, to its addition to the first; they get the
    /// root mean square of that one.
    package var returns: [Matrix]
    /// The first stream and the others.
    package var count: Int { projections.count + 1 }

    /// The least mean of squares that a vector is divided by the root of.
    package static let leastMeanSquare: Float = 1e-5
}

/// The part of a layer that predicts all streams from those in front of it, and corrects them by what the layer
/// computed of the first.
///
/// Scores of a vector are tanh(scale · router · norm(vector)).
package struct AlternatingUpdate: Sendable {
    /// One row for each stream.
    package var router: Matrix
    /// The norm in front of the router.
    package var routerNorm: RMSNorm
    /// The factor of the router's output.
    package var routerScale: Float
    /// The projection of the first stream's scores to the amount of each stream that is added to each: `[to][from]`.
    package var prediction: Matrix
    /// The projection of the scores of what the layer computed to how much more than once its difference from the
    /// prediction is added to each stream.
    package var correction: Matrix
}
