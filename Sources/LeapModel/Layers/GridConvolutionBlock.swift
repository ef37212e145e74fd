/// LFM3-VL's gated convolution over the patches of a picture: out_proj(C ⊙ conv(B ⊙ x)) with B, C, x from one
/// projection.
///
/// The convolution runs in each channel on its own, over squares of patches; what lies outside of the picture is 0.
package struct GridConvolutionBlock: Sendable {
    /// Projection to B, C and x, one after the other.
    package var input: Matrix
    /// Projection back to the stream.
    package var output: Matrix
    /// The filters, `[channels][side][side]`.
    package var filters: Vector
    /// Patches of a filter's side; odd.
    package var side: Int

    /// Channels of the convolution.
    package var channels: Int { output.columns }
}
