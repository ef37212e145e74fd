import LeapCompute
import LeapModel

extension GPUPass {
    /// The stream on its way through the layers.
    struct Flow {
        var recording: Recording
        /// The residual stream.
        var stream: GPUBinding
        var rows: Int
        /// The streams side by side, the first of which ``stream`` is; nil where there is one.
        var streams: GPUBinding?
        /// True if they lie in the second of two places.
        var areStreamsMoved = false
        /// The vectors that the rows' tokens have for all layers, and the floats of a token's; nil without.
        var tokenInputs: (rows: GPUBinding, length: Int)?
        /// True if no layer behind this one keeps anything of a position.
        var isLast = false
        /// True behind such a layer, where there are only rows that something is wanted of.
        var isNarrowed = false
        /// The start of the states and of the kept inputs of the next convolution, in floats.
        var stateStart = 0
        var keptStart = 0
        /// The index of the next one among the recurrent layers.
        var recurrence = 0
    }

    /// Has the device compute a batch.
    func compute(
        _ batch: SuffixBatch, _ places: BatchPlaces, _ tables: [Int: UnsafePointer<Float>]
    ) throws(GPUError) -> SuffixOutput {
        let inputs = try BatchInputs(batch, model, scratch, pages: places.pages, tables: tables)
        let recurrent = try recurrentInputs(places.states, batch)
        let kept = try scratch.take(.kept, model.convolutions.reduce(0) { $0 + $1.channels } * inputs.kept.count)
        let shape = BatchShape(
            rowCount: inputs.rowCount, wantedCount: inputs.wanted.count, promptRows: inputs.promptRows,
            pageCount: inputs.pageCount, chunks: inputs.chunkNumbers, spans: inputs.spans.map(\.chunk),
            stateChunk: places.states.first?.chunk.number, sequenceCount: inputs.sequenceCount,
            keptInputCount: inputs.kept.count, keptStateCount: recurrent?.keptCount ?? 0,
            wantsLogits: batch.wantsLogits, keptLayers: batch.keptLayers, pacing: pacer.generation)
        let plan: Plan
        if let known = plans.plan(shape, generation: scratch.generation + places.generation) {
            plan = known
            #if DEBUG
                let again = try record(
                    inputs, kept, recurrent, batch.keptLayers, wantsLogits: batch.wantsLogits, beginsEarly: false)
                assert(again.recording.checksum == plan.recording.checksum, "a shape has two lists of commands")
            #endif
            try plan.recording.repeatAll(seconds: device.properties.patience)
        } else {
            let generation = scratch.generation
            plan = try record(inputs, kept, recurrent, batch.keptLayers, wantsLogits: batch.wantsLogits)
            try plan.recording.finish(seconds: device.properties.patience)
            // A buffer that was replaced meanwhile is in the commands still; another pacing would record others.
            if device.properties.repeatsCommands, generation == scratch.generation, shape.pacing == pacer.generation {
                plans.keep(plan, shape, generation: generation + places.generation)
            }
        }
        load = GPULoad(plan.recording)
        keep(kept, inputs, batch)
        recurrent?.keep()
        let count = inputs.wanted.count
        return SuffixOutput(
            vectors: Self.rows(plan.vectors, count: count, length: model.width),
            logits: plan.logits.map { Self.rows($0, count: count, length: model.head?.rows ?? 0) },
            streams: plan.streams.map { Self.rows($0, count: inputs.rowCount, length: model.width) })
    }

