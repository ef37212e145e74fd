import LeapGGUF

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

/// How heads are placed; see place.slang.
struct GPUPlacement {
    let heads: Int
    let keyHeads: Int
    let headLength: Int
    /// The gains of the queries and then those of the keys.
    let norm: GPUNorm?
    let pairs: Int
    let isInterleaved: Bool
    /// Where a page has the layer's keys and values, in bytes.
    let keyStart: Int
    let valueStart: Int
    /// Whether keys and values are kept in single rather than half precision.
    let isSingle: Bool
}

/// Commands in terms of layers.
struct GPURecording {
    private let commands: any GPUCommands
    private let pipelines: GPUPipelines
    private(set) var dispatchCount = 0

    init(_ device: any GPUDevice, _ pipelines: GPUPipelines) throws(GPUError) {
        commands = try device.makeCommands()
        self.pipelines = pipelines
    }

    mutating func run(
        _ kernel: GPUKernel, _ bindings: [GPUBinding], _ constants: [UInt32], groups: (x: Int, y: Int)
    ) throws(GPUError) {
        try commands.dispatch(
            try pipelines.pipeline(kernel), bindings, constants: constants, groups: (groups.x, groups.y, 1))
        dispatchCount += 1
    }

    /// What comes after sees what was written before.
    func barrier() throws(GPUError) { try commands.barrier() }

    /// Has the device carry all of it out.
    func finish(seconds: Double) throws(GPUError) {
        try commands.submit()
        do {
            try commands.wait(seconds: seconds)
        } catch {
            // The device may still write: what it uses has to stay, and nothing can wait for it.
            if case .timedOut = error { _ = Unmanaged.passRetained(commands as AnyObject) }
            throw error
        }
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
        let product = count == 1 ? GPUKernel.vectorProduct(matrix.type) : GPUKernel.matrixProduct(matrix.type)
        guard let kernel = product else { throw .invalid("weights of type \(matrix.type.name) have no kernel") }
        let width = count == 1 ? 1 : GPUKernel.matrixWidth
        for part in matrix.parts {
            let constants = [
                part.rows.count, matrix.columns / GPUKernel.unit, part.start, matrix.rowByteCount / 2, count,
                matrix.columns / 4, stride ?? matrix.rows, start + part.rows.lowerBound, Int(mode.rawValue),
            ]
            try run(
                kernel, [part.binding, input, output], constants.map(UInt32.init(truncatingIfNeeded:)),
                groups: (Self.groups(part.rows.count, GPUKernel.rowsPerGroup), Self.groups(count, width)))
        }
    }

    /// Norms rows.
    mutating func norm(
        _ input: GPUBinding, _ norm: GPUNorm, length: Int, count: Int, into output: GPUBinding
    ) throws(GPUError) {
        try run(
            .rmsNorm, [input, norm.gains, output],
            [UInt32(count), UInt32(length), norm.epsilon.bitPattern],
            groups: (Self.groups(count, GPUKernel.rowsPerGroup), 1))
    }

    /// Norms and rotates heads, and writes keys and values into pages.
    ///
    /// - Parameters:
    ///   - rows: queries, keys and values of each token.
    ///   - turns: the cosines and sines of the rotation; nil without one.
    mutating func place(
        _ block: GPUPlacement, _ rows: GPUBinding, turns: GPUBinding?, pages: GPUBinding, slots: GPUBinding, count: Int
    ) throws(GPUError) {
        let perRow = block.heads + 2 * block.keyHeads
        let constants: [UInt32] = [
            UInt32(count), UInt32(block.heads), UInt32(block.keyHeads), UInt32(block.headLength),
            block.norm == nil ? 0 : 1, (block.norm?.epsilon ?? 1).bitPattern, UInt32(turns == nil ? 0 : block.pairs),
            block.isInterleaved ? 1 : 0, UInt32(block.keyStart / 2), UInt32(block.valueStart / 2),
        ]
        // What is not read is bound to something.
        try run(
            block.isSingle ? .placeF32 : .placeF16, [rows, block.norm?.gains ?? slots, turns ?? slots, pages, slots],
            constants, groups: (Self.groups(count * perRow, GPUKernel.rowsPerGroup), 1))
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
