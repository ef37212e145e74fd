import LeapCompute
import LeapModel

/// The update of streams side by side, as ``AlternatingUpdate`` describes it.
struct GPUStreamUpdate {
    let router: GPUMatrix
    let norm: GPUNorm
    /// The factor of the router's output.
    let scale: Float
    /// `[count · count][count]` and `[count][count]`.
    var prediction: GPUBinding
    var correction: GPUBinding
    /// The number of streams.
    let count: Int

    /// The reason why a device cannot compute an update; nil if it can.
    static func obstacle(_ update: AlternatingUpdate, of stack: LayerStack) -> String? {
        guard let streams = stack.alternating, update.routerNorm.weight != nil else {
            return "the norm of its router has no kernel"
        }
        if streams.count > GPUKernel.streamsMax { return "it has \(streams.count) streams" }
        return GPULayer.obstacle([update.router] + streams.returns)
    }

    /// Binds an update that has no obstacle.
    init(_ update: AlternatingUpdate, _ weights: BoundWeights) throws(GPUError) {
        func numbers(_ matrix: Matrix) -> [Float] { (0..<matrix.rows).flatMap { weights.row($0, of: matrix) } }
        router = try weights.matrix(update.router)
        norm = try GPULayer.norm(.rms(update.routerNorm), weights)
        scale = update.routerScale
        prediction = try weights.vector(numbers(update.prediction))
        correction = try weights.vector(numbers(update.correction))
        count = update.router.rows
    }
}

/// A residual of low rank beside a mixer, as ``LaurelBlock`` describes it.
struct GPULaurel {
    let down: GPUMatrix
    let up: GPUMatrix
    let norm: GPUNorm
    /// The factor of the sum of stream, mixer and residual.
    let scale: Float

    /// The reason why a device cannot compute a residual; nil if it can.
    static func obstacle(_ block: LaurelBlock) -> String? {
        guard GPULayer.isSimple(block.norm) else { return "the norm of its residual has no kernel" }
        return GPULayer.obstacle([block.down, block.up])
    }

    /// Binds a residual that has no obstacle.
    init(_ block: LaurelBlock, _ weights: BoundWeights) throws(GPUError) {
        down = try weights.matrix(block.down)
        up = try weights.matrix(block.up)
        norm = try GPULayer.norm(block.norm, weights)
        scale = block.scale
    }
}
