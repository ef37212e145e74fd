/// A learned residual of low rank next to a mixer (LAuReL, Menghani and others 2024, as in Gemma 3n): x + norm(up · down
/// · x) of what the mixer reads.
///
/// The stream after the mixer is (stream + mixer + this) · scale.
package struct LaurelBlock: Sendable {
    package var down: Matrix
    package var up: Matrix
    package var norm: Norm
    /// The factor of the sum of stream, mixer and residual.
    package var scale: Float
}
