package import LeapCPU
import LeapCompute
package import LeapModel

/// Computes the last layers of a model on a device, and leaves them to the processor where the device fails.
package final class GPUPass: LayerSuffix {
    package let firstLayer: Int
    private let device: any GPUDevice
    private let model: GPUModel
    private let arena: GPUPageArena
    private let scratch: GPUScratch
    private let pipelines: GPUPipelines
    private let report: DeviceReport
    private let onNotice: (String) -> Void
    /// Why the device computes no more.
    package private(set) var fault: GPUError?
    /// What was said already.
    private var said: Set<String> = []
    /// Batches that the device computed, and runs of kernels of the latest.
    package private(set) var batchCount = 0
    package private(set) var dispatchCount = 0

    /// - Parameters:
    ///   - report: told of passes and of a failure.
    ///   - onNotice: takes what a log should say.
    init(
        _ model: GPUModel, firstLayer: Int, _ device: any GPUDevice, _ arena: GPUPageArena,
        _ pipelines: GPUPipelines, _ report: DeviceReport, onNotice: @escaping (String) -> Void
    ) {
        self.model = model
        self.firstLayer = firstLayer
        self.device = device
        self.arena = arena
        self.pipelines = pipelines
        self.report = report
        self.onNotice = onNotice
        scratch = GPUScratch(device)
    }

    /// The device's name.
    package var deviceName: String { device.properties.name }

    /// Whether it computes the products with the output head's matrix.
    package var computesHead: Bool { model.head != nil }

    /// After so long a batch counts as lost; a renderer in software is given the time that it needs.
    private var patience: Double { device.properties.kind == .processor ? 600 : 30 }

    package func run(_ batch: SuffixBatch) throws(EngineError) -> SuffixOutput? {
        guard fault == nil else {
            report.change { $0.processorPasses += 1 }
            return nil
        }
        guard !batch.hasAdapters else {
            return leave("layers with adapters are computed by the processor")
        }
        guard let offsets = pageOffsets(of: batch) else {
            return leave(
                "its pages for keys and values, of \(arena.positionCount) positions, are used up: the processor computes what lies beyond"
            )
        }
        guard batch.stream.count <= model.rowLimit else {
            return leave("batches of \(batch.stream.count) positions are computed by the processor")
        }
        var tables: [Int: UnsafePointer<Float>] = [:]
        for index in model.rotations { tables[index] = try batch.rotations(index) }
        do {
            let output = try compute(batch, offsets, tables)
            batchCount += 1
            report.change { $0.passes += 1 }
            return output
        } catch {
            if error == .inBackground {
                return leave("in the background the processor computes all layers, until the app comes back")
            }
            fault = error
            report.change { use in
                use.processorPasses += 1
                (use.layers, use.computesHead, use.failure) = (0, false, "\(error)")
            }
            if case .timedOut = error {
                arena.retire()
                // The device may still write into what belongs to this.
                _ = Unmanaged.passRetained(self)
            }
            onNotice("\(error): the processor computes all layers from here on")
            return nil
        }
    }

    /// Leaves a batch to the processor, and says why when it happens first.
    private func leave(_ reason: String) -> SuffixOutput? {
        report.change { $0.processorPasses += 1 }
        if said.insert(reason).inserted { onNotice("\(device.properties.name): \(reason)") }
        return nil
    }

    /// Where the pages of each segment's sequence start in the arena; nil where one lies elsewhere.
    private func pageOffsets(of batch: SuffixBatch) -> [[Int]]? {
        var offsets: [[Int]] = []
        for segment in batch.segments {
            let end = segment.start + segment.rows.count
            var own: [Int] = []
            for index in 0..<(end + StatePage.length - 1) / StatePage.length {
                guard let offset = arena.offset(of: batch.page(index, of: segment.sequence)) else { return nil }
                own.append(offset)
            }
            offsets.append(own)
        }
        return offsets
    }
}

// MARK: The layers

