import LeapBase
import LeapCompute
import LeapModel

/// The places in the arena of what recurrent layers keep of a segment's sequence.
struct StatePlaces {
    /// The chunk that both places are in.
    let chunk: StateChunk
    let buffer: any GPUBuffer
    /// Bytes behind the chunk's start; nil for zeros.
    let before: Int?
    let after: Int
    /// The places of the batch behind which it is kept besides, as rows, and where.
    let kept: [(row: Int, values: UnsafeMutableRawPointer)]
}

/// A batch as recurrent layers are told of it.
struct RecurrentInputs {
    /// States, as all layers see them but for what is kept.
    let states: GPUBinding
    let sequences: GPUBinding
    let places: GPUBinding
    let sequenceCount: Int
    /// The states that are kept, a part for each layer.
    let kept: [GPUBinding]
    /// The memory of the host that they are copied to, in the order of a part.
    fileprivate let targets: [UnsafeMutableRawPointer]
    fileprivate let layers: [GPURecurrence]

    /// The number of states of a layer that are kept.
    var keptCount: Int { targets.count }

    /// The same for one of the layers.
    func states(layer: Int) -> RecurrentStates {
        RecurrentStates(
            states: states, kept: kept[layer], keptStride: layers[layer].stateLength, sequences: sequences,
            places: places, sequenceCount: sequenceCount)
    }

    /// Writes what is kept where the processor keeps it, when the device is done.
    func keep() {
        for (layer, binding) in zip(layers, kept) {
            let shape = layer.shape, stride = MemoryLayout<Float>.stride
            guard let base = binding.buffer.contents.baseAddress else { return }
            for (index, target) in targets.enumerated() {
                let source = base + binding.range.lowerBound + index * layer.stateLength * stride
                memcpy(target + layer.place.state, source, shape.stateCount * stride)
                memcpy(
                    target + layer.place.inputs, source + shape.stateCount * stride,
                    layer.place.reach * shape.channels * stride)
            }
        }
    }
}

/// Layers with states of fixed size.
extension GPUPass {
    private static let none = UInt32.max

    /// The places of the states of each segment's sequence in the arena, none without recurrent layers; nil where one
    /// lies elsewhere.
    func statePlaces(of batch: SuffixBatch) -> [StatePlaces]? {
        guard let states else { return [] }
        var places: [StatePlaces] = []
        for segment in batch.segments {
            guard let own = batch.recurrentPlaces(of: segment.sequence), let after = states.place(of: own.after) else {
                return nil
            }
            var before: Int?
            if let start = own.before {
                guard let place = states.place(of: start), place.chunk === after.chunk else { return nil }
                before = place.offset
            }
            places.append(
                StatePlaces(
                    chunk: after.chunk, buffer: after.buffer, before: before, after: after.offset,
                    kept: own.checkpoints.map {
                        (segment.rows.lowerBound + $0.count - segment.start - 1, $0.values)
                    }))
        }
        return places
    }

    /// True if the device has room for the states that a batch keeps.
    func canKeep(_ places: [StatePlaces]) -> Bool {
        let starts = keptStarts(places.reduce(0) { $0 + $1.kept.count })
        let longest = zip(starts, starts.dropFirst()).map { $1 - $0 }.max() ?? 0
        return longest <= device.properties.bindingByteCount
            && starts.last ?? 0 <= device.properties.bufferByteCount
    }

    /// The starts of the layers' parts in a buffer for so many kept states, in bytes, and at last their end.
    private func keptStarts(_ count: Int) -> [Int] {
        let alignment = max(device.properties.bindingAlignment, MemoryLayout<Float>.stride)
        return model.recurrences.reduce(into: [0]) { starts, layer in
            let bytes = max(count * layer.stateLength, 1) * MemoryLayout<Float>.stride
            starts.append((starts.last ?? 0) + (bytes + alignment - 1) / alignment * alignment)
        }
    }

