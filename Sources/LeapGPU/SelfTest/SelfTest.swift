import LeapBase
import LeapCompute
import LeapGGUF
import LeapModel

/// Compares what a device makes of small inputs, kernel by kernel, with what the processor does.
///
/// Drivers may compile a kernel to something else than it says, without an error; whoever computes with a device asks
/// this first.
struct SelfTest {
    let device: any GPUDevice
    let pipelines: Pipelines
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Sums of products may differ by this share of their terms' sizes.
    static let tolerance = 1e-5
    /// The same where keys and values are in half precision.
    static let halfTolerance = 2e-3
    /// The same for sums of products of numbers that were rounded to half precision.
    static let tileTolerance = 2e-3

    init(_ device: any GPUDevice, _ pipelines: Pipelines) {
        self.device = device
        self.pipelines = pipelines
    }

    /// Tries all kernels that a model's layers take, in the order in which a prompt comes to them: devices compile them
    /// in this order too (``GPUModel/kernels(_:)``), and later ones are compiled while earlier ones are tried.
    ///
    /// - Parameter matrices: the layers' matrices and the head's.
    /// - Throws: ``GPUError/wrongResult(kernel:)``, or what the device says.
    mutating func run(_ model: GPUModel, _ matrices: [Matrix]) throws(GPUError) {
        if model.norms.contains(where: { !$0.isCentred }) { try checkNorm(length: model.width) }
        for hasBias in Set(model.norms.filter(\.isCentred).map { $0.bias != nil }) {
            try checkLayerNorm(length: model.width, hasBias: hasBias)
        }
        var types: Set<GGUFTensorType> = []
        for matrix in matrices where types.insert(matrix.type).inserted { try checkProducts(matrix, model.weights) }
        try checkMixers(model)
        for isExact in Set(model.layers.compactMap(\.activation?.isExact)) { try checkGELU(isExact: isExact) }
        if model.hasAddedNorms { try checkNorm(length: model.width, isAdded: true) }
        if model.layers.contains(where: \.hasBiases) { try checkBias() }
        try checkMixtures(model)
        if model.hasScaledAdditions { try checkAddScaled() }
        try checkStreams(model)
        try checkTower(model, matrices)
        try checkGather()
    }

    /// Attention, convolutions and recurrences.
    private mutating func checkMixers(_ model: GPUModel) throws(GPUError) {
        let attention = model.layers.compactMap(\.attention)
        if let block = attention.first { try checkAttention(block, model) }
        if attention.contains(where: { $0.headGate != nil && !$0.gatesElements }) {
            try checkHeadGates(isPerElement: false)
        }
        if attention.contains(where: { $0.hasGatesBehindQueries || $0.gatesElements }) {
            try checkHeadGates(isPerElement: true)
        }
        if let block = model.convolutions.first { try checkConvolution(taps: block.taps) }
        if let block = model.recurrences.first {
            let shape = RecurrenceShape(
                keyHeads: 2, valueHeads: 4, keyLength: block.shape.keyLength,
                valueLength: min(block.shape.valueLength, 6), taps: block.shape.taps, form: block.shape.form,
                isGrouped: block.shape.isGrouped)
            try checkRecurrence(shape, hasFilterBias: block.filterBias != nil, isNormed: block.norm != nil)
        }
    }

    // MARK: Inputs and results