extension GPUPass {
    /// What is going through the layers.
    private struct Flow {
        var recording: GPURecording
        /// The residual stream.
        var stream: GPUBinding
        var rows: Int
        /// Where the states and the kept inputs of the next convolution start, in floats.
        var stateStart = 0
        var keptStart = 0
    }

    private func compute(
        _ batch: SuffixBatch, _ offsets: [[Int]], _ tables: [Int: UnsafePointer<Float>]
    ) throws(GPUError) -> SuffixOutput {
        let inputs = try GPUInputs(batch, model, scratch, offsets: offsets, tables: tables)
        let kept = try scratch.take(.kept, model.convolutions.reduce(0) { $0 + $1.channels } * inputs.kept.count)
        var flow = Flow(
            recording: try GPURecording(device, pipelines), stream: inputs.stream, rows: inputs.rowCount)
        for (index, layer) in model.layers.enumerated() {
            let isLast = index == model.layers.count - 1
            try mix(layer, inputs, kept, isLast: isLast, &flow)
            // What lies behind the last layer's mixer is of no use where nothing is wanted.
            if isLast, inputs.wanted.isEmpty { break }
            try feedForward(layer, &flow)
        }
        let count = inputs.wanted.count
        var (vectors, logits): (GPUBinding, Rows?) = (flow.stream, nil)
        if count > 0 {
            vectors = try scratch.take(.normed, count * model.width)
            try flow.recording.norm(
                flow.stream, model.outputNorm, length: model.width, count: count, into: vectors)
            if batch.wantsLogits, let head = model.head { logits = try project(vectors, count, head, &flow) }
        }
        try flow.recording.finish(seconds: patience)
        dispatchCount = flow.recording.dispatchCount
        keep(kept, inputs, batch)
        return SuffixOutput(vectors: Self.rows(vectors, count: count, length: model.width), logits: logits)
    }

    /// The first half of a layer; the last one's goes on with the rows that something is wanted of.
    private func mix(
        _ layer: GPULayer, _ inputs: GPUInputs, _ kept: GPUBinding, isLast: Bool, _ flow: inout Flow
    ) throws(GPUError) {
        let normed = try scratch.take(.normed, flow.rows * model.width)
        try flow.recording.norm(flow.stream, layer.mixerNorm, length: model.width, count: flow.rows, into: normed)
        try flow.recording.barrier()
        let narrows = isLast && inputs.wanted.count < flow.rows
        switch layer.mixer {
        case .attention(let block):
            try attend(block, normed, inputs, norm: layer.mixerPostNorm, narrows: narrows, &flow)
        case .convolution(let block):
            try convolve(block, normed, inputs, kept, norm: layer.mixerPostNorm, narrows: narrows, &flow)
        }
    }

    /// The stream's rows that something is wanted of.
    private func narrow(_ inputs: GPUInputs, _ flow: inout Flow) throws(GPUError) {
        let wanted = inputs.wanted.count
        let stream = try scratch.take(.wantedStream, wanted * model.width)
        try flow.recording.gather(
            flow.stream, rows: inputs.wantedRows, count: wanted, length: model.width, into: stream)
        flow.stream = stream
        flow.rows = wanted
    }