    /// Records what the layers do with a batch.
    private func record(
        _ inputs: BatchInputs, _ kept: GPUBinding, _ recurrent: RecurrentInputs?, _ keptLayers: [Int],
        wantsLogits: Bool, beginsEarly: Bool = true
    ) throws(GPUError) -> Plan {
        var flow = Flow(
            recording: try Recording(device, pipelines, pacer: pacer, beginsEarly: beginsEarly), stream: inputs.stream,
            rows: inputs.rowCount, streams: inputs.streams, tokenInputs: inputs.tokenInputs)
        flow.recording.promptRows = inputs.promptRows
        var streams: [GPUBinding] = []
        let lastKeeping = model.layers.lastIndex(where: \.keepsPositions)
        if lastKeeping == nil, inputs.wanted.count < flow.rows, !inputs.wanted.isEmpty {
            flow.recording.promptRows = []
            try narrow(inputs, &flow)
            try flow.recording.barrier()
        }
        for (index, layer) in model.layers.enumerated() {
            if let update = layer.update { try predict(update, &flow) }
            if let mixing = layer.mixing {
                flow.isLast = index == lastKeeping
                try mix(mixing, of: layer, inputs, kept, recurrent, &flow)
            }
            // What lies behind the last layer that keeps something is of no use where nothing is wanted.
            if index == lastKeeping, inputs.wanted.isEmpty { break }
            if let feeding = layer.feeding { try feedForward(feeding, of: layer, &flow) }
            if let update = layer.update { try correct(update, &flow) }
            if let input = layer.tokenInput { try add(input, factor: layer.outputScale, &flow) }
            if keptLayers.contains(firstLayer + index) { streams.append(try keep(firstLayer + index, inputs, &flow)) }
        }
        if let returns = model.alternating?.returns, !inputs.wanted.isEmpty { try join(returns, inputs, &flow) }
        let count = inputs.wanted.count
        var (vectors, logits): (GPUBinding, GPUBinding?) = (flow.stream, nil)
        if count > 0 {
            vectors = try scratch.take(.vectors, count * model.width)
            try finish(into: vectors, count: count, inputs, flow: &flow)
            if wantsLogits, let head = model.head {
                // Kernels read their own memory faster than what the host reads.
                let normed = try scratch.take(.normed, count * model.width)
                try finish(into: normed, count: count, inputs, flow: &flow)
                logits = try project(normed, count, head, &flow)
            }
        }
        return Plan(recording: flow.recording, vectors: vectors, logits: logits, streams: streams)
    }

    /// Copies the stream behind a layer to where the host reads it; something is wanted of all rows.
    private func keep(_ layer: Int, _ inputs: BatchInputs, _ flow: inout Flow) throws(GPUError) -> GPUBinding {
        let stream = try scratch.take(.keptStream(layer), flow.rows * model.width)
        try flow.recording.gather(
            flow.stream, rows: inputs.order, count: flow.rows, length: model.width, into: stream)
        return stream
    }

    /// Writes what lies behind the layers: the stream, normed where there is a norm.
    private func finish(
        into output: GPUBinding, count: Int, _ inputs: BatchInputs, flow: inout Flow
    ) throws(GPUError) {
        if let norm = model.outputNorm {
            try flow.recording.norm(flow.stream, norm, length: model.width, count: count, into: output)
        } else {
            try flow.recording.gather(
                flow.stream, rows: inputs.order, count: count, length: model.width, into: output)
        }
    }

    /// The first half of a layer; the last mixer goes on with the rows that something is wanted of.
    func mix(
        _ mixing: GPULayer.Mixing, of layer: GPULayer, _ inputs: BatchInputs, _ kept: GPUBinding,
        _ recurrent: RecurrentInputs?, _ flow: inout Flow
    ) throws(GPUError) {
        let normed = try scratch.take(.normed, flow.rows * model.width)
        try flow.recording.norm(flow.stream, mixing.norm, length: model.width, count: flow.rows, into: normed)
        try flow.recording.barrier()
        if let laurel = mixing.laurel { try add(laurel, normed, &flow) }
        let narrows = flow.isLast && inputs.wanted.count < flow.rows
        let ending = Ending(
            norm: layer.mixerPostNorm, scale: layer.residualScale,
            factor: mixing.laurel?.scale ?? (layer.feeding == nil ? layer.finalFactor : 1))
        switch mixing.mixer {
        case .attention(let block): try attend(block, normed, inputs, ending, narrows: narrows, &flow)
        case .convolution(let block): try convolve(block, normed, inputs, kept, ending, narrows: narrows, &flow)
        case .gridConvolution(let block): try convolve(block, normed, inputs, ending, &flow)
        case .recurrence(let block):
            let read = try recur(block, normed, recurrent, &flow)
            leavePrompts(&flow)
            if narrows {
                guard !inputs.wanted.isEmpty else { return }
                try narrow(inputs, &flow)
            }
            try write(read, block, inputs, ending, narrows: narrows, &flow)
        case .attentionAndRecurrence(let attention, let block):
            let read = try recur(block, normed, recurrent, &flow)
            try attend(attention, normed, inputs, ending, narrows: narrows, &flow)
            guard !narrows || !inputs.wanted.isEmpty else { return }
            try write(read, block, inputs, ending, narrows: narrows, &flow)
        }
    }

