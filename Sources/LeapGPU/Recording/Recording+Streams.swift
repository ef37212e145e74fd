/// Streams side by side, and the vectors that tokens have for a layer.
extension Recording {
    /// Predicts all streams from those in front of a layer.
    ///
    /// - Parameters:
    ///   - logits: the router's, `[count][streams]`.
    ///   - before: `[count][streams][length]`, as what comes out.
    ///   - first: gets the first stream's prediction.
    mutating func predict(
        _ update: GPUStreamUpdate, _ logits: GPUBinding, before: GPUBinding, length: Int, count: Int,
        into streams: GPUBinding, first: GPUBinding
    ) throws(GPUError) {
        try runStreams(
            .predictStreams, [logits, update.prediction, before, streams, first], length: length, count: count,
            streams: update.count, scale: update.scale)
    }

    /// Corrects all streams by what a layer made of the first one's prediction, which becomes the first stream.
    mutating func correct(
        _ update: GPUStreamUpdate, _ logits: GPUBinding, length: Int, count: Int, streams: GPUBinding,
        first: GPUBinding
    ) throws(GPUError) {
        try runStreams(
            .correctStreams, [logits, update.correction, streams, streams, first], length: length, count: count,
            streams: update.count, scale: update.scale)
    }

    /// Adds rows to all streams but the first.
    mutating func add(
        _ rows: GPUBinding, toOthersOf streams: GPUBinding, _ streamCount: Int, length: Int, count: Int
    ) throws(GPUError) {
        try runStreams(
            .addToStreams, [rows, rows, streams, streams, rows], length: length, count: count, streams: streamCount,
            scale: 1)
    }

    private mutating func runStreams(
        _ kernel: GPUKernel, _ bindings: [GPUBinding], length: Int, count: Int, streams: Int, scale: Float
    ) throws(GPUError) {
        try run(
            kernel, bindings, [UInt32(count), UInt32(length), UInt32(streams), scale.bitPattern],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count),
            work: .elements(count * length * streams, buffers: 2))
    }

    /// Adds rows to the outputs, brought to the root mean squares of others, and multiplies the sums with a factor.
    ///
    /// - Parameters:
    ///   - stride: floats from one of the others to the next.
    ///   - least: the least mean of squares that is divided by.
    mutating func add(
        _ rows: GPUBinding, matching others: GPUBinding, stride: Int, least: Float, factor: Float, length: Int,
        count: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .matchAdd, [rows, others, output],
            [UInt32(count), UInt32(length), UInt32(stride), least.bitPattern, factor.bitPattern], groups: (count, 1),
            work: .elements(count * length, buffers: 3))
    }

    /// Passes gates through GELU, and multiplies them with the vectors that tokens have for a layer.
    ///
    /// - Parameters:
    ///   - stride: floats from a token's vectors to the next one's.
    ///   - start: floats in front of the layer's vector.
    mutating func activate(
        _ gates: GPUBinding, timesInputs inputs: GPUBinding, stride: Int, start: Int, length: Int, count: Int
    ) throws(GPUError) {
        try run(
            .geluTimes, [gates, inputs], [count, length, stride, start].map { UInt32($0) },
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// Multiplies the elements of rows with the factors of their columns.
    mutating func scale(
        _ input: GPUBinding, columns factors: GPUBinding, length: Int, count: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .scaleColumns, [input, factors, output], [UInt32(count), UInt32(length)],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// Leaves of rows what lies so many standard deviations above their means, and 0 for all else.
    mutating func cut(_ rows: GPUBinding, deviations: Float, length: Int, count: Int) throws(GPUError) {
        try run(
            .gaussianTopK, [rows], [UInt32(count), UInt32(length), deviations.bitPattern], groups: (count, 1),
            work: .elements(count * length, buffers: 2))
    }
}
