import LeapBase

/// Queries that grow with their positions, so that attention over long contexts stays as sharp (Llama 4, Mistral 3):
/// multiplied, after the rotation, with 1 + scale · ln(1 + floor(position / step)).
package struct QueryTemperature: Sendable, Hashable {
    /// The factor of the logarithm by which queries grow.
    package var scale: Float
    /// Positions that have one factor, at least 1; it is 1 for the first of these stretches.
    package var step: Int

    package init(scale: Float, step: Int) {
        self.scale = scale
        self.step = step
    }

    /// The factor of a position.
    package func factor(at position: Int) -> Float { 1 + scale * logf(1 + Float(position / step)) }
}