    /// Behind what the last mixer keeps there are only rows that something is wanted of, which are computed as
    /// generated ones are, whatever else is in the batch.
    func leavePrompts(_ flow: inout Flow) {
        if flow.isLast { flow.recording.promptRows = [] }
    }

    /// The stream's rows that something is wanted of.
    func narrow(_ inputs: BatchInputs, _ flow: inout Flow) throws(GPUError) {
        let wanted = inputs.wanted.count
        let stream = try scratch.take(.wantedStream, wanted * model.width)
        try flow.recording.gather(
            flow.stream, rows: inputs.wantedRows, count: wanted, length: model.width, into: stream)
        flow.stream = stream
        if let streams = flow.streams, let count = model.alternating?.count {
            let kept = try scratch.take(.wantedStreams, wanted * count * model.width)
            try flow.recording.gather(
                streams, rows: inputs.wantedRows, count: wanted, length: count * model.width, into: kept)
            flow.streams = kept
        }
        if let inputVectors = flow.tokenInputs {
            let kept = try scratch.take(.wantedTokenInputs, wanted * inputVectors.length)
            try flow.recording.gather(
                inputVectors.rows, rows: inputs.wantedRows, count: wanted, length: inputVectors.length, into: kept)
            flow.tokenInputs = (kept, inputVectors.length)
        }
        flow.rows = wanted
        flow.isNarrowed = true
    }

    /// Computes attention, and adds it to the stream.
    func attend(
        _ block: GPUAttention, _ normed: GPUBinding, _ inputs: BatchInputs, _ ending: Ending, narrows: Bool,
        _ flow: inout Flow
    ) throws(GPUError) {
        var heads = try projectHeads(block, normed, &flow)
        try flow.recording.barrier()
        let placement = placement(of: block)
        try flow.recording.place(
            placement, heads.projected,
            turns: block.rope.flatMap { (flow.isNarrowed ? inputs.wantedRotations : inputs.rotations)[$0] },
            chunks: inputs.chunks, count: flow.rows)
        leavePrompts(&flow)
        var seen = (flow.isNarrowed ? inputs.wantedSeen : inputs.seen)[block.sight]
        if narrows {
            // Nothing behind the keys and values of the last layer is of use then.
            guard !inputs.wanted.isEmpty else { return }
            try flow.recording.barrier()
            try narrow(inputs, &flow)
            heads = try wanted(heads, of: block, inputs, &flow)
            seen = inputs.wantedSeen[block.sight]
        }
        guard let seen else { throw .invalid("a window without a table") }
        try flow.recording.barrier()
        let mixed = try scratch.take(.mixed, flow.rows * block.heads * block.headLength)
        if inputs.spans.isEmpty {
            guard let pages = inputs.chunks.first?.pages else { throw .invalid("a batch without pages") }
            try flow.recording.attend(
                placement, scale: block.scale, heads.projected, pages: pages, table: inputs.pages, seen: seen,
                sinks: block.sinks, count: flow.rows, pageCount: inputs.pageCount,
                isBusy: flow.rows * block.heads >= Self.busyGroups,
                gathered: try gathered(placement, inputs, rows: flow.rows), into: mixed)
        } else {
            try attendToChunks(block, placement, heads.projected, inputs, seen: seen, into: mixed, &flow)
        }
        try flow.recording.barrier()
        try gate(mixed, block, projected: heads.projected, headGates: heads.gates, &flow)
        try add(block.output, mixed, bias: block.outputBias, ending, &flow)
    }

    /// The queries, keys and values of rows in one buffer, and the gates of heads; nil without any.
    private typealias ProjectedHeads = (projected: GPUBinding, gates: GPUBinding?)

