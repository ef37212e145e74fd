import CLeapKernels

/// LFM2's gated short convolution: out_proj(C ⊙ conv(B ⊙ x)) with B, C, x from one projection.
///
/// The convolution is causal over `taps` positions and runs in each channel on its own. Its state is the `taps - 1` latest
/// inputs B ⊙ x; the cache keeps them so that a sequence can be cut at any token (see ``ConvolutionHistory``).
struct ShortConvolutionBlock: Sendable {
    /// The longest filters that the kernels take.
    static let mostTaps = Int(LEAP_CONV_TAPS_MAX)

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

    /// Runs the block on the normed stream in `pass.normed` and leaves the result for the rows that go on in `pass.branch`.
    func run(_ pass: ForwardPass) throws(EngineError) {
        let rows = pass.rowCount
        let projected = try pass.workspace.floats(.gate, rows * 3 * channels)
        try pass.project(pass.normed, count: rows, [(input, projected, 3 * channels)])
        let mixed = try pass.workspace.floats(.mixed, rows * channels)
        pass.convolve(layer: cacheIndex, self, projected: projected, out: mixed)
        pass.narrow(mixed, length: channels)
        guard pass.outgoingRowCount > 0 else { return }
        try pass.project(mixed, count: pass.outgoingRowCount, [(output, pass.branch, output.rows)])
    }
}
