import LeapCompute
import LeapModel

/// A layer with a state of fixed size, as ``DeltaNetBlock`` or ``MambaBlock`` describes it.
struct GPURecurrence {
    /// The projection to queries, keys and values.
    let input: GPUMatrix
    /// The projection to the gates of what is read.
    let gate: GPUMatrix
    /// The projection to time steps; nil where ``beta`` has them.
    let timeStep: GPUMatrix?
    /// The projection to how much of a difference is written, and for grouped heads to the time steps too; nil where all
    /// of a value is.
    let beta: GPUMatrix?
    let output: GPUMatrix
    let filters: GPUBinding
    let filterBias: GPUBinding?
    /// Of each value head what is added to the time steps, the logarithms of the decays, and how much of its value it
    /// adds to what it reads, `[3][valueHeads]`.
    let heads: GPUBinding
    /// The norm of what is read; nil without one.
    let norm: GPUNorm?
    let shape: RecurrenceShape
    /// The place of the layer's part in a sequence's state, in bytes.
    let place: CacheLayout.Recurrence

    /// Floats of the layer's part of a state: the state itself, and behind it the latest inputs.
    var stateLength: Int { shape.stateCount + place.reach * shape.channels }
    /// Floats of a token's time steps, and of what is projected with them.
    var stepLength: Int { (beta == nil ? 1 : 2) * shape.valueHeads }
    /// The longest row between two kernels.
    var longestRow: Int { max(shape.channels, shape.valueCount, stepLength) }
}

// MARK: What can be computed

extension GPURecurrence {
    /// The reason why a device cannot compute a layer; nil if it can.
    static func obstacle(_ block: DeltaNetBlock) -> String? {
        if block.norm.weight?.count != block.recurrence.valueLength { return "its norm is not per head" }
        if block.gate == nil { return "its projections to values and gates are joined" }
        if block.recurrence.isGrouped != (block.timeStep == nil) {
            return "its projections to time steps are in another order"
        }
        return obstacle(block.recurrence) ?? GPULayer.obstacle(matrices(block))
    }

    /// The same of Mamba-2.
    static func obstacle(_ block: MambaBlock) -> String? {
        if let norm = block.norm, norm.weight?.count != block.recurrence.valueCount {
            return "its norm is not per group"
        }
        return obstacle(block.recurrence) ?? GPULayer.obstacle(matrices(block))
    }

    private static func obstacle(_ shape: RecurrenceShape) -> String? {
        if shape.taps > GPUKernel.tapsMax || shape.taps < 1 { return "its filters have \(shape.taps) taps" }
        return shape.keyLength > RecurrenceShape.longestKey ? "its keys have \(shape.keyLength) elements" : nil
    }

    /// The matrices of a layer.
    static func matrices(_ block: DeltaNetBlock) -> [Matrix] { block.matrices }

    static func matrices(_ block: MambaBlock) -> [Matrix] { [block.gate, block.input, block.timeStep, block.output] }
}

// MARK: Binding

extension GPURecurrence {
    /// Binds a layer that has no obstacle.
    init(_ block: DeltaNetBlock, _ layout: CacheLayout, _ weights: BoundWeights) throws(GPUError) {
        guard let gate = block.gate else { throw .invalid("a delta net with joined projections") }
        input = try weights.matrix(block.input)
        self.gate = try weights.matrix(gate)
        if let step = block.timeStep { timeStep = try weights.matrix(step) } else { timeStep = nil }
        beta = try weights.matrix(block.beta)
        output = try weights.matrix(block.output)
        filters = try weights.vector(block.filters)
        filterBias = nil
        let none = [Float](repeating: 0, count: block.recurrence.valueHeads)
        heads = try weights.vector(weights.elements(of: block.timeBias) + weights.elements(of: block.decay) + none)
        norm = try GPULayer.norm(.rms(block.norm), weights)
        shape = block.recurrence
        place = layout.recurrence[block.cacheIndex]
    }

    /// Binds a layer of Mamba-2 that has no obstacle.
    init(_ block: MambaBlock, _ layout: CacheLayout, _ weights: BoundWeights) throws(GPUError) {
        input = try weights.matrix(block.input)
        gate = try weights.matrix(block.gate)
        timeStep = try weights.matrix(block.timeStep)
        beta = nil
        output = try weights.matrix(block.output)
        filters = try weights.vector(block.filters)
        filterBias = try weights.vector(block.filterBias)
        heads = try weights.vector([block.timeBias, block.decay, block.skip].flatMap(weights.elements))
        norm = try block.norm == nil ? nil : GPULayer.norm(block.norm.map { .rms($0) }, weights)
        shape = block.recurrence
        place = layout.recurrence[block.cacheIndex]
    }
}
