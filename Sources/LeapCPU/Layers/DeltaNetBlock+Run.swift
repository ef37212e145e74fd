import LeapBase
import LeapCompute
import LeapModel

extension DeltaNetBlock {
    /// Takes in all rows, each of which changes the state of its sequence.
    ///
    /// - Returns: what the value heads read, normed and gated, `[rows][valueHeads · headDimension]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let kernels = pass.kernels
        let shape = recurrence
        let projected = try pass.rows(.gate, input.count, shape.channels)
        let gates = try pass.rows(.up, input.count, shape.valueCount)
        let betas = try pass.rows(.scores, input.count, shape.valueHeads)
        let steps = try pass.rows(.factors, input.count, shape.valueHeads)
        try pass.project(
            input, [(self.input, projected), (gate, gates), (beta, betas), (timeStep, steps)])
        let mixed = try pass.rows(.query, input.count, shape.channels)
        pass.convolve(layer: cacheIndex, projected, filters: filters, bias: nil, into: mixed)
        kernels.silu(mixed)
        kernels.normalizeLengths(
            mixed, heads: shape.keyHeads, length: shape.keyLength, epsilon: Self.lengthEpsilon)
        let decays = try pass.rows(.headGates, input.count, shape.valueHeads)
        kernels.makeTimeSteps(steps, bias: timeBias, rate: decay, decays: decays)
        kernels.sigmoid(betas)
        let read = try pass.rows(.mixed, input.count, shape.valueCount)
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
        try pass.project(read, output, into: .branch)
    }
}
