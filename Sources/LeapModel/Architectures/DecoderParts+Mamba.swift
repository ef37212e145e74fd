import LeapBase

extension DecoderParts {
    /// A layer of Mamba-2.
    ///
    /// - Parameter isNormed: whether what is read has to have a norm; it is used where the file has it.
    func mamba(layer: Int, cacheIndex: Int, isNormed: Bool = true) throws -> MambaBlock {
        let shape = try mambaShape()
        let prefix = prefix(layer)
        let (heads, values) = (shape.valueHeads, shape.valueCount)
        // Gates, what the convolution reads, and time steps have one projection.
        let joined = try binder.matrix(
            prefix + "ssm_in", rows: values + shape.channels + heads, columns: common.embedding, bias: true)
        let norm = prefix + "ssm_norm.weight"
        let weight =
            isNormed || binder.has(norm)
            ? try binder.floats(norm, shape: [values / shape.keyHeads, shape.keyHeads]) : nil
        return MambaBlock(
            gate: joined.rows(0..<values), input: joined.rows(values..<values + shape.channels),
            timeStep: joined.rows(values + shape.channels..<joined.rows),
            output: try binder.matrix(prefix + "ssm_out", rows: common.embedding, columns: values, bias: true),
            filters: try binder.floats(prefix + "ssm_conv1d.weight", shape: [shape.taps, shape.channels]),
            filterBias: try binder.optionalVector(prefix + "ssm_conv1d.bias", count: shape.channels),
            timeBias: try binder.vector(prefix + "ssm_dt.bias", count: heads),
            decay: try binder.floats(prefix + "ssm_a", shape: [1, heads]),
            skip: try binder.floats(prefix + "ssm_d", shape: [1, heads]),
            norm: weight.map { RMSNorm(weight: $0, epsilon: common.epsilon) }, recurrence: shape,
            cacheIndex: cacheIndex)
    }

    /// The shape of the states, which all layers share.
    private func mambaShape() throws -> RecurrenceShape {
        let state = try reader.int("ssm.state_size", in: 1...RecurrenceShape.longestKey)
        let groups = try reader.int("ssm.group_count", in: 1...65536)
        let heads = try reader.int("ssm.time_step_rank", in: 1...65536)
        let inner = try reader.int("ssm.inner_size", in: 1...(1 << 25))
        let taps = try reader.int("ssm.conv_kernel", in: 1...RecurrenceShape.maxTaps)
        try checkMultiple("ssm.time_step_rank", heads, of: "ssm.group_count", groups)
        try checkMultiple("ssm.inner_size", inner, of: "ssm.time_step_rank", heads)
        return RecurrenceShape(
            keyHeads: groups, valueHeads: heads, keyLength: state, valueLength: inner / heads, taps: taps, form: .mamba)
    }

    /// Refuses a number that another one does not divide.
    func checkMultiple(_ name: String, _ value: Int, of other: String, _ divisor: Int) throws(EngineError) {
        guard value % divisor != 0 else { return }
        throw EngineError(
            .invalidMetadata,
            "\(reader.key(name)) is \(value): it has to be a multiple of \(reader.key(other)), which is \(divisor)",
            field: reader.key(name))
    }
}
