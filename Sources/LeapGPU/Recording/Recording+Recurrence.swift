import LeapModel

/// The sequences of a batch as recurrent layers are told of them; see recurrence.slang.
struct RecurrentStates {
    /// States of sequences.
    let states: GPUBinding
    /// A layer's part of the states behind some rows, `[kept][keptStride]`.
    let kept: GPUBinding
    let keptStride: Int
    /// Of each sequence its rows, and where its state is and is to be written.
    let sequences: GPUBinding
    /// For each row which of the kept it is.
    let places: GPUBinding
    let sequenceCount: Int
}

/// Recurrent layers as commands.
extension Recording {
    /// Runs the convolution in front of a recurrence.
    ///
    /// - Parameters:
    ///   - inputStart: where the layer's inputs start in a state, in floats; `keptStart` in what is kept.
    mutating func filter(
        _ input: GPUBinding, _ filters: GPUBinding, bias: GPUBinding?, taps: Int, channels: Int,
        _ states: RecurrentStates,
        inputStart: Int, keptStart: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .causalFilter,
            [
                input, filters, bias ?? filters, states.states, states.kept, states.sequences, states.places, output,
            ],
            [
                states.sequenceCount, channels, taps, bias == nil ? 0 : 1, inputStart, keptStart, states.keptStride,
            ].map { UInt32($0) },
            groups: (Self.groups(channels, GPUKernel.elementsPerGroup), states.sequenceCount),
            work: .elements(output.rowCount(length: channels) * channels, buffers: 2) * taps)
    }

    /// Brings the heads of queries and keys to length 1.
    mutating func normalizeLengths(
        _ rows: GPUBinding, _ shape: RecurrenceShape, epsilon: Float, count: Int
    ) throws(GPUError) {
        try run(
            .unitHeads, [rows],
            [
                UInt32(count), UInt32(shape.keyHeads), UInt32(shape.keyLength), UInt32(shape.channels),
                epsilon.bitPattern,
            ], groups: (Self.groups(count * 2 * shape.keyHeads, GPUKernel.rowsPerGroup), 1),
            work: .elements(count * 2 * shape.keyHeads * shape.keyLength, buffers: 2))
    }

    /// Lets tokens change the states of their sequences and read from them.
    ///
    /// - Parameters:
    ///   - mixed: queries, keys and values of each token.
    ///   - steps: time steps as they were projected, and in Gated DeltaNet how much of a difference is written; where its
    ///     heads are grouped, the latter and then the former, for one key head after the other.
    ///   - heads: what each value head has of its own.
    ///   - stateStart: where the layer's state starts in that of a sequence, in floats; `keptStart` in what is kept.
    mutating func recur(
        _ shape: RecurrenceShape, _ mixed: GPUBinding, steps: GPUBinding, heads: GPUBinding, _ states: RecurrentStates,
        stateStart: Int, keptStart: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            shape.form == .deltaNet ? .deltaNet : .mamba,
            [mixed, steps, heads, states.states, states.kept, states.sequences, states.places, output],
            [
                shape.keyHeads, shape.valueHeads, shape.keyLength, shape.valueLength, shape.channels,
                shape.queryStart, shape.keyStart, shape.valueStart, stateStart, keptStart, states.keptStride,
                shape.isGrouped ? 1 : 0,
            ].map { UInt32($0) },
            groups: (
                Self.groups(shape.valueLength, GPUKernel.rowsPerGroup), shape.valueHeads * states.sequenceCount
            ),
            work: .recurrence(
                stateCount: shape.stateCount, rows: mixed.rowCount(length: shape.channels),
                rowLength: shape.channels + shape.valueCount, sequences: states.sequenceCount))
    }

    /// Gates and norms what was read, in place.
    mutating func gate(
        _ values: GPUBinding, by gates: GPUBinding, _ norm: GPUNorm?, _ shape: RecurrenceShape, count: Int
    ) throws(GPUError) {
        let isMamba = shape.form == .mamba, parts = isMamba ? shape.keyHeads : shape.valueHeads
        try run(
            .gatedNorm, [values, gates, norm?.gains ?? gates],
            [
                UInt32(count * parts), UInt32(shape.valueCount / parts), UInt32(isMamba ? parts : 1),
                norm == nil ? 0 : 1, isMamba ? 1 : 0, (norm?.epsilon ?? 1).bitPattern,
            ], groups: (Self.groups(count * parts, GPUKernel.rowsPerGroup), 1),
            work: .elements(count * shape.valueCount, buffers: 3))
    }
}
