import LeapCompute
import LeapModel

extension MambaBlock {
    /// Takes in all rows, each of which changes the state of its sequence.
    ///
    /// - Returns: what the heads read, gated and normed, `[rows][heads · headLength]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.projected, .timeSteps, .filtered, .decays, .read]) }
        let kernels = pass.kernels
        let shape = recurrence
        let gates = try pass.rows(.outputGates, input.count, shape.valueCount)
        let projected = try pass.rows(.projected, input.count, shape.channels)
        let steps = try pass.rows(.timeSteps, input.count, shape.valueHeads)
        try pass.project(input, [(gate, gates), (self.input, projected), (timeStep, steps)])
        let mixed = try pass.rows(.filtered, input.count, shape.channels)
        pass.convolve(layer: cacheIndex, projected, filters: filters, bias: filterBias, into: mixed)
        kernels.silu(mixed)
        let decays = try pass.rows(.decays, input.count, shape.valueHeads)
        kernels.makeTimeSteps(steps, bias: timeBias, rate: decay, decays: decays)
        let read = try pass.rows(.read, input.count, shape.valueCount)
        pass.recur(
            layer: cacheIndex, shape,
            ForwardPass.RecurrenceInputs(mixed: mixed, decays: decays, betas: steps, skip: skip), into: read)
        kernels.activate(.silu, gate: gates, up: read)
        if let norm { kernels.rmsNorm(gates, norm, groups: shape.keyHeads) }
        return gates
    }

    /// Projects what was read back to the stream.
    func mix(
        _ read: Rows, _ pass: ForwardPass, into purpose: Workspace.Purpose = .branch
    ) throws(EngineError) -> Rows {
        defer { pass.release([.outputGates]) }
        return try pass.project(read, output, into: purpose)
    }
}
