import LeapCompute
import LeapGGUF
import LeapModel

/// The kernels of a device, each compiled when it is first used.
final class GPUPipelines {
    private let device: any GPUDevice
    private var compiled: [GPUKernel: any GPUPipeline] = [:]

    init(_ device: any GPUDevice) { self.device = device }

    func pipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        if let known = compiled[kernel] { return known }
        let pipeline = try device.makePipeline(kernel)
        compiled[kernel] = pipeline
        return pipeline
    }
}

/// The placement of heads; see place.slang.
struct GPUPlacement {
    /// Heads of queries.
    let heads: Int
    let keyHeads: Int
    let headLength: Int
    /// The gains of the queries and then those of the keys.
    let norm: GPUNorm?
    let pairs: Int
    let isInterleaved: Bool
    /// True if each head of the queries is followed by its gates.
    var hasGates = false
    /// The places of the layer's keys and values in a page, in bytes.
    let keyStart: Int
    let valueStart: Int
    /// The type in which keys and values are kept.
    let type: KeyValueType

    /// Heads between a query head and the next one, itself included.
    var queryStep: Int { hasGates ? 2 : 1 }
    /// Vectors of a token in front of its keys.
    var queryVectors: Int { heads * queryStep }
    /// Vectors of a token's queries, gates, keys and values.
    var vectors: Int { queryVectors + 2 * keyHeads }
    /// True if several heads that have the same key head can be computed together.
    var hasGroups: Bool {
        heads / keyHeads % GPUKernel.headsTogether == 0
            && headLength * GPUKernel.headsTogether <= GPUKernel.headLengthMax
    }
    /// Floats that a page gives to a token's heads.
    var floatsPerPage: Int { heads * (2 + headLength) }
}

/// Commands in terms of layers.
struct GPURecording {
    private let device: any GPUDevice
    private var commands: any GPUCommands
    /// Lists of commands that the device was given already.
    private var submitted: [any GPUCommands] = []
    #if DEBUG
        private var digest = Hasher()
        /// Stands for all commands.
        var checksum: Int { digest.finalize() }
    #endif
    private let pipelines: GPUPipelines
    private(set) var dispatchCount = 0
    /// The rows of prompts among those of a batch, whose products matrix units compute where the device has them.
    ///
    /// What a row is decides which kernel computes it, never the batch that it is in: so it has the same bits in all.
    var promptRows: [Range<Int>] = []

    /// The device is given so many runs of kernels at a time, and begins while the next are recorded.
    private static let dispatchesPerSubmission = 64

    /// True if the device begins before all is recorded.
    private let beginsEarly: Bool

    init(_ device: any GPUDevice, _ pipelines: GPUPipelines, beginsEarly: Bool = true) throws(GPUError) {
        commands = try device.makeCommands()
        self.device = device
        self.beginsEarly = beginsEarly
        self.pipelines = pipelines
    }

    mutating func run(
        _ kernel: GPUKernel, _ bindings: [GPUBinding], _ constants: [UInt32], groups: (x: Int, y: Int), depth: Int = 1
    ) throws(GPUError) {
        try commands.dispatch(
            try pipelines.pipeline(kernel), bindings, constants: constants, groups: (groups.x, groups.y, depth))
        dispatchCount += 1
        #if DEBUG
            digest.combine(kernel)
            digest.combine(constants)
            digest.combine([groups.x, groups.y, depth])
            for binding in bindings {
                digest.combine(ObjectIdentifier(binding.buffer))
                digest.combine(binding.range)
            }
        #endif
    }

    /// Lets the commands from here on see what was written before.
    mutating func barrier() throws(GPUError) {
        try commands.barrier()
        #if DEBUG
            digest.combine(dispatchCount)
        #endif
        guard beginsEarly, dispatchCount >= (submitted.count + 1) * Self.dispatchesPerSubmission else { return }
        let next = try device.makeCommands()
        try commands.submit()
        submitted.append(commands)
        commands = next
    }

    /// Has the device carry all of it out.
    func finish(seconds: Double) throws(GPUError) {
        do {
            try commands.submit()
            try commands.wait(seconds: seconds)
        } catch {
            try leave(error)
        }
    }

    /// Has the device carry it out once more.
    func repeatAll(seconds: Double) throws(GPUError) {
        do {
            for list in submitted { try list.submit() }
            try commands.submit()
            try commands.wait(seconds: seconds)
        } catch {
            try leave(error)
        }
    }

