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
        try project(input, pass, channels: projected, gates: gates, betas: betas, steps: steps)
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

    /// Makes what the layer takes of its inputs, in the order of the heads, whether projections are joined or not.
    private func project(
        _ input: Rows, _ pass: ForwardPass, channels: Rows, gates: Rows, betas: Rows, steps: Rows
    ) throws(EngineError) {
        defer { pass.release([.joinedChannels, .joinedSteps]) }
        let joined = gate == nil ? try pass.rows(.joinedChannels, input.count, self.input.rows) : nil
        let joinedSteps = timeStep == nil ? try pass.rows(.joinedSteps, input.count, beta.rows) : nil
        // In the order in which the weights are read ahead.
        var products: [ForwardPass.Product] = [(self.input, joined ?? channels)]
        if let gate { products.append((gate, gates)) }
        products.append((beta, joinedSteps ?? betas))
        if let timeStep { products.append((timeStep, steps)) }
        try pass.project(input, products)
        let (shape, perKey) = (recurrence, recurrence.valueHeadsPerKey)
        let values = perKey * shape.valueLength
        if let joined {
            pass.kernels.separate(
                joined, groups: shape.keyHeads,
                [
                    (shape.keyLength, channels, shape.queryStart), (shape.keyLength, channels, shape.keyStart),
                    (values, channels, shape.valueStart), (values, gates, 0),
                ])
        }
        if let joinedSteps {
            pass.kernels.separate(joinedSteps, groups: shape.keyHeads, [(perKey, betas, 0), (perKey, steps, 0)])
        }
    }

    /// Projects what was read back to the stream.
    func mix(_ read: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.outputGates]) }
        return try pass.project(read, output, into: .branch)
    }
}
