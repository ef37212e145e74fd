import LeapBase
import LeapCompute
import LeapModel

extension DeltaNetBlock {
    /// Takes in all rows, each of which changes the state of its sequence.
    ///
    /// - Returns: what the value heads read, normed and gated, `[rows][valueHeads · headDimension]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let kernels = pass.kernels
        let projected = try pass.rows(.gate, input.count, channels)
        let gates = try pass.rows(.up, input.count, gate.rows)
        let betas = try pass.rows(.scores, input.count, valueHeads)
        let steps = try pass.rows(.factors, input.count, valueHeads)
        try pass.project(
            input, [(self.input, projected), (gate, gates), (beta, betas), (timeStep, steps)])
        let mixed = try pass.rows(.query, input.count, channels)
        pass.convolve(self, projected, into: mixed)
        kernels.silu(mixed)
        kernels.normalizeLengths(mixed, heads: keyHeads, length: headDimension, epsilon: Self.lengthEpsilon)
        computeDecays(steps, bias: kernels.bound.floats(timeBias), decay: kernels.bound.floats(decay))
        for index in betas.values.indices { betas.values[index] = 1 / (1 + expf(-betas.values[index])) }
        let read = try pass.rows(.mixed, input.count, gate.rows)
        pass.recur(self, mixed, decays: steps, betas: betas, into: read)
        let heads = read.split(into: valueHeads)
        kernels.rmsNorm(heads, norm, into: heads)
        kernels.activate(.silu, gate: gates, up: read)
        return gates
    }

    /// Projects what was read back to the stream.
    func mix(_ read: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try pass.project(read, output, into: .branch)
    }

    /// What states are multiplied with over the time steps: exp(decay · log(1 + exp(step + bias))).
    private func computeDecays(_ steps: Rows, bias: UnsafePointer<Float>, decay: UnsafePointer<Float>) {
        for row in 0..<steps.count {
            let values = steps.row(row)
            for head in 0..<valueHeads {
                let step = values[head] + bias[head]
                // Where the logarithm is the step itself to the last bit, its exponential might overflow.
                let softplus = step > 20 ? step : log1pf(expf(step))
                values[head] = expf(decay[head] * softplus)
            }
        }
    }
}