    /// Numbers in -1...1, the same each time.
    mutating func numbers(_ count: Int) -> [Float] {
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 0x1p31
        }
    }

    func buffer<T: BitwiseCopyable>(_ elements: [T]) throws(GPUError) -> GPUBinding {
        let buffer = try device.makeBuffer(byteCount: elements.count * MemoryLayout<T>.stride)
        elements.withUnsafeBytes { buffer.contents.copyMemory(from: $0) }
        return GPUBinding(buffer)
    }

    func floats(_ binding: GPUBinding) -> [Float] {
        Array(binding.buffer.contents.bindMemory(to: Float.self))
    }

    /// Runs what is recorded.
    func carryOut(_ record: (inout Recording) throws(GPUError) -> Void) throws(GPUError) {
        var recording = try Recording(device, pipelines)
        try record(&recording)
        try recording.finish(seconds: 60)
    }

    /// Refuses a result that is not what it should be; what is not a number is right where the processor's is none.
    func check(_ value: Float, _ expected: Double, within bound: Double, _ kernel: String) throws(GPUError) {
        if expected.isNaN && value.isNaN { return }
        guard abs(Double(value) - expected) <= bound else { throw .wrongResult(kernel: kernel) }
    }

    // MARK: Kernels

    private mutating func checkBias() throws(GPUError) {
        let (rows, length) = (3, 130)
        let values = numbers(rows * length), bias = numbers(length)
        let biases = numbers(rows * length), stack = try buffer(biases)
        let experts = try buffer([UInt32(2), 1, 0]), chosen = try buffer(values)
        let table = try buffer(bias), written = try buffer(values), added = try buffer(values)
        try carryOut { (recording) throws(GPUError) in
            try recording.bias(table, length: length, count: rows, into: written, isAdded: false)
            try recording.bias(table, length: length, count: rows, into: added, isAdded: true)
            try recording.bias(stack, length: length, count: rows, experts: experts, into: chosen, isAdded: false)
        }
        for (index, value) in floats(chosen).enumerated() {
            let number = biases[(2 - index / length) * length + index % length]
            try check(value, Double(number), within: 0, "add_bias")
        }
        for (index, value) in zip(floats(written), floats(added)).enumerated() {
            try check(value.0, Double(bias[index % length]), within: 0, "add_bias")
            try check(value.1, Double(bias[index % length] + values[index]), within: 0, "add_bias")
        }
    }

    private mutating func checkNorm(length: Int, isAdded: Bool = false) throws(GPUError) {
        let rows = 3, values = numbers(rows * length), gains = numbers(length), epsilon: Float = 1e-5
        let factor: Float = isAdded ? 0.75 : 1, input = try buffer(values), output = try buffer(values)
        let norm = GPUNorm(gains: try buffer(gains), epsilon: epsilon)
        try carryOut { (recording) throws(GPUError) in
            try recording.norm(
                input, norm, length: length, count: rows, into: output, isAdded: isAdded, factor: factor)
        }
        for (index, value) in floats(output).enumerated() {
            let row = values[index / length * length..<(index / length + 1) * length]
            let squares = row.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(length)
            let expected =
                Double(values[index]) * Double(gains[index % length]) / (squares + Double(epsilon)).squareRoot()
            let before = isAdded ? Double(values[index]) : 0
            try check(
                value, (before + expected) * Double(factor), within: Self.tolerance * (abs(expected) + abs(before)),
                isAdded ? "rms_norm_add" : "rms_norm")
        }
    }

    private mutating func checkLayerNorm(length: Int, hasBias: Bool) throws(GPUError) {
        let rows = 3, values = numbers(rows * length).map { $0 + 0.5 }, gains = numbers(length)
        let bias = numbers(length), epsilon: Float = 1e-5
        let input = try buffer(values), output = try buffer(numbers(rows * length))
        let norm = GPUNorm(
            gains: try buffer(gains), epsilon: epsilon, isCentred: true, bias: hasBias ? try buffer(bias) : nil)
        try carryOut { (recording) throws(GPUError) in
            try recording.norm(input, norm, length: length, count: rows, into: output)
        }
        for (index, value) in floats(output).enumerated() {
            let row = values[index / length * length..<(index / length + 1) * length]
            let mean = row.reduce(0.0) { $0 + Double($1) } / Double(length)
            let squares = row.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(length)
            let gain = Double(gains[index % length]) / (squares + Double(epsilon)).squareRoot()
            let normed = (Double(values[index]) - mean) * gain, added = hasBias ? Double(bias[index % length]) : 0
            // What the mean takes away is rounded with the value.
            try check(
                value, normed + added, within: Self.tolerance * (abs(normed) + abs(added) + abs(mean * gain)),
                "layer_norm")
        }
    }

    /// Two rows, of every size of number that activations tell apart.
    private mutating func checkGELU(isExact: Bool) throws(GPUError) {
        let (rows, length, stride) = (2, 130, 160)
        let values = numbers(rows * stride).enumerated().map { index, number in
            number * Float([0.01, 1, 4, 12, 60][index % 5])
        }
        let bias = numbers(length), shifts = try buffer(bias)
        let plain = try buffer(values), shifted = try buffer(values)
        try carryOut { (recording) throws(GPUError) in
            try recording.gelu(plain, bias: nil, isExact: isExact, length: length, stride: stride, count: rows)
            try recording.gelu(shifted, bias: shifts, isExact: isExact, length: length, stride: stride, count: rows)
        }
        for (index, value) in zip(floats(plain), floats(shifted)).enumerated() {
            let column = index % stride, isThere = column < length
            for (own, added) in [(value.0, 0), (value.1, isThere ? bias[column] : 0)] {
                let argument = Double(values[index] + added)
                let expected = isThere ? Self.gelu(argument, isExact: isExact) : 0
                try check(
                    own, expected, within: isThere ? 1e-6 * max(1, abs(argument)) : 0,
                    isExact ? "gelu_exact" : "gelu_tanh")
            }
        }
    }

    private mutating func checkGather() throws(GPUError) {
        let values = numbers(5 * 130), rows: [UInt32] = [4, 1]
        let input = try buffer(values), indices = try buffer(rows), output = try buffer(numbers(2 * 130))
        try carryOut { (recording) throws(GPUError) in
            try recording.gather(input, rows: indices, count: 2, length: 130, into: output)
        }
        let expected = values[4 * 130..<5 * 130] + values[130..<260]
        guard floats(output) == Array(expected) else { throw .wrongResult(kernel: "gather") }
    }

    private mutating func checkConvolution(taps: Int) throws(GPUError) {
        let (channels, count) = (130, 5)
        let values = numbers(count * 3 * channels), filters = numbers(channels * taps)
        let before = numbers((taps - 1) * channels), none = UInt32.max
        let input = try buffer(values), filterBuffer = try buffer(filters), states = try buffer(before)
        let output = try buffer(numbers(count * channels)), kept = try buffer(numbers(channels))
        let sequences = try buffer([0, UInt32(count), 0, 0]), places = try buffer([none, none, none, none, 0])
        try carryOut { (recording) throws(GPUError) in
            try recording.run(
                .shortConvolution, [input, filterBuffer, states, output, sequences, kept, places],
                [1, UInt32(channels), UInt32(taps), 0, 0],
                groups: (Recording.groups(channels, GPUKernel.elementsPerGroup), 1))
        }
        let results = floats(output), keptResults = floats(kept)
        /// A gated value; those in front of the first token come from the state.
        func gated(_ token: Int, _ channel: Int) -> Double {
            guard token >= 0 else { return Double(before[(token + taps - 1) * channels + channel]) }
            let at = token * 3 * channels + channel
            return Double(values[at] * values[at + 2 * channels])
        }
        for channel in 0..<channels {
            for token in 0..<count {
                var (sum, size) = (0.0, 0.0)
                for tap in 0..<taps {
                    let term = Double(filters[channel * taps + tap]) * gated(token - (taps - 1 - tap), channel)
                    sum += term
                    size += abs(term)
                }
                let gate = Double(values[token * 3 * channels + channels + channel])
                try check(
                    results[token * channels + channel], sum * gate, within: Self.tolerance * size,
                    "short_convolution")
            }
            try check(keptResults[channel], gated(count - 1, channel), within: 0, "short_convolution")
        }
    }
}