    private func attend(
        _ block: GPUAttention, _ normed: GPUBinding, _ inputs: GPUInputs, norm: GPUNorm?, narrows: Bool,
        _ flow: inout Flow
    ) throws(GPUError) {
        let (rows, length) = (flow.rows, block.rowLength)
        let (queries, keys) = (block.heads * block.headLength, block.keyHeads * block.headLength)
        var projected = try scratch.take(.projected, rows * length)
        if let bias = block.bias {
            try flow.recording.bias(bias, length: length, count: rows, into: projected, isAdded: false)
            try flow.recording.barrier()
        }
        for (matrix, start) in [(block.query, 0), (block.key, queries), (block.value, queries + keys)] {
            try flow.recording.multiply(
                matrix, normed, count: rows, into: projected, at: start, stride: length,
                mode: block.bias == nil ? .store : .add)
        }
        try flow.recording.barrier()
        let rope = block.rope.map { model.ropes[$0] }, pages = GPUBinding(arena.buffer)
        let placement = GPUPlacement(
            heads: block.heads, keyHeads: block.keyHeads, headLength: block.headLength, norm: block.headNorm,
            pairs: (rope?.dimensions ?? 0) / 2, isInterleaved: rope?.interleaved ?? false,
            keyStart: block.place.keys, valueStart: block.place.values, type: model.keyValueType)
        try flow.recording.place(
            placement, projected, turns: block.rope.flatMap { inputs.rotations[$0] }, pages: pages,
            slots: inputs.slots, count: rows)
        var seen = inputs.seen[block.window]
        if narrows {
            // Nothing behind the keys and values of the last layer is of use then.
            guard !inputs.wanted.isEmpty else { return }
            try flow.recording.barrier()
            try narrow(inputs, &flow)
            let wanted = try scratch.take(.wantedProjected, flow.rows * length)
            try flow.recording.gather(
                projected, rows: inputs.wantedRows, count: flow.rows, length: length, into: wanted)
            (projected, seen) = (wanted, inputs.wantedSeen[block.window])
        }
        guard let seen else { throw .invalid("a window without a table") }
        try flow.recording.barrier()
        let mixed = try scratch.take(.mixed, flow.rows * queries)
        try flow.recording.attend(
            placement, scale: block.scale, projected, pages: pages, table: inputs.pages, seen: seen,
            sinks: block.sinks, count: flow.rows, into: mixed)
        try flow.recording.barrier()
        try add(block.output, mixed, bias: block.outputBias, norm: norm, &flow)
    }