    private func leave(_ error: GPUError) throws(GPUError) -> Never {
        // The device may still write: what it uses has to stay, and nothing can wait for it.
        if case .timedOut = error {
            for list in submitted + [commands] { _ = Unmanaged.passRetained(list as AnyObject) }
        }
        throw error
    }

    /// Multiplies vectors with a matrix.
    ///
    /// - Parameters:
    ///   - input: `[count][columns]`.
    ///   - start: where the first output is in `output`.
    ///   - stride: from the outputs of a vector to those of the next; nil for as many as there are rows.
    mutating func multiply(
        _ matrix: GPUMatrix, _ input: GPUBinding, count: Int, into output: GPUBinding, at start: Int = 0,
        stride: Int? = nil, mode: GPUKernel.ProductMode = .store
    ) throws(GPUError) {
        for span in spans(count) {
            let choice: (kernel: GPUKernel?, rows: Int, vectors: Int) =
                if span.isPrompt, let tiles = GPUKernel.tileProduct(matrix.type) {
                    (tiles, GPUKernel.tileLength, GPUKernel.tileLength)
                } else if span.vectors.count == 1 {
                    (.vectorProduct(matrix.type), GPUKernel.rowsPerGroup, 1)
                } else {
                    (.matrixProduct(matrix.type), GPUKernel.rowsPerGroup, GPUKernel.matrixWidth)
                }
            guard let kernel = choice.kernel else {
                throw .invalid("weights of type \(matrix.type.name) have no kernel")
            }
            for part in matrix.parts {
                let constants = [
                    part.rows.count, matrix.columns / GPUKernel.unit, part.start, matrix.rowByteCount / 2,
                    span.vectors.lowerBound, span.vectors.upperBound, matrix.columns / 4, stride ?? matrix.rows,
                    start + part.rows.lowerBound, Int(mode.rawValue), 0,
                ].prefix(kernel.constantCount)
                try run(
                    kernel, [part.binding, input, output], constants.map(UInt32.init(truncatingIfNeeded:)),
                    groups: (
                        Self.groups(part.rows.count, choice.rows), Self.groups(span.vectors.count, choice.vectors)
                    ))
            }
        }
    }

    /// Multiplies vectors with two matrices of one shape, and the products of the second with the activation of the first.
    mutating func multiply(
        gate: GPUMatrix, up: GPUMatrix, _ input: GPUBinding, count: Int, into output: GPUBinding,
        mode: GPUKernel.ProductMode
    ) throws(GPUError) {
        let isSingle = count == 1 && !spans(count).contains(where: \.isPrompt)
        guard isSingle, let kernel = GPUKernel.pairProduct(gate.type),
            let pair = GPUMatrix.Pair(gate, up, device.properties)
        else {
            try multiply(gate, input, count: count, into: output)
            try barrier()
            return try multiply(up, input, count: count, into: output, mode: mode)
        }
        let constants = [
            gate.rows, gate.columns / GPUKernel.unit, pair.first, gate.rowByteCount / 2, 0, 1, gate.columns / 4,
            gate.rows, 0, Int(mode.rawValue), pair.second,
        ]
        try run(
            kernel, [pair.binding, input, output], constants.map(UInt32.init(truncatingIfNeeded:)),
            groups: (Self.groups(gate.rows, GPUKernel.rowsPerGroup), 1))
    }

    /// Rows that follow each other and take the same kernel.
    private func spans(_ count: Int) -> [(vectors: Range<Int>, isPrompt: Bool)] {
        guard device.properties.hasMatrixUnits, !promptRows.isEmpty else { return [(0..<count, false)] }
        var (spans, end): ([(vectors: Range<Int>, isPrompt: Bool)], Int) = ([], 0)
        for rows in promptRows {
            if rows.lowerBound > end { spans.append((end..<rows.lowerBound, false)) }
            spans.append((rows, true))
            end = rows.upperBound
        }
        if end < count { spans.append((end..<count, false)) }
        return spans
    }

