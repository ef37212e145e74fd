import LeapCompute
import LeapGGUF
import LeapModel

/// Commands in terms of layers.
struct Recording {
    let device: any GPUDevice
    private var commands: any GPUCommands
    /// Lists of commands that the device was given already.
    private var submitted: [any GPUCommands] = []
    #if DEBUG
        private var digest = Hasher()
        /// Stands for all commands.
        var checksum: Int { digest.finalize() }
    #endif
    private let pipelines: Pipelines
    private(set) var dispatchCount = 0
    /// The rows of prompts among those of a batch, whose products matrix units compute where the device has them.
    ///
    /// What a row is decides which kernel computes it, never the batch that it is in: so it has the same bits in all.
    var promptRows: [Range<Int>] = []

    /// The device is given so many runs of kernels at a time, and begins while the next are recorded.
    private static let dispatchesPerSubmission = 64

    /// True if the device begins before all is recorded.
    private let beginsEarly: Bool

    init(_ device: any GPUDevice, _ pipelines: Pipelines, beginsEarly: Bool = true) throws(GPUError) {
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
            try wait(seconds: seconds)
        } catch {
            try leave(error)
        }
    }

    /// Has the device carry it out once more.
    func repeatAll(seconds: Double) throws(GPUError) {
        do {
            for list in submitted { try list.submit() }
            try commands.submit()
            try wait(seconds: seconds)
        } catch {
            try leave(error)
        }
    }

    /// Waits for all lists: each may be submitted again once it was waited for.
    private func wait(seconds: Double) throws(GPUError) {
        for list in submitted { try list.wait(seconds: seconds) }
        try commands.wait(seconds: seconds)
    }

    private func leave(_ error: GPUError) throws(GPUError) -> Never {
        // The device may still write: what it uses has to stay, and nothing can wait for it.
        if error.code == .timedOut {
            for list in submitted + [commands] { _ = Unmanaged.passRetained(list as AnyObject) }
        }
        throw error
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
                [UInt32(count), UInt32(length), norm.bias == nil ? 0 : 1, norm.epsilon.bitPattern], groups: (count, 1))
        }
        try run(
            isAdded ? .rmsNormAdd : .rmsNorm, [input, norm.gains, output],
            [UInt32(count), UInt32(length), norm.epsilon.bitPattern, factor.bitPattern], groups: (count, 1))
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
        guard let kernel = GPUKernel.expertProduct(stack.matrices.type), let slice = stack.matrices.slices.first else {
            throw .invalid("weights of type \(stack.matrices.type.name) have no kernel")
        }
        let constants = [
            stack.rows, stack.matrices.columns / GPUKernel.unit, slice.start, stack.matrices.rowByteCount / 2,
            stack.byteCount / 2, perInput, stack.matrices.columns / 4, Int(mode.rawValue),
        ]
        try run(
            kernel, [slice.binding, input, output, experts], constants.map(UInt32.init(truncatingIfNeeded:)),
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