    /// Multiplies rows with a block's matrices for queries, keys, values and gates.
    private func projectHeads(
        _ block: GPUAttention, _ normed: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) -> ProjectedHeads {
        let (rows, length) = (flow.rows, block.rowLength)
        let (queries, keys) = (block.queryVectors * block.headLength, block.keyHeads * block.headLength)
        let projected = try scratch.take(.projected, rows * length)
        if let bias = block.bias {
            try flow.recording.bias(bias, length: length, count: rows, into: projected, isAdded: false)
            try flow.recording.barrier()
        }
        var products = [(block.query, 0)]
        if let own = block.keys { products += [(own.key, queries), (own.value, queries + keys)] }
        for (matrix, start) in products {
            if let bounds = matrix.bounds {
                try multiply(matrix, within: bounds, normed, into: projected, at: start, stride: length, &flow)
                continue
            }
            try flow.recording.multiply(
                matrix, normed, count: rows, into: projected, at: start, stride: length,
                mode: block.bias == nil ? .store : .add)
        }
        guard let matrix = block.headGate else { return (projected, nil) }
        let gates = try scratch.take(.headGates, rows * matrix.rows)
        try flow.recording.multiply(matrix, normed, count: rows, into: gates)
        return (projected, gates)
    }

    /// The form in which kernels norm, rotate and store a block's heads.
    func placement(of block: GPUAttention) -> HeadPlacement {
        let rope = block.rope.map { model.ropes[$0.first] }
        return HeadPlacement(
            heads: block.heads, keyHeads: block.keyHeads, headLength: block.headLength, norm: block.headNorm,
            pairs: (rope?.dimensions ?? 0) / 2, isInterleaved: rope?.interleaved ?? false,
            turnsHalves: block.rope?.second != nil, hasGates: block.hasGatesBehindQueries, hasKeys: block.keys != nil,
            valueEpsilon: block.keys?.normsValues == true ? block.valueEpsilon : nil, keyStart: block.place.keys,
            valueStart: block.place.values,
            type: model.keyValueType, hasGroups: block.hasGroups)
    }

    /// The heads of the rows that something is wanted of.
    private func wanted(
        _ heads: ProjectedHeads, of block: GPUAttention, _ inputs: BatchInputs, _ flow: inout Flow
    ) throws(GPUError) -> ProjectedHeads {
        let projected = try scratch.take(.wantedProjected, flow.rows * block.rowLength)
        try flow.recording.gather(
            heads.projected, rows: inputs.wantedRows, count: flow.rows, length: block.rowLength, into: projected)
        guard let gates = heads.gates else { return (projected, nil) }
        let wantedGates = try scratch.take(.wantedHeadGates, flow.rows * block.gateCount)
        try flow.recording.gather(
            gates, rows: inputs.wantedRows, count: flow.rows, length: block.gateCount, into: wantedGates)
        return (projected, wantedGates)
    }

    /// Workgroups of attention that keep a device busy: with fewer the pages of each are gone through side by side.
    private static let busyGroups = 2048
    /// The most floats for what pages give.
    static let gatheredMax = 1 << 24

    /// Room for what pages give to rows where they are gone through side by side; nil where not.
    private func gathered(
        _ placement: HeadPlacement, _ inputs: BatchInputs, rows: Int
    ) throws(GPUError) -> GPUBinding? {
        let count = rows * inputs.pageCount * placement.floatsPerPage
        let limits = device.properties
        guard inputs.pageCount > 1, rows * placement.heads < Self.busyGroups, count <= Self.gatheredMax,
            count <= limits.bindingByteCount / 4, inputs.pageCount <= limits.groupCounts[2]
        else { return nil }
        return try scratch.take(.gathered, count)
    }

    /// Multiplies what the heads gathered with their gates, where there are any.
    func gate(
        _ mixed: GPUBinding, _ block: GPUAttention, projected: GPUBinding, headGates: GPUBinding?,
        _ flow: inout Flow
    ) throws(GPUError) {
        if let headGates {
            try flow.recording.gateHeads(
                mixed, by: headGates, start: 0, strides: (block.gateCount, block.gateCount / block.heads),
                isPerElement: block.gatesElements, heads: block.heads, headLength: block.headLength, count: flow.rows)
            try flow.recording.barrier()
        }
        if block.hasGatesBehindQueries {
            try flow.recording.gateHeads(
                mixed, by: projected, start: block.headLength, strides: (block.rowLength, 2 * block.headLength),
                isPerElement: true, heads: block.heads, headLength: block.headLength, count: flow.rows)
            try flow.recording.barrier()
        }
    }