    private func convolve(
        _ block: GPUConvolution, _ normed: GPUBinding, _ inputs: GPUInputs, _ kept: GPUBinding, norm: GPUNorm?,
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
            groups: (GPURecording.groups(block.channels, GPUKernel.elementsPerGroup), inputs.sequenceCount))
        flow.stateStart += inputs.sequenceCount * (block.taps - 1) * block.channels
        flow.keptStart += inputs.kept.count * block.channels
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
        try add(block.output, mixed, bias: nil, norm: norm, &flow)
    }

    /// Adds what a block's last matrix makes to the stream, behind a norm where there is one.
    private func add(
        _ matrix: GPUMatrix, _ input: GPUBinding, bias: GPUBinding?, norm: GPUNorm?, _ flow: inout Flow
    ) throws(GPUError) {
        let rows = flow.rows
        guard let norm else {
            try flow.recording.multiply(matrix, input, count: rows, into: flow.stream, mode: .add)
            try flow.recording.barrier()
            guard let bias else { return }
            try flow.recording.bias(bias, length: model.width, count: rows, into: flow.stream, isAdded: true)
            return try flow.recording.barrier()
        }
        let branch = try scratch.take(.branch, rows * model.width)
        try multiply(matrix, bias: bias, input, into: branch, &flow)
        try flow.recording.norm(branch, norm, length: model.width, count: rows, into: flow.stream, isAdded: true)
        try flow.recording.barrier()
    }

    /// Multiplies the rows of an input with a matrix, and adds a bias.
    private func multiply(
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

    private func feedForward(_ layer: GPULayer, _ flow: inout Flow) throws(GPUError) {
        let normed = try scratch.take(.normed, flow.rows * model.width)
        try flow.recording.norm(
            flow.stream, layer.feedForwardNorm, length: model.width, count: flow.rows, into: normed)
        try flow.recording.barrier()
        switch layer.feedForward {
        case .dense(let network): try run(network, normed, norm: layer.feedForwardPostNorm, &flow)
        case .mixture(let network): try run(network, normed, norm: layer.feedForwardPostNorm, &flow)
        }
    }

    private func run(
        _ network: GPUDense, _ normed: GPUBinding, norm: GPUNorm?, _ flow: inout Flow
    ) throws(GPUError) {
        let inner = try scratch.take(.inner, flow.rows * network.gate.rows)
        try flow.recording.multiply(network.gate, normed, count: flow.rows, into: inner)
        try flow.recording.barrier()
        try flow.recording.multiply(network.up, normed, count: flow.rows, into: inner, mode: network.activation)
        try flow.recording.barrier()
        try add(network.down, inner, bias: nil, norm: norm, &flow)
    }

    private func run(
        _ network: GPUMixture, _ normed: GPUBinding, norm: GPUNorm?, _ flow: inout Flow
    ) throws(GPUError) {
        let router = network.router, rows = flow.rows, entries = rows * router.used
        let routed = try scratch.take(.routed, rows * router.experts)
        try multiply(router.matrix, bias: router.bias, normed, into: routed, &flow)
        let chosen = try scratch.take(.chosen, entries), weights = try scratch.take(.weights, entries)
        try flow.recording.choose(router, routed, count: rows, chosen: chosen, weights: weights)
        try flow.recording.barrier()
        let inner = try scratch.take(.inner, entries * network.gates.rows)
        try multiply(network.gates, normed, chosen, count: entries, perInput: router.used, into: inner, &flow)
        switch network.activation {
        case .product(let mode):
            try flow.recording.multiply(
                network.ups, normed, experts: chosen, count: entries, perInput: router.used, into: inner, mode: mode)
        case .clamped(let limit):
            let lifted = try scratch.take(.lifted, entries * network.ups.rows)
            try multiply(network.ups, normed, chosen, count: entries, perInput: router.used, into: lifted, &flow)
            try flow.recording.activate(inner, lifted, limit: limit, length: network.gates.rows, count: entries)
        }
        try flow.recording.barrier()
        let results = try scratch.take(.results, entries * model.width)
        try multiply(network.downs, inner, chosen, count: entries, perInput: 1, into: results, &flow)
        let target = try norm == nil ? flow.stream : scratch.take(.branch, rows * model.width)
        try flow.recording.combine(
            results, weights: weights, used: router.used, length: model.width, count: rows, into: target,
            isAdded: norm == nil)
        try flow.recording.barrier()
        guard let norm else { return }
        try flow.recording.norm(target, norm, length: model.width, count: rows, into: flow.stream, isAdded: true)
        try flow.recording.barrier()
    }

    /// Multiplies entries with the matrices of their experts, and adds the experts' biases.
    private func multiply(
        _ stack: GPUExperts, _ input: GPUBinding, _ experts: GPUBinding, count: Int, perInput: Int,
        into output: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) {
        if let bias = stack.bias {
            try flow.recording.bias(
                bias, length: stack.rows, count: count, experts: experts, into: output, isAdded: false)
            try flow.recording.barrier()
        }
        try flow.recording.multiply(
            stack, input, experts: experts, count: count, perInput: perInput, into: output,
            mode: stack.bias == nil ? .store : .add)
        try flow.recording.barrier()
    }

    /// The products of vectors with the head's matrix, as many vectors at a time as one binding covers.
    private func project(
        _ vectors: GPUBinding, _ count: Int, _ head: GPUMatrix, _ flow: inout Flow
    ) throws(GPUError) -> Rows {
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
        return Self.rows(GPUBinding(logits), count: count, length: head.rows)
    }

    /// Writes the inputs of convolutions that later positions look back at where the processor keeps them.
    private func keep(_ kept: GPUBinding, _ inputs: GPUInputs, _ batch: SuffixBatch) {
        guard var source = kept.buffer.contents.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
        for layer in model.convolutions {
            for (_, position, sequence) in inputs.kept {
                batch.convolutionInput(layer: layer.cacheIndex, position: position, of: sequence)
                    .update(from: source, count: layer.channels)
                source += layer.channels
            }
        }
    }

    private static func rows(_ binding: GPUBinding, count: Int, length: Int) -> Rows {
        // A buffer of a device is never empty.
        let base = binding.buffer.contents.baseAddress.unsafelyUnwrapped + binding.range.lowerBound
        return Rows(base: base.assumingMemoryBound(to: Float.self), count: count, length: length)
    }
}
