/// A dense network and a mixture of experts that both work on the stream, each behind norms of its own; their sum is
/// the result (Gemma 4).
package struct SideBySideFeedForward: Sendable {
    /// Reads the stream after the layer's norm.
    package var dense: DenseFeedForward
    /// A norm of the dense network's result.
    package var densePostNorm: Norm
    /// The norm in front of the experts.
    package var mixtureNorm: Norm
    package var mixture: MixtureFeedForward
    /// A norm of the experts' result.
    package var mixturePostNorm: Norm
    /// The norm in front of the router, which reads the stream too.
    package var routerNorm: RMSNorm
    /// The factor of the router's input.
    package var routerScale: Float
}