    func convolve(
        _ block: GPUConvolution, _ normed: GPUBinding, _ inputs: BatchInputs, _ kept: GPUBinding, _ ending: Ending,
        narrows: Bool, _ flow: inout Flow
    ) throws(GPUError) {
        let projected = try scratch.take(.projected, flow.rows * 3 * block.channels)
        try flow.recording.multiply(block.input, normed, count: flow.rows, into: projected)
        try flow.recording.barrier()
        var mixed = try scratch.take(.mixed, flow.rows * block.channels)
        let constants = [inputs.sequenceCount, block.channels, block.taps, flow.stateStart, flow.keptStart]
        try flow.recording.run(
            .shortConvolution, [projected, block.filters, inputs.states, mixed, inputs.sequences, kept, inputs.places],
            constants.map { UInt32($0) },
            groups: (Recording.groups(block.channels, GPUKernel.elementsPerGroup), inputs.sequenceCount),
            work: .elements(flow.rows * block.channels, buffers: 4) * block.taps)
        flow.stateStart += inputs.sequenceCount * (block.taps - 1) * block.channels
        flow.keptStart += inputs.kept.count * block.channels
        leavePrompts(&flow)
        if narrows {
            guard !inputs.wanted.isEmpty else { return }
            try narrow(inputs, &flow)
            try flow.recording.barrier()
            let wanted = try scratch.take(.wantedMixed, flow.rows * block.channels)
            try flow.recording.gather(
                mixed, rows: inputs.wantedRows, count: flow.rows, length: block.channels, into: wanted)
            mixed = wanted
        }
        try flow.recording.barrier()
        try add(block.output, mixed, bias: nil, ending, &flow)
    }

    /// The norm and the scale between a block's result and the stream.
    struct Ending {
        let norm: GPUNorm?
        let scale: Float
        /// The factor of the sum; 1 without a norm.
        let factor: Float

        /// True if the result is added as it is.
        var isPlain: Bool { norm == nil && scale == 1 }
    }

    /// Adds what a block's last matrix makes to the stream.
    func add(
        _ matrix: GPUMatrix, _ input: GPUBinding, bias: GPUBinding?, _ ending: Ending, _ flow: inout Flow
    ) throws(GPUError) {
        let rows = flow.rows
        if let bounds = matrix.bounds {
            let branch = try scratch.take(.branch, rows * model.width)
            try multiply(matrix, within: bounds, input, into: branch, stride: model.width, &flow)
            try flow.recording.barrier()
            return try finish(branch, ending, &flow)
        }
        guard ending.isPlain else {
            let branch = try scratch.take(.branch, rows * model.width)
            try multiply(matrix, bias: bias, input, into: branch, &flow)
            return try finish(branch, ending, &flow)
        }
        try flow.recording.multiply(matrix, input, count: rows, into: flow.stream, mode: .add)
        try flow.recording.barrier()
        guard let bias else { return }
        try flow.recording.bias(bias, length: model.width, count: rows, into: flow.stream, isAdded: true)
        try flow.recording.barrier()
    }

    /// Norms or scales a block's result, and adds it to the stream.
    func finish(_ branch: GPUBinding, _ ending: Ending, _ flow: inout Flow) throws(GPUError) {
        if let norm = ending.norm {
            try flow.recording.norm(
                branch, norm, length: model.width, count: flow.rows, into: flow.stream, isAdded: true,
                factor: ending.factor)
        } else {
            try flow.recording.addScaled(
                branch, scale: ending.scale, length: model.width, count: flow.rows, into: flow.stream)
        }
        try flow.recording.barrier()
    }

    /// Multiplies the rows of an input with a matrix, and adds a bias.
    func multiply(
        _ matrix: GPUMatrix, bias: GPUBinding?, _ input: GPUBinding, into output: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) {
        if let bias {
            try flow.recording.bias(bias, length: matrix.rows, count: flow.rows, into: output, isAdded: false)
            try flow.recording.barrier()
        }
        try flow.recording.multiply(
            matrix, input, count: flow.rows, into: output, mode: bias == nil ? .store : .add)
        try flow.recording.barrier()
    }

