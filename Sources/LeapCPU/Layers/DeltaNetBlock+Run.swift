import LeapBase
import LeapCompute
import LeapModel

extension DeltaNetBlock {
    /// Takes in all rows, each of which changes the state of its sequence.
    ///
    /// - Returns: what the value heads read, normed and gated, `[rows][valueHeads · headDimension]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.projected, .betas, .timeSteps, .filtered, .decays, .read]) }
        let kernels = pass.kernels
        let shape = recurrence
        let projected = try pass.rows(.projected, input.count, shape.channels)
        let gates = try pass.rows(.outputGates, input.count, shape.valueCount)
        let betas = try pass.rows(.betas, input.count, shape.valueHeads)
        let steps = try pass.rows(.timeSteps, input.count, shape.valueHeads)
        try pass.project(
            input, [(self.input, projected), (gate, gates), (beta, betas), (timeStep, steps)])
        let mixed = try pass.rows(.filtered, input.count, shape.channels)
        pass.convolve(layer: cacheIndex, projected, filters: filters, bias: nil, into: mixed)
        kernels.silu(mixed)
        kernels.normalizeLengths(
            mixed, heads: shape.keyHeads, length: shape.keyLength, epsilon: Self.lengthEpsilon)
        let decays = try pass.rows(.decays, input.count, shape.valueHeads)
        kernels.makeTimeSteps(steps, bias: timeBias, rate: decay, decays: decays)
        kernels.sigmoid(betas)
        let read = try pass.rows(.read, input.count, shape.valueCount)
        pass.recur(
            layer: cacheIndex, shape, ForwardPass.RecurrenceInputs(mixed: mixed, decays: decays, betas: betas),
            into: read)
        let heads = read.split(into: shape.valueHeads)
        kernels.rmsNorm(heads, norm, into: heads)
        kernels.activate(.silu, gate: gates, up: read)
        return gates
    }

    /// Projects what was read back to the stream.
    func mix(_ read: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.outputGates]) }
        return try pass.project(read, output, into: .branch)
    }
}
