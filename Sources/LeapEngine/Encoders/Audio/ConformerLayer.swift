import CLeapKernels

/// A layer of a Conformer (arXiv:2005.08100): half a feed-forward network, attention, a convolution, the other half, and a norm.
struct ConformerLayer: Sendable {
    private let firstNorm: Norm
    private let first: ConformerFeedForward
    private let attentionNorm: Norm
    private let attention: RelativeAttention
    private let convolutionNorm: Norm
    private let convolution: ConformerConvolution
    private let secondNorm: Norm
    private let second: ConformerFeedForward
    private let outputNorm: Norm

    init(_ binder: WeightBinder, prefix: String, length: Int, heads: Int, epsilon: Float) throws {
        func norm(_ name: String) throws -> Norm {
            try binder.layerNorm(prefix + name, count: length, epsilon: epsilon)
        }
        firstNorm = try norm("ffn_norm")
        first = try ConformerFeedForward(binder, prefix: prefix, suffix: "", length: length)
        attentionNorm = try norm("ln1")
        attention = try RelativeAttention(binder, prefix: prefix, length: length, heads: heads)
        convolutionNorm = try norm("norm_conv")
        convolution = try ConformerConvolution(binder, prefix: prefix, length: length)
        secondNorm = try norm("ffn_norm_1")
        second = try ConformerFeedForward(binder, prefix: prefix, suffix: "_1", length: length)
        outputNorm = try norm("ln2")
    }

    /// Runs the layer in place.
    ///
    /// - Parameter positions: see ``RelativeAttention/run(_:positions:_:)``.
    func run(_ stream: Rows, positions: Rows, _ pass: ForwardPass) throws(EngineError) {
        try pass.add(try first.run(try pass.norm(stream, firstNorm), pass), to: stream, norm: nil, scale: 0.5)
        let attended = try attention.run(try pass.norm(stream, attentionNorm), positions: positions, pass)
        pass.kernels.add(attended, to: stream)
        pass.kernels.add(try convolution.run(try pass.norm(stream, convolutionNorm), pass), to: stream)
        try pass.add(try second.run(try pass.norm(stream, secondNorm), pass), to: stream, norm: nil, scale: 0.5)
        pass.kernels.norm(stream, outputNorm, into: stream)
    }
}

/// A feed-forward network with SiLU.
struct ConformerFeedForward: Sendable {
    private let up: WeightMatrix
    private let down: WeightMatrix

    init(_ binder: WeightBinder, prefix: String, suffix: String, length: Int) throws {
        // Metadata of released files name another width.
        let inner = max(1, binder.rowCount("\(prefix)ffn_up\(suffix).weight"))
        up = try binder.matrix("\(prefix)ffn_up\(suffix)", rows: inner, columns: length, bias: true)
        down = try binder.matrix("\(prefix)ffn_down\(suffix)", rows: length, columns: inner, bias: true)
    }

    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let lifted = try pass.project(input, up, into: .up)
        pass.kernels.silu(lifted)
        return try pass.project(lifted, down, into: .branch)
    }
}

/// A gated linear unit, a convolution over time of each channel for itself, a batch norm and SiLU, between two products.
struct ConformerConvolution: Sendable {
    private let input: WeightMatrix
    /// With the batch norm's factors and terms in it, which files have of its statistics.
    private let filters: DepthwiseFilters
    private let output: WeightMatrix

    init(_ binder: WeightBinder, prefix: String, length: Int) throws {
        input = try binder.matrix(prefix + "conv_pw1", rows: 2 * length, columns: length, bias: true)
        output = try binder.matrix(prefix + "conv_pw2", rows: length, columns: length, bias: true)
        let name = prefix + "conv_dw.weight"
        let taps = binder.file.tensor(name)?.shape.first ?? 1
        guard taps % 2 == 1, taps < 256 else {
            throw EngineError(
                .invalidTensor, "tensor \(name) has filters of \(taps) taps: an odd number up to 255 is needed",
                field: name)
        }
        filters = DepthwiseFilters(
            try binder.floats(name, shape: [taps, length]),
            bias: try binder.vector(prefix + "conv_dw.bias", count: length), taps: taps, channels: length,
            scale: try binder.vector(prefix + "conv_norm.weight", count: length),
            shift: try binder.vector(prefix + "conv_norm.bias", count: length))
    }

    func run(_ rows: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let gated = try pass.rows(.gate, rows.count, rows.length)
        pass.kernels.gatedLinearUnit(try pass.project(rows, input, into: .up), into: gated)
        let mixed = try pass.rows(.mixed, rows.count, rows.length)
        var inputs: [UnsafePointer<Float>?] = []
        inputs.reserveCapacity(rows.count * filters.taps)
        for row in 0..<rows.count {
            for tap in 0..<filters.taps {
                let source = row + tap - filters.taps / 2
                inputs.append(source >= 0 && source < rows.count ? UnsafePointer(gated.row(source)) : nil)
            }
        }
        pass.kernels.depthwise(inputs, filters, into: mixed)
        pass.kernels.silu(mixed)
        return try pass.project(mixed, output, into: .branch)
    }
}
