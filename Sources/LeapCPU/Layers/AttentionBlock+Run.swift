import CLeapKernels
import LeapCompute
import LeapModel

extension AttentionBlock {
    /// Computes queries, keys, values and gates, and keeps keys and values in the cache.
    ///
    /// - Returns: the queries, `[rows][heads · headDimension]`, each head's followed by its gates where there are any,
    ///   and the gates that have a matrix of their own.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> MixerFeatures {
        let q = try pass.rows(.query, input.count, query.rows)
        // In the order in which the weights are read ahead.
        var products: [ForwardPass.Product] = [(query, q)]
        var (k, v, gates): (Rows?, Rows?, Rows?)
        if let key {
            let rows = try pass.rows(.key, input.count, keyValueHeads * headDimension)
            products.append((key, rows))
            k = rows
            v = try pass.rows(.value, input.count, keyValueHeads * headDimension)
        }
        if let value, let v { products.append((value, v)) }
        if let headGate {
            let rows = try pass.rows(.headGates, input.count, headGate.rows)
            products.append((headGate, rows))
            gates = rows
        }
        try pass.project(input, products)
        if let k, let v { try keep(k, v, pass) }
        try place(q, heads: heads, norm: queryNorm, pass)
        if let temperature { pass.scale(q, by: temperature) }
        return MixerFeatures(rows: q, gates: gates)
    }

    /// Keeps keys and values of positions that nothing else is computed of.
    func absorbKeyValues(_ input: Rows, _ pass: ForwardPass) throws(EngineError) {
        guard let key else { return }
        let k = try pass.rows(.key, input.count, keyValueHeads * headDimension)
        let v = try pass.rows(.value, input.count, keyValueHeads * headDimension)
        try pass.project(input, [(key, k)] + (value.map { [($0, v)] } ?? []))
        try keep(k, v, pass)
    }

    /// Keeps keys and values as they were projected in the cache, behind their norms and rotation.
    private func keep(_ k: Rows, _ v: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.key, .value]) }
        if value == nil { v.base.update(from: k.base, count: k.count * k.length) }
        try place(k, heads: keyValueHeads, norm: keyNorm, pass)
        if let valueNorm {
            let perHead = v.split(into: keyValueHeads)
            pass.kernels.rmsNorm(perHead, valueNorm, into: perHead)
        }
        pass.storeKeyValues(layer: cacheIndex, keys: k, values: v, heads: keyValueHeads)
    }

    /// Norms the heads of queries or keys and rotates them to their positions.
    private func place(
        _ x: Rows, heads: Int, norm: RMSNorm?, _ pass: ForwardPass
    ) throws(EngineError) {
        if let norm {
            let perHead = x.split(into: heads)
            pass.kernels.rmsNorm(perHead, norm, into: perHead)
        }
        guard let rope else { return }
        pass.kernels.rotate(x, heads: heads, pass.stack.ropes[rope], table: try pass.ropeTable(rope))
        guard let secondRope else { return }
        // Heads that begin half of their length later; of each only the first half is turned.
        let shifted = Rows(base: x.base + headDimension / 2, count: x.count, length: x.length)
        pass.kernels.rotate(
            shifted, heads: heads, pass.stack.ropes[secondRope], table: try pass.ropeTable(secondRope))
    }

    /// Lets queries attend to their sequences.
    func mix(_ features: MixerFeatures, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release(MixerFeatures.attention + [.queriesAlone, .mixed]) }
        let queries = try hasGatesBehindQueries ? withoutGates(features.rows, pass) : features.rows
        let mixed = try pass.rows(.mixed, queries.count, queries.length)
        let shape = leap_attention_shape(
            q_heads: Int32(heads), kv_heads: Int32(keyValueHeads), head_dim: Int32(headDimension),
            kv_type: pass.layout.keyValueType.kernelValue, scale: scale, softcap: 0, window: Int64(window),
            sinks: sinks.map { pass.kernels.bound.floats($0) })
        pass.attend(self, shape, queries: queries, into: mixed)
        if let gates = features.gates {
            if gatesElements {
                pass.kernels.gate(mixed, by: gates.base, stride: gates.length)
            } else {
                pass.kernels.gate(mixed.split(into: heads), by: gates)
            }
        }
        if hasGatesBehindQueries {
            let perHead = features.rows.split(into: heads)
            pass.kernels.gate(mixed.split(into: heads), by: perHead.base + headDimension, stride: perHead.length)
        }
        return try pass.project(mixed, output, into: .branch)
    }

    /// The queries of rows that have gates behind those of each head.
    private func withoutGates(_ features: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let queries = try pass.rows(.queriesAlone, features.count, heads * headDimension)
        let (source, target) = (features.split(into: heads), queries.split(into: heads))
        for head in 0..<target.count { target.row(head).update(from: source.row(head), count: headDimension) }
        return queries
    }
}
