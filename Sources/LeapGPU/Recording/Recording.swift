import LeapCompute
import LeapGGUF
import LeapModel

/// Commands in terms of layers.
struct Recording {
    let device: any GPUDevice
    private var commands: any GPUCommands
    /// Lists of commands that the device was given already, and the work of each.
    private var submitted: [(list: any GPUCommands, work: GPUWork)] = []
    /// The number of these that were waited for.
    private var waitedCount = 0
    #if DEBUG
        private var digest = Hasher()
        /// Stands for all commands.
        var checksum: Int { digest.finalize() }
    #endif
    let pipelines: Pipelines
    /// Decides where a submission ends; nil where all of it is one.
    private let pacer: Pacer?
    private(set) var dispatchCount = 0
    /// Groups of runs that a barrier separates from the next ones.
    private(set) var stageCount = 0
    private var isStageOpen = false
    /// The work of the commands that the device was not given yet, and the runs of kernels among them.
    private var pending = (work: GPUWork(), dispatchCount: 0)
    /// The rows of prompts among those of a batch, whose products matrix units compute where the device has them.
    ///
    /// What a row is decides which kernel computes it, never the batch that it is in: so it has the same bits in all.
    var promptRows: [Range<Int>] = []

    /// A submission ends at the first barrier after so many runs of kernels, and the device begins it while the next
    /// ones are recorded.
    private static let dispatchesPerSubmission = 64

    /// True if the device begins before all is recorded.
    private let beginsEarly: Bool
    /// The seconds that submissions are waited for.
    private let patience: Double

    init(
        _ device: any GPUDevice, _ pipelines: Pipelines, pacer: Pacer? = nil, beginsEarly: Bool = true
    ) throws(GPUError) {
        commands = try device.makeCommands()
        self.device = device
        self.beginsEarly = beginsEarly
        self.pipelines = pipelines
        self.pacer = pacer
        patience = device.properties.patience
    }

    /// The work of each submission, in order.
    var submissions: [GPUWork] { submitted.map(\.work) + [pending.work] }

    /// Adds a run of a kernel.
    ///
    /// - Parameters:
    ///   - kernel: the kernel.
    ///   - bindings: a part of a buffer for each of its buffers.
    ///   - constants: its parameters.
    ///   - groups: workgroups in two dimensions.
    ///   - depth: workgroups in the third one.
    ///   - work: the run's work; nil for that of a kernel with an element for each thread.
    mutating func run(
        _ kernel: GPUKernel, _ bindings: [GPUBinding], _ constants: [UInt32], groups: (x: Int, y: Int), depth: Int = 1,
        work: GPUWork? = nil
    ) throws(GPUError) {
        let threads = groups.x * groups.y * depth * GPUKernel.elementsPerGroup
        let work = work ?? .elements(threads, buffers: kernel.bufferCount)
        if let pacing = pacer?.pacing, pending.dispatchCount > 0, pacing.seconds(pending.work + work) > pacing.limit {
            try endSubmission()
        }
        try commands.dispatch(
            try pipelines.pipeline(kernel), bindings, constants: constants, groups: (groups.x, groups.y, depth))
        dispatchCount += 1
        pending.dispatchCount += 1
        pending.work += work
        if !isStageOpen {
            stageCount += 1
            isStageOpen = true
        }
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
        isStageOpen = false
        #if DEBUG
            digest.combine(dispatchCount)
        #endif
        if pending.dispatchCount >= Self.dispatchesPerSubmission { try endSubmission() }
    }

    /// Gives the device what was recorded so far; what comes next sees what that wrote.
    private mutating func endSubmission() throws(GPUError) {
        guard beginsEarly else { return }
        let next = try device.makeCommands()
        do {
            try commands.submit()
            let work = pending.work
            submitted.append((commands, work))
            commands = next
            pending = (GPUWork(), 0)
            if pacer?.isMeasured(work) == true {
                try wait(for: waitedCount..<submitted.count, seconds: patience)
                waitedCount = submitted.count
            }
        } catch {
            try leave(error)
        }
    }

    /// Has the device carry all of it out.
    func finish(seconds: Double) throws(GPUError) {
        do {
            try commands.submit()
            try wait(for: waitedCount..<submitted.count + 1, seconds: seconds)
        } catch {
            try leave(error)
        }
    }

    /// Has the device carry it out once more.
    func repeatAll(seconds: Double) throws(GPUError) {
        do {
            for (list, _) in submitted { try list.submit() }
            try commands.submit()
            try wait(for: 0..<submitted.count + 1, seconds: seconds)
        } catch {
            try leave(error)
        }
    }

    /// Waits for lists, each of which may be submitted again then.
    ///
    /// - Parameters:
    ///   - indices: those of the lists; the last list is not among ``submitted``.
    ///   - seconds: the time for each.
    private func wait(for indices: Range<Int>, seconds: Double) throws(GPUError) {
        let (lists, submissions) = (lists, submissions)
        for index in indices {
            let list = lists[index]
            try list.wait(seconds: seconds)
            if let taken = list.seconds { pacer?.note(submissions[index], seconds: taken) }
        }
    }

