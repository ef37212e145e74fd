import LeapCompute
import LeapModel

extension ShortConvolutionBlock {
    /// Computes the convolution, and keeps its inputs in the cache, so that a sequence can be cut at any token (see
    /// ``ConvolutionHistory``).
    ///
    /// - Returns: the convolved inputs times C, `[rows][channels]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> MixerFeatures {
        defer { pass.release([.projected]) }
        let projected = try pass.project(input, self.input, into: .projected)
        let mixed = try pass.rows(.mixed, input.count, channels)
        try pass.convolve(layer: cacheIndex, self, projected: projected, into: mixed)
        return MixerFeatures(rows: mixed)
    }

    /// Projects what came out of the convolution back to the stream.
    func mix(_ features: MixerFeatures, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.mixed]) }
        return try pass.project(features.rows, output, into: .branch)
    }
}
