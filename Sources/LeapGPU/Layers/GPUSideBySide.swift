import LeapCompute
import LeapModel

/// A dense network and a mixture that both work on the stream, as ``SideBySideFeedForward`` describes them.
struct GPUSideBySide {
    let dense: GPUDense
    let densePostNorm: GPUNorm
    let mixtureNorm: GPUNorm
    let mixture: GPUMixture
    let mixturePostNorm: GPUNorm
    /// The norm of what the router reads, its gains times the factor of the router's input.
    let routerNorm: GPUNorm

    /// The reason why a device cannot compute the networks; nil if it can.
    static func obstacle(_ networks: SideBySideFeedForward) -> String? {
        let norms = [
            networks.densePostNorm, networks.mixtureNorm, networks.mixturePostNorm, .rms(networks.routerNorm),
        ]
        guard norms.allSatisfy({ GPULayer.isSimple($0) }) else { return "norms of its networks have no kernel" }
        return GPULayer.obstacle(networks.dense) ?? GPUMixture.obstacle(networks.mixture)
    }

    static func matrices(_ networks: SideBySideFeedForward) -> [Matrix] {
        [networks.dense.gate, networks.dense.up, networks.dense.down] + GPUMixture.matrices(networks.mixture)
    }

    /// Binds networks that have no obstacle.
    init(_ networks: SideBySideFeedForward, _ weights: BoundWeights) throws(GPUError) {
        dense = try GPUDense(networks.dense, weights)
        densePostNorm = try GPULayer.norm(networks.densePostNorm, weights)
        mixtureNorm = try GPULayer.norm(networks.mixtureNorm, weights)
        mixture = try GPUMixture(networks.mixture, weights)
        mixturePostNorm = try GPULayer.norm(networks.mixturePostNorm, weights)
        guard let gains = networks.routerNorm.weight else { throw .invalid("a norm without a kernel") }
        routerNorm = GPUNorm(
            gains: try weights.vector(weights.elements(of: gains).map { $0 * networks.routerScale }),
            epsilon: networks.routerNorm.epsilon)
    }
}