    /// The second half of a layer.
    func feedForward(_ feeding: GPULayer.Feeding, of layer: GPULayer, _ flow: inout Flow) throws(GPUError) {
        let normed = try scratch.take(.normed, flow.rows * model.width)
        try flow.recording.norm(flow.stream, feeding.norm, length: model.width, count: flow.rows, into: normed)
        try flow.recording.barrier()
        let ending = Ending(
            norm: layer.feedForwardPostNorm, scale: layer.residualScale, factor: layer.finalFactor)
        switch feeding.network {
        case .dense(let network):
            let inner = try lift(network, normed, into: .inner, &flow)
            try add(network.down, inner, bias: nil, ending, &flow)
        case .plain(let network):
            let inner = try lift(network, normed, into: .inner, &flow)
            try add(network.down, inner, bias: network.downBias, ending, &flow)
        case .mixture(let network): try run(network, normed, ending, &flow)
        case .sideBySide(let networks): try run(networks, normed, ending, &flow)
        }
    }

    /// Computes what a network has between its matrices.
    func lift(
        _ network: GPUDense, _ normed: GPUBinding, into purpose: Scratch.Purpose, _ flow: inout Flow
    ) throws(GPUError) -> GPUBinding {
        let inner = try scratch.take(purpose, flow.rows * network.gate.rows)
        if let gate = network.gate.bounds, let up = network.up.bounds {
            try lift(network, gate: gate, up: up, normed, into: inner, &flow)
            return inner
        }
        if let cutoff = network.cutoff {
            try flow.recording.multiply(network.gate, normed, count: flow.rows, into: inner)
            try flow.recording.barrier()
            try flow.recording.cut(inner, deviations: cutoff, length: network.gate.rows, count: flow.rows)
            try flow.recording.barrier()
            try flow.recording.multiply(network.up, normed, count: flow.rows, into: inner, mode: network.activation)
            try flow.recording.barrier()
            return inner
        }
        try flow.recording.multiply(
            gate: network.gate, up: network.up, normed, count: flow.rows, into: inner, mode: network.activation)
        try flow.recording.barrier()
        return inner
    }

    func lift(
        _ network: GPUPlain, _ normed: GPUBinding, into purpose: Scratch.Purpose, _ flow: inout Flow
    ) throws(GPUError) -> GPUBinding {
        // As far apart as the second matrix reads them.
        let (length, stride) = (network.up.rows, network.down.columns)
        let inner = try scratch.take(purpose, flow.rows * stride)
        try flow.recording.multiply(
            network.up, normed, count: flow.rows, into: inner, stride: stride,
            mode: network.activation == nil ? .squaredReLU : .store)
        try flow.recording.barrier()
        if let activation = network.activation {
            try flow.recording.gelu(
                inner, bias: activation.bias, isExact: activation.isExact, length: length, stride: stride,
                count: flow.rows)
            try flow.recording.barrier()
        }
        return inner
    }

    /// The products of vectors with the head's matrix, as many vectors at a time as one binding covers.
    func project(
        _ vectors: GPUBinding, _ count: Int, _ head: GPUMatrix, _ flow: inout Flow
    ) throws(GPUError) -> GPUBinding {
        let limit = GPUModel.logitRows(head.rows, device.properties)
        let logits = try scratch.takeBuffer(.purpose(.logits), count * head.rows)
        try flow.recording.barrier()
        for first in stride(from: 0, to: count, by: limit) {
            let part = min(limit, count - first)
            let input = GPUBinding(
                vectors.buffer, 4 * first * model.width..<4 * (first + part) * model.width)
            let output = GPUBinding(logits, 4 * first * head.rows..<4 * (first + part) * head.rows)
            try flow.recording.multiply(head, input, count: part, into: output)
        }
        return GPUBinding(logits)
    }

    /// Writes the inputs of convolutions that later positions look back at where the processor keeps them.
    func keep(_ kept: GPUBinding, _ inputs: BatchInputs, _ batch: SuffixBatch) {
        guard var source = kept.buffer.contents.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        for layer in model.convolutions {
            batch.keepConvolutionInputs(layer: layer.cacheIndex, at: inputs.kept, from: source)
            source += inputs.kept.count * layer.channels
        }
    }

    static func rows(_ binding: GPUBinding, count: Int, length: Int) -> Rows {
        // A buffer of a device is never empty.
        let base = binding.buffer.contents.baseAddress.unsafelyUnwrapped + binding.range.lowerBound
        return Rows(base: base.assumingMemoryBound(to: Float.self), count: count, length: length)
    }
}
