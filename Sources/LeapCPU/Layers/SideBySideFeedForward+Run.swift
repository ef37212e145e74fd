import LeapCompute
import LeapModel

extension SideBySideFeedForward {
    /// Runs both networks.
    ///
    /// - Parameters:
    ///   - input: the stream behind the layer's norm.
    ///   - stream: the stream itself.
    func run(_ input: Rows, stream: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let kernels = pass.kernels
        let first = try dense.run(input, pass, into: .side)
        kernels.norm(first, densePostNorm, into: first)
        let routed = try pass.norm(stream, .rms(routerNorm))
        if routerScale != 1 { kernels.scale(routed, by: routerScale) }
        let scores = try pass.project(routed, mixture.router.matrix, into: .scores)
        let second = try mixture.run(try pass.norm(stream, mixtureNorm), scores: scores, pass)
        kernels.norm(second, mixturePostNorm, into: second)
        kernels.add(first, to: second)
        return second
    }
}