    /// Begins rows with a bias, or adds it to them.
    ///
    /// - Parameter experts: the expert of each row, which has a bias of its own; nil where all rows have one.
    mutating func bias(
        _ bias: GPUBinding, length: Int, count: Int, experts: GPUBinding? = nil, into output: GPUBinding, isAdded: Bool
    ) throws(GPUError) {
        try run(
            .bias, [bias, output, experts ?? bias],
            [UInt32(count), UInt32(length), isAdded ? 1 : 0, experts == nil ? 0 : 1],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// Passes gates through the clamped SiLU, and multiplies them with their factors.
    mutating func activate(
        _ gates: GPUBinding, _ factors: GPUBinding, limit: Float, length: Int, count: Int
    ) throws(GPUError) {
        try run(
            .clampedSilu, [gates, factors], [UInt32(count), UInt32(length), limit.bitPattern],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// Norms rows.
    ///
    /// - Parameter isAdded: whether what is normed is added to the outputs.
    mutating func norm(
        _ input: GPUBinding, _ norm: GPUNorm, length: Int, count: Int, into output: GPUBinding, isAdded: Bool = false
    ) throws(GPUError) {
        try run(
            isAdded ? .rmsNormAdd : .rmsNorm, [input, norm.gains, output],
            [UInt32(count), UInt32(length), norm.epsilon.bitPattern], groups: (count, 1))
    }

    /// Norms and rotates heads, and writes keys and values into pages.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token.
    ///   - turns: the cosines and sines of the rotation; nil without one.
    mutating func place(
        _ block: GPUPlacement, _ rows: GPUBinding, turns: GPUBinding?, pages: GPUBinding, slots: GPUBinding, count: Int
    ) throws(GPUError) {
        let constants: [UInt32] = [
            UInt32(count), UInt32(block.queryVectors), UInt32(block.keyHeads), UInt32(block.headLength),
            block.norm == nil ? 0 : 1, (block.norm?.epsilon ?? 1).bitPattern, UInt32(turns == nil ? 0 : block.pairs),
            block.isInterleaved ? 1 : 0, UInt32(block.queryStep), UInt32(block.keyStart / 2),
            UInt32(block.valueStart / 2),
        ]
        let kernel: GPUKernel =
            switch block.type {
            case .f16: .placeF16
            case .f32: .placeF32
            case .q8_0: .placeRows
            }
        // What is not read is bound to something.
        try run(
            kernel, [rows, block.norm?.gains ?? slots, turns ?? slots, pages, slots],
            constants, groups: (Self.groups(count * block.vectors, GPUKernel.rowsPerGroup), 1))
        guard block.type == .q8_0 else { return }
        try barrier()
        try run(
            .storeQ8_0, [rows, pages, slots], Array(constants[..<4] + constants[9...]),
            groups: (Self.groups(count * 2 * block.keyHeads, GPUKernel.rowsPerGroup), 1))
    }

    /// Attends to pages.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token, of which the queries are read.
    ///   - seen: the positions that each token sees.
    ///   - sinks: the score of nothing for each head; nil without.
    ///   - isBusy: whether there are so many rows that a device is busy even if several heads go together, and reads keys and values
    ///     once for them; the bits are the same.
    ///   - gathered: has room for what each page gives, see ``GPUPlacement/floatsPerPage``, if they are gone through side by side; the
    ///     bits are the same.
    mutating func attend(
        _ block: GPUPlacement, scale: Float, _ rows: GPUBinding, pages: GPUBinding, table: GPUBinding, seen: GPUBinding,
        sinks: GPUBinding?, count: Int, pageCount: Int, isBusy: Bool = false, gathered: GPUBinding? = nil,
        into output: GPUBinding
    ) throws(GPUError) {
        let (whole, group, page): (GPUKernel, GPUKernel, GPUKernel) =
            switch block.type {
            case .f16: (.attentionF16, .attentionGroupF16, .attentionPageF16)
            case .f32: (.attentionF32, .attentionGroupF32, .attentionPageF32)
            case .q8_0: (.attentionQ8_0, .attentionGroupQ8_0, .attentionPageQ8_0)
            }
        let constants: [UInt32] = [
            UInt32(block.heads), UInt32(block.keyHeads), UInt32(block.headLength), scale.bitPattern, 0,
            sinks == nil ? 0 : 1, UInt32(block.vectors * block.headLength), UInt32(block.queryStep),
            UInt32(block.keyStart / 2), UInt32(block.valueStart / 2), UInt32(pageCount),
        ]
        func bindings(_ from: GPUBinding, _ to: GPUBinding) -> [GPUBinding] {
            [from, pages, pages, table, seen, to, sinks ?? table]
        }
        guard let gathered else {
            if isBusy, block.hasGroups {
                let groups = (block.heads / GPUKernel.headsTogether, count)
                return try run(group, bindings(rows, output), constants, groups: groups)
            }
            return try run(whole, bindings(rows, output), constants, groups: (block.heads, count))
        }
        try run(page, bindings(rows, gathered), constants, groups: (block.heads, count), depth: pageCount)
        try barrier()
        try run(.attentionJoin, bindings(gathered, output), constants, groups: (block.heads, count))
    }

    /// Chooses experts by a router's logits.
    ///
    /// - Parameters:
    ///   - chosen: the experts of each token, in the order of the choice.
    ///   - weights: what their results are multiplied with.
    mutating func choose(
        _ router: GPURouter, _ logits: GPUBinding, count: Int, chosen: GPUBinding, weights: GPUBinding
    ) throws(GPUError) {
        let score: UInt32 =
            switch router.score {
            case .sigmoid: 0
            case .softmax: 1
            case .softmaxOfChosen: 2
            }
        try run(
            .choose, [logits, router.choiceBias ?? logits, router.expertScales ?? logits, chosen, weights],
            [
                UInt32(router.experts), UInt32(router.used), score, router.choiceBias == nil ? 0 : 1,
                router.expertScales == nil ? 0 : 1, router.normalization == nil ? 0 : 1,
                (router.normalization ?? 0).bitPattern, router.scale.bitPattern,
            ], groups: (count, 1))
    }

    /// Multiplies entries with the matrices of the experts that they go to.
    ///
    /// - Parameters:
    ///   - count: entries.
    ///   - perInput: entries that follow each other and have the same input.
    mutating func multiply(
        _ stack: GPUExperts, _ input: GPUBinding, experts: GPUBinding, count: Int, perInput: Int,
        into output: GPUBinding, mode: GPUKernel.ProductMode = .store
    ) throws(GPUError) {
        guard let kernel = GPUKernel.expertProduct(stack.matrices.type), let part = stack.matrices.parts.first else {
            throw .invalid("weights of type \(stack.matrices.type.name) have no kernel")
        }
        let constants = [
            stack.rows, stack.matrices.columns / GPUKernel.unit, part.start, stack.matrices.rowByteCount / 2,
            stack.byteCount / 2, perInput, stack.matrices.columns / 4, Int(mode.rawValue),
        ]
        try run(
            kernel, [part.binding, input, output, experts], constants.map(UInt32.init(truncatingIfNeeded:)),
            groups: (Self.groups(stack.rows, GPUKernel.rowsPerGroup), count))
    }

    /// Adds up what experts made of each token.
    mutating func combine(
        _ results: GPUBinding, weights: GPUBinding, used: Int, length: Int, count: Int, into output: GPUBinding,
        isAdded: Bool
    ) throws(GPUError) {
        try run(
            .combine, [results, weights, output], [UInt32(count), UInt32(used), UInt32(length), isAdded ? 1 : 0],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// Multiplies what the heads of attention gathered with the logistic function of gates.
    ///
    /// - Parameters:
    ///   - start: where the first gate is.
    ///   - strides: floats from a token's gates to the next one's, and from a head's to the next one's.
    ///   - isPerElement: whether each element of a head has a gate.
    mutating func gateHeads(
        _ values: GPUBinding, by gates: GPUBinding, start: Int, strides: (token: Int, head: Int), isPerElement: Bool,
        heads: Int, headLength: Int, count: Int
    ) throws(GPUError) {
        try run(
            .gateHeads, [values, gates],
            [count, heads, headLength, strides.token, strides.head, start, isPerElement ? 1 : 0].map { UInt32($0) },
            groups: (Self.groups(heads * headLength, GPUKernel.elementsPerGroup), count))
    }

    /// Adds rows, times a factor and the logistic function of each row's gate, to others.
    ///
    /// - Parameter gates: one for each row; nil without.
    mutating func addScaled(
        _ input: GPUBinding, gates: GPUBinding? = nil, scale: Float, length: Int, count: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .addScaled, [input, gates ?? input, output],
            [UInt32(count), UInt32(length), gates == nil ? 0 : 1, scale.bitPattern],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// Copies some of the rows, one behind the other.
    mutating func gather(
        _ input: GPUBinding, rows: GPUBinding, count: Int, length: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .gather, [input, rows, output], [UInt32(count), UInt32(length)],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count))
    }

    /// The number of workgroups of a size that hold a count.
    static func groups(_ count: Int, _ size: Int) -> Int { (count + size - 1) / size }
}
