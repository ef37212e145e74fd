extension DecoderParts {
    /// The matrices of a layer's experts.
    struct Experts {
        let gates: [Matrix]
        let ups: [Matrix]
        let downs: [Matrix]
    }

    /// The experts of a layer, whose gates and ups may be joined in one tensor; biases are used where the file has
    /// them.
    ///
    /// - Parameters:
    ///   - count: experts.
    ///   - inner: the inner length of each of them.
    func experts(layer: Int, count: Int, inner: Int, isScaled: Bool = true) throws -> Experts {
        let prefix = prefix(layer)
        let width = common.embedding
        func stack(_ name: String, rows: Int, columns: Int) throws -> [Matrix] {
            try binder.stack(prefix + name, count: count, rows: rows, columns: columns, bias: true, isScaled: isScaled)
        }
        let downs = try stack("ffn_down_exps", rows: width, columns: inner)
        guard binder.has(prefix + "ffn_gate_up_exps.weight") else {
            return Experts(
                gates: try stack("ffn_gate_exps", rows: inner, columns: width),
                ups: try stack("ffn_up_exps", rows: inner, columns: width), downs: downs)
        }
        let joined = try stack("ffn_gate_up_exps", rows: 2 * inner, columns: width)
        return Experts(
            gates: joined.map { $0.rows(0..<inner) }, ups: joined.map { $0.rows(inner..<2 * inner) }, downs: downs)
    }
}
