import CLeapKernels

/// LFM2's gated short convolution: out_proj(C ⊙ conv(B ⊙ x)) with B, C, x from one projection.
///
/// The convolution is causal over `taps` positions and runs in each channel on its own. Its state is the `taps - 1` latest
/// inputs B ⊙ x; the cache keeps them so that a sequence can be cut at any token (see ``ConvolutionHistory``).
struct ShortConvolutionBlock: Sendable {
    /// The longest filters that the kernels take.
    static let maxTaps = Int(LEAP_CONV_TAPS_MAX)

    /// Projection to B, C and x, one after the other.
    var input: WeightMatrix
    /// Projection back to the stream.
    var output: WeightMatrix
    /// The filters, `[channels][taps]`, the last tap for the position itself.
    var filters: FloatVector
    var taps: Int
    /// Which of the cache's convolution layers this is.
    var cacheIndex: Int = 0

    /// Channels of the convolution.
    var channels: Int { output.columns }

    /// Computes the convolution, and keeps its inputs in the cache.
    ///
    /// - Returns: the convolved inputs times C, `[rows][channels]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let projected = try pass.project(input, self.input, into: .gate)
        let mixed = try pass.rows(.mixed, input.count, channels)
        try pass.convolve(layer: cacheIndex, self, projected: projected, into: mixed)
        return mixed
    }

    /// Projects what came out of the convolution back to the stream.
    func mix(_ mixed: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try pass.project(mixed, output, into: .branch)
    }
}