    /// Tells recurrent layers where the states of a batch are; nil without such layers.
    func recurrentInputs(_ places: [StatePlaces], _ batch: SuffixBatch) throws(GPUError) -> RecurrentInputs? {
        guard states != nil, let buffer = places.first?.buffer else { return nil }
        let stride = MemoryLayout<Float>.stride
        var sequences: [UInt32] = [], targets: [UnsafeMutableRawPointer] = []
        var keptAt = [UInt32](repeating: Self.none, count: batch.stream.count)
        for (segment, place) in zip(batch.segments, places) {
            sequences += [
                UInt32(segment.rows.lowerBound), UInt32(segment.rows.count),
                place.before.map { UInt32($0 / stride) } ?? Self.none, UInt32(place.after / stride),
            ]
            for (row, values) in place.kept {
                keptAt[row] = UInt32(targets.count)
                targets.append(values)
            }
        }
        let starts = keptStarts(targets.count)
        let keptStates = try scratch.takeBuffer(.purpose(.keptStates), (starts.last ?? 0) / stride)
        return RecurrentInputs(
            states: GPUBinding(buffer), sequences: try scratch.write(.purpose(.stateSequences), sequences),
            places: try scratch.write(.purpose(.statePlaces), keptAt), sequenceCount: batch.segments.count,
            kept: zip(starts, starts.dropFirst()).map { GPUBinding(keptStates, $0..<$1) }, targets: targets,
            layers: model.recurrences)
    }

    /// Lets all rows change the states of their sequences.
    ///
    /// - Returns: what they read, gated and normed.
    func recur(
        _ block: GPURecurrence, _ normed: GPUBinding, _ inputs: RecurrentInputs?, _ flow: inout Flow
    ) throws(GPUError) -> GPUBinding {
        guard let inputs else { throw .invalid("a recurrent layer without states") }
        let states = inputs.states(layer: flow.recurrence), shape = block.shape, rows = flow.rows
        flow.recurrence += 1
        let projected = try scratch.take(.channels, rows * shape.channels)
        let gates = try scratch.take(.gates, rows * shape.valueCount)
        let steps = try scratch.take(.steps, rows * block.stepLength)
        try flow.recording.multiply(block.input, normed, count: rows, into: projected)
        try flow.recording.multiply(block.gate, normed, count: rows, into: gates)
        if let timeStep = block.timeStep {
            try flow.recording.multiply(timeStep, normed, count: rows, into: steps, stride: block.stepLength)
        }
        if let beta = block.beta {
            try flow.recording.multiply(
                beta, normed, count: rows, into: steps, at: block.timeStep == nil ? 0 : shape.valueHeads,
                stride: block.stepLength)
        }
        try flow.recording.barrier()
        let mixed = try scratch.take(.filtered, rows * shape.channels), stride = MemoryLayout<Float>.stride
        try flow.recording.filter(
            projected, block.filters, bias: block.filterBias, taps: shape.taps, channels: shape.channels, states,
            inputStart: block.place.inputs / stride, keptStart: shape.stateCount, into: mixed)
        try flow.recording.barrier()
        if shape.form == .deltaNet {
            try flow.recording.normalizeLengths(mixed, shape, epsilon: DeltaNetBlock.lengthEpsilon, count: rows)
            try flow.recording.barrier()
        }
        let read = try scratch.take(.read, rows * shape.valueCount)
        try flow.recording.recur(
            shape, mixed, steps: steps, heads: block.heads, states, stateStart: block.place.state / stride,
            keptStart: 0, into: read)
        try flow.recording.barrier()
        try flow.recording.gate(read, by: gates, block.norm, shape, count: rows)
        try flow.recording.barrier()
        return read
    }

    /// Adds what rows read to the stream.
    ///
    /// - Parameter narrows: whether the stream has the wanted rows only.
    func write(
        _ read: GPUBinding, _ block: GPURecurrence, _ inputs: BatchInputs, _ ending: Ending, narrows: Bool,
        _ flow: inout Flow
    ) throws(GPUError) {
        guard narrows else { return try add(block.output, read, bias: nil, ending, &flow) }
        let wanted = try scratch.take(.wantedRead, flow.rows * block.shape.valueCount)
        try flow.recording.gather(
            read, rows: inputs.wantedRows, count: flow.rows, length: block.shape.valueCount, into: wanted)
        try flow.recording.barrier()
        try add(block.output, wanted, bias: nil, ending, &flow)
    }
}
