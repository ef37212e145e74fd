/// LFM2's gated short convolution: out_proj(C ⊙ conv(B ⊙ x)) with B, C, x from one projection.
///
/// The convolution is causal over `taps` positions and runs in each channel on its own. Its state is the `taps - 1`
/// latest inputs B ⊙ x.
package struct ShortConvolutionBlock: Sendable {
    /// The longest filters that can be computed.
    package static let maxTaps = 8

    /// Projection to B, C and x, one after the other.
    package var input: Matrix
    /// Projection back to the stream.
    package var output: Matrix
    /// The filters, `[channels][taps]`, the last tap for the position itself.
    package var filters: Vector
    package var taps: Int
    /// The index of this layer among the stack's convolution layers.
    package var cacheIndex = 0

    /// Channels of the convolution.
    package var channels: Int { output.columns }
}
