import LeapCompute
import LeapModel

/// A convolution over the patches of pictures, as ``GridConvolutionBlock`` describes it.
struct GPUGridConvolution {
    let input: GPUMatrix
    let output: GPUMatrix
    let filters: GPUBinding
    let side: Int
    let channels: Int

    /// The reason why a device cannot compute a convolution; nil if it can.
    static func obstacle(_ block: GridConvolutionBlock) -> String? { GPULayer.obstacle([block.input, block.output]) }

    /// Binds a convolution that has no obstacle.
    init(_ block: GridConvolutionBlock, _ weights: BoundWeights) throws(GPUError) {
        input = try weights.matrix(block.input)
        output = try weights.matrix(block.output)
        filters = try weights.vector(block.filters)
        (side, channels) = (block.side, block.channels)
    }
}

extension BatchInputs {
    /// The place of each row in its picture, as gridconvolution.slang is told of it; pictures are whole.
    static func patches(_ batch: SuffixBatch) -> [UInt32] {
        var places: [UInt32] = []
        for segment in batch.segments {
            let columns = segment.rows.reduce(1) { max($0, batch.column(of: $1) + 1) }
            for index in segment.rows.indices {
                places += [
                    segment.rows.lowerBound, columns, segment.rows.count / columns, index - segment.rows.lowerBound,
                ].map { UInt32($0) }
            }
        }
        return places
    }
}

extension GPUPass {
    /// Computes a convolution over pictures, and adds it to the stream.
    func convolve(
        _ block: GPUGridConvolution, _ normed: GPUBinding, _ inputs: BatchInputs, _ ending: Ending, _ flow: inout Flow
    ) throws(GPUError) {
        guard let places = inputs.patches else { throw .invalid("a convolution without its pictures") }
        let projected = try scratch.take(.projected, flow.rows * 3 * block.channels)
        try flow.recording.multiply(block.input, normed, count: flow.rows, into: projected)
        try flow.recording.barrier()
        let mixed = try scratch.take(.mixed, flow.rows * block.channels)
        try flow.recording.convolve(
            projected, filters: block.filters, side: block.side, places: places, channels: block.channels,
            count: flow.rows, into: mixed)
        leavePrompts(&flow)
        try flow.recording.barrier()
        try add(block.output, mixed, bias: nil, ending, &flow)
    }
}

extension Recording {
    /// Convolves the patches of pictures, and multiplies them with their gates.
    ///
    /// - Parameters:
    ///   - projected: gates of the inputs, gates of the outputs and inputs of each row.
    ///   - side: patches of a filter's side.
    ///   - places: the place of each row in its picture.
    mutating func convolve(
        _ projected: GPUBinding, filters: GPUBinding, side: Int, places: GPUBinding, channels: Int, count: Int,
        into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .gridConvolution, [projected, filters, places, output], [count, channels, side].map { UInt32($0) },
            groups: (Self.groups(channels, GPUKernel.elementsPerGroup), count),
            work: .elements(count * channels, buffers: 4) * (side * side))
    }
}
