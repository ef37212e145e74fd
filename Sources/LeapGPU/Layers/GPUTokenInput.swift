import LeapCompute
import LeapModel

/// A layer's addition from the tokens' own vectors, as ``TokenInput`` describes it.
struct GPUTokenInput {
    /// The factors of the elements of the gate's input; nil for 1.
    let scale: GPUBinding?
    let gate: GPUMatrix
    let projection: GPUMatrix
    let norm: GPUNorm
    /// The place of the layer's vector among those of a token, in floats.
    let start: Int

    /// The reason why a device cannot compute an addition; nil if it can.
    static func obstacle(_ input: TokenInput) -> String? {
        guard GPULayer.isSimple(input.norm) else { return "the norm of its tokens' vectors has no kernel" }
        return GPULayer.obstacle(matrices(input))
    }

    static func matrices(_ input: TokenInput) -> [Matrix] { [input.gate, input.projection] }

    /// Binds an addition that has no obstacle.
    init(_ input: TokenInput, _ weights: BoundWeights) throws(GPUError) {
        scale = try weights.vector(input.scale)
        gate = try weights.matrix(input.gate)
        projection = try weights.matrix(input.projection)
        norm = try GPULayer.norm(input.norm, weights)
        start = input.index * input.gate.rows
    }
}