    private func leave(_ error: GPUError) throws(GPUError) -> Never {
        var error = error
        // The lists behind the one that was ended run still, and write where the next attempt does.
        if error.isWatchdog {
            pacer?.halve(after: submissions)
            for list in lists {
                do throws(GPUError) {
                    try list.wait(seconds: patience)
                } catch let failure where failure.code == .timedOut {
                    error = failure
                    break
                } catch {}
            }
        }
        // The device may still write: what it uses has to stay, and nothing can wait for it.
        if error.code == .timedOut {
            for list in lists { _ = Unmanaged.passRetained(list as AnyObject) }
        }
        throw error
    }

    private var lists: [any GPUCommands] { submitted.map(\.list) + [commands] }

    /// Parts of rows whose runs take as long as submissions may, each of which can be bound by itself.
    ///
    /// - Parameters:
    ///   - count: the rows.
    ///   - group: the rows that belong together.
    ///   - work: the work of all of them.
    func boundParts(of count: Int, group: Int = 1, _ work: GPUWork) -> [Range<Int>] {
        // A row of floats of any length begins where a binding may, if its number is a multiple of this.
        let step = max(1, device.properties.bindingAlignment / 4)
        return parts(of: 0..<count, step: step * group, work)
    }

    /// Parts of rows whose runs take as long as submissions may; see ``Pacing/parts(of:step:_:)``.
    func parts(of rows: Range<Int>, step: Int, _ work: GPUWork) -> [Range<Int>] {
        pacer?.pacing.parts(of: rows, step: step, work) ?? [rows]
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

    /// Passes rows, with a bias added, through GELU.
    ///
    /// - Parameter stride: floats from a row to the next one; those behind its elements become 0.
    mutating func gelu(
        _ values: GPUBinding, bias: GPUBinding?, isExact: Bool, length: Int, stride: Int, count: Int
    ) throws(GPUError) {
        try run(
            isExact ? .geluExact : .geluTanh, [values, bias ?? values],
            [UInt32(count), UInt32(length), UInt32(stride), bias == nil ? 0 : 1],
            groups: (Self.groups(stride, GPUKernel.elementsPerGroup), count))
    }

    /// Norms rows.
    ///
    /// - Parameters:
    ///   - isAdded: whether what is normed is added to the outputs.
    ///   - factor: the factor of the sums where it is.
    mutating func norm(
        _ input: GPUBinding, _ norm: GPUNorm, length: Int, count: Int, into output: GPUBinding, isAdded: Bool = false,
        factor: Float = 1
    ) throws(GPUError) {
        if norm.isCentred {
            guard !isAdded else { throw .invalid("a layer norm after a block") }
            return try run(
                .layerNorm, [input, norm.gains, norm.bias ?? norm.gains, output],
                [UInt32(count), UInt32(length), norm.bias == nil ? 0 : 1, norm.epsilon.bitPattern], groups: (count, 1),
                work: .elements(count * length, buffers: 2))
        }
        try run(
            isAdded ? .rmsNormAdd : .rmsNorm, [input, norm.gains, output],
            [UInt32(count), UInt32(length), norm.epsilon.bitPattern, factor.bitPattern], groups: (count, 1),
            work: .elements(count * length, buffers: isAdded ? 3 : 2))
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
            ], groups: (count, 1), work: .elements(count * router.experts, buffers: 2) * router.used)
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
        guard let kernel = GPUKernel.expertProduct(stack.matrices.type), let slice = stack.matrices.slices.first else {
            throw .invalid("weights of type \(stack.matrices.type.name) have no kernel")
        }
        let constants = [
            stack.rows, stack.matrices.columns / GPUKernel.unit, slice.start, stack.matrices.rowByteCount / 2,
            stack.byteCount / 2, perInput, stack.matrices.columns / 4, Int(mode.rawValue),
        ].map(UInt32.init(truncatingIfNeeded:))
        func work(_ entries: Int) -> GPUWork {
            .experts(
                rows: stack.rows, columns: stack.matrices.columns, rowByteCount: stack.matrices.rowByteCount,
                entries: entries, experts: stack.count)
        }
        for part in boundParts(of: count, group: perInput, work(count)) {
            let inputs = part.lowerBound / perInput..<Self.groups(part.upperBound, perInput)
            try run(
                kernel,
                [
                    slice.binding, input.rows(inputs, length: stack.matrices.columns),
                    output.rows(part, length: stack.rows), experts.rows(part, length: 1),
                ], constants, groups: (Self.groups(stack.rows, GPUKernel.rowsPerGroup), part.count),
                work: work(part.count))
        }
    }

    /// Adds up what experts made of each token.
    mutating func combine(
        _ results: GPUBinding, weights: GPUBinding, used: Int, length: Int, count: Int, into output: GPUBinding,
        isAdded: Bool
    ) throws(GPUError) {
        try run(
            .combine, [results, weights, output], [UInt32(count), UInt32(used), UInt32(length), isAdded ? 1 : 0],
            groups: (Self.groups(length, GPUKernel.elementsPerGroup), count),
            work: .elements(count * length, buffers: used + 1))
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
