import LeapBase
import LeapCPU
import LeapCompute
import LeapGGUF
import LeapModel

/// Compares what a device makes of small inputs, kernel by kernel, with what the processor does.
///
/// Drivers may compile a kernel to something else than it says, without an error; whoever computes with a device asks this first.
struct GPUSelfTest {
    private let device: any GPUDevice
    private let pipelines: GPUPipelines
    private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Sums of products may differ by this share of their terms' sizes.
    static let tolerance = 1e-5
    /// The same where keys and values are in half precision.
    private static let halfTolerance = 2e-3
    /// The same for sums of products of numbers that were rounded to half precision.
    private static let tileTolerance = 2e-3

    init(_ device: any GPUDevice, _ pipelines: GPUPipelines) {
        self.device = device
        self.pipelines = pipelines
    }

    /// Tries all kernels that a model's layers take.
    ///
    /// - Parameter matrices: the layers' matrices and the head's.
    /// - Throws: ``GPUError/wrongResult(kernel:)``, or what the device says.
    mutating func run(_ model: GPUModel, _ matrices: [Matrix]) throws(GPUError) {
        var types: Set<GGUFTensorType> = []
        for matrix in matrices where types.insert(matrix.type).inserted { try checkProducts(matrix, model.weights) }
        try checkNorm(length: model.width)
        try checkGather()
        if model.layers.contains(where: { $0.mixerPostNorm != nil || $0.feedForwardPostNorm != nil }) {
            try checkNorm(length: model.width, isAdded: true)
        }
        if model.layers.contains(where: \.hasBiases) { try checkBias() }
        try checkMixtures(model)
        let attention = model.layers.compactMap(\.attention)
        if let block = attention.first { try checkAttention(block, model) }
        if attention.contains(where: { $0.headGate != nil }) { try checkHeadGates(isPerElement: false) }
        if attention.contains(where: \.hasGatesBehindQueries) { try checkHeadGates(isPerElement: true) }
        if model.layers.contains(where: { $0.residualScale != 1 || $0.mixture?.shared?.gate != nil }) {
            try checkAddScaled()
        }
        if let block = model.convolutions.first { try checkConvolution(taps: block.taps) }
        if let block = model.recurrences.first {
            let shape = RecurrenceShape(
                keyHeads: 2, valueHeads: 4, keyLength: block.shape.keyLength,
                valueLength: min(block.shape.valueLength, 6), taps: block.shape.taps, form: block.shape.form)
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
    func carryOut(_ record: (inout GPURecording) throws(GPUError) -> Void) throws(GPUError) {
        var recording = try GPURecording(device, pipelines)
        try record(&recording)
        try recording.finish(seconds: 60)
    }

    /// Refuses a result that is not what it should be; what is not a number is right where the processor's is none.
    func check(_ value: Float, _ expected: Double, within bound: Double, _ kernel: String) throws(GPUError) {
        if expected.isNaN && value.isNaN { return }
        guard abs(Double(value) - expected) <= bound else { throw .wrongResult(kernel: kernel) }
    }

    // MARK: Kernels

    private mutating func checkProducts(_ matrix: Matrix, _ weights: GPUWeights) throws(GPUError) {
        let whole = try weights.matrix(matrix), rows = min(8, whole.parts[0].rows.count)
        let part = GPUMatrix.Part(binding: whole.parts[0].binding, start: whole.parts[0].start, rows: 0..<rows)
        let few = GPUMatrix(
            type: whole.type, rows: rows, columns: whole.columns, rowByteCount: whole.rowByteCount, parts: [part])
        let elements = (0..<rows).map { matrix.values(ofRow: $0) }
        let hasTiles = device.properties.hasMatrixUnits && GPUKernel.tileProduct(matrix.type) != nil
        if hasTiles { try checkTiles(matrix, whole) }
        if rows == 8 { try checkPair(few, elements) }
        for (count, isPrompt) in [(1, false), (3, false), (3, true)] where !isPrompt || hasTiles {
            let kernel = "of type \(matrix.type.name)", tolerance = isPrompt ? Self.tileTolerance : Self.tolerance
            let vectors = numbers(count * matrix.columns), before = numbers(count * rows)
            let input = try buffer(vectors)
            var outputs: [GPUBinding] = []
            for _ in 0..<5 { outputs.append(try buffer(before)) }
            try carryOut { (recording) throws(GPUError) in
                if isPrompt { recording.promptRows = [0..<count] }
                for mode in [GPUKernel.ProductMode.store, .add, .gate, .geluGate, .squaredReLU] {
                    try recording.multiply(few, input, count: count, into: outputs[Int(mode.rawValue)], mode: mode)
                }
            }
            let results = outputs.map(floats)
            for index in 0..<count * rows {
                let vector = vectors[index / rows * matrix.columns..<(index / rows + 1) * matrix.columns]
                var (sum, size) = (0.0, 0.0)
                for (weight, number) in zip(elements[index % rows], vector) {
                    sum += Double(weight) * Double(number)
                    size += abs(Double(weight) * Double(number))
                }
                let bound = tolerance * size + 1e-30, old = Double(before[index]), gate = old / (1 + exp(-old))
                try check(results[0][index], sum, within: bound, kernel)
                try check(results[1][index], old + sum, within: bound + 1e-6, kernel)
                try check(results[2][index], gate * sum, within: bound + 1e-5 * abs(gate * sum), kernel)
                let gelu = Self.gelu(old)
                try check(results[3][index], gelu * sum, within: bound + 1e-5 * abs(gelu * sum), kernel)
                try check(
                    results[4][index], max(sum, 0) * max(sum, 0), within: (2 * abs(sum) + bound + 1e-5) * bound, kernel)
            }
        }
    }

    /// The first and the second half of some rows as the matrices of a gated network.
    private mutating func checkPair(_ matrix: GPUMatrix, _ elements: [[Float]]) throws(GPUError) {
        let rows = matrix.rows / 2, vector = numbers(matrix.columns)
        func half(_ first: Int) -> GPUMatrix {
            let part = matrix.parts[0]
            return GPUMatrix(
                type: matrix.type, rows: rows, columns: matrix.columns, rowByteCount: matrix.rowByteCount,
                parts: [
                    GPUMatrix.Part(
                        binding: part.binding, start: part.start + first * matrix.rowByteCount / 2, rows: 0..<rows)
                ])
        }
        let input = try buffer(vector), output = try buffer(numbers(rows))
        try carryOut { (recording) throws(GPUError) in
            try recording.multiply(gate: half(0), up: half(rows), input, count: 1, into: output, mode: .gate)
        }
        func product(_ row: Int) -> (sum: Double, bound: Double) {
            var (sum, size) = (0.0, 0.0)
            for (weight, number) in zip(elements[row], vector) {
                sum += Double(weight) * Double(number)
                size += abs(Double(weight) * Double(number))
            }
            return (sum, Self.tolerance * size + 1e-30)
        }
        for (row, value) in floats(output).enumerated() {
            let (gate, up) = (product(row), product(rows + row)), silu = gate.sum / (1 + exp(-gate.sum))
            // The SiLU grows by at most 1.1 times what its argument does.
            let bound = 1.1 * gate.bound * (abs(up.sum) + up.bound) + abs(silu) * (up.bound + 1e-5 * abs(up.sum))
            try check(value, silu * up.sum, within: bound, "pair of type \(matrix.type.name)")
        }
    }

    /// A tile of a matrix, as many rows and vectors as a workgroup has.
    private mutating func checkTiles(_ matrix: Matrix, _ whole: GPUMatrix) throws(GPUError) {
        let count = GPUKernel.tileLength, rows = min(count, whole.parts[0].rows.count)
        let part = GPUMatrix.Part(binding: whole.parts[0].binding, start: whole.parts[0].start, rows: 0..<rows)
        let tile = GPUMatrix(
            type: whole.type, rows: rows, columns: whole.columns, rowByteCount: whole.rowByteCount, parts: [part])
        let vectors = numbers(count * matrix.columns)
        let input = try buffer(vectors), output = try buffer(numbers(count * rows))
        try carryOut { (recording) throws(GPUError) in
            recording.promptRows = [0..<count]
            try recording.multiply(tile, input, count: count, into: output)
        }
        let results = floats(output)
        // One in each of the parts that a matrix unit multiplies.
        for row in stride(from: 0, to: rows, by: 17) {
            let weights = matrix.values(ofRow: row)
            for vector in stride(from: 15, to: count, by: 16) {
                var (sum, size) = (0.0, 0.0)
                for (weight, number) in zip(weights, vectors[vector * matrix.columns..<(vector + 1) * matrix.columns]) {
                    sum += Double(weight) * Double(number)
                    size += abs(Double(weight) * Double(number))
                }
                try check(
                    results[vector * rows + row], sum, within: Self.tileTolerance * size,
                    "tiles of type \(matrix.type.name)")
            }
        }
    }

    /// GELU in its tanh form.
    static func gelu(_ value: Double) -> Double {
        value / 2 * (1 + tanh((2 / Double.pi).squareRoot() * (value + 0.044715 * value * value * value)))
    }

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
        let input = try buffer(values), output = try buffer(values)
        let norm = GPUNorm(gains: try buffer(gains), epsilon: epsilon)
        try carryOut { (recording) throws(GPUError) in
            try recording.norm(input, norm, length: length, count: rows, into: output, isAdded: isAdded)
        }
        for (index, value) in floats(output).enumerated() {
            let row = values[index / length * length..<(index / length + 1) * length]
            let squares = row.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(length)
            let expected =
                Double(values[index]) * Double(gains[index % length]) / (squares + Double(epsilon)).squareRoot()
            let before = isAdded ? Double(values[index]) : 0
            try check(
                value, before + expected, within: Self.tolerance * (abs(expected) + abs(before)),
                isAdded ? "rms_norm_add" : "rms_norm")
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

    /// Queries and keys of a few heads are normed, rotated, stored and attended to.
    private mutating func checkAttention(_ block: GPUAttention, _ model: GPUModel) throws(GPUError) {
        let (length, count, page) = (block.headLength, 70, 64), type = model.keyValueType
        let groups =
            block.heads / block.keyHeads % GPUKernel.headsTogether == 0
            && length * GPUKernel.headsTogether <= GPUKernel.headLengthMax
        let heads = groups ? GPUKernel.headsTogether : 1
        let step = block.hasGatesBehindQueries ? 2 : 1, perRow = (heads * step + 2) * length
        let values = numbers(count * perRow), gains = numbers(2 * length)
        let dimensions = block.rope.map { model.ropes[$0].dimensions } ?? 0, pairs = dimensions / 2
        let isInterleaved = block.rope.map { model.ropes[$0].interleaved } ?? false
        let angles = numbers(count * pairs), epsilon: Float = 1e-5, scale = 1 / Float(length).squareRoot()
        let projected = try buffer(values)
        let turns = try buffer([Float](angles.flatMap { [cosf($0), sinf($0)] } + [0]))
        // 16-bit words of the keys or values of a page.
        let halfPage =
            type == .q8_0 ? length * page / 2 + (length + 31) / 32 * page : length * page * (type == .f32 ? 2 : 1)
        let isNormed = block.headNorm != nil
        // Keys and values of two pages, the second first.
        let pages = try buffer([UInt16](repeating: 0, count: 4 * halfPage))
        let starts: [UInt32] = [UInt32(2 * halfPage), 0]
        let slots = try buffer((0..<count).flatMap { [starts[$0 / page], UInt32($0 % page)] })
        // What queries are multiplied with besides, where they are.
        let factor: Float? = block.sight.temperature == nil ? nil : 1.25
        let ranges: [UInt32] = (0..<count).flatMap { [0, 0, UInt32($0 + 1), factor?.bitPattern ?? 0] }
        let table = try buffer(starts), seen = try buffer(ranges)
        let output = try buffer(numbers(count * heads * length)), joined = try buffer(numbers(count * heads * length))
        let together = try buffer(numbers(count * heads * length))
        let gathered = try buffer(numbers(count * heads * starts.count * (2 + length)))
        let norm = GPUNorm(gains: try buffer(gains), epsilon: epsilon)
        let placement = GPUPlacement(
            heads: heads, keyHeads: 1, headLength: length, norm: isNormed ? norm : nil, pairs: pairs,
            isInterleaved: isInterleaved, hasGates: step > 1, keyStart: 0, valueStart: 2 * halfPage, type: type)
        try carryOut { (recording) throws(GPUError) in
            try recording.place(
                placement, projected, turns: pairs > 0 ? turns : nil, pages: pages, slots: slots, count: count)
            try recording.barrier()
            try recording.attend(
                placement, scale: scale, projected, pages: pages, table: table, seen: seen, sinks: nil, count: count,
                pageCount: starts.count, into: output)
            try recording.attend(
                placement, scale: scale, projected, pages: pages, table: table, seen: seen, sinks: nil, count: count,
                pageCount: starts.count, gathered: gathered, into: joined)
            try recording.attend(
                placement, scale: scale, projected, pages: pages, table: table, seen: seen, sinks: nil, count: count,
                pageCount: starts.count, isBusy: true, into: together)
        }
        let results = floats(output)
        guard floats(joined) == results else { throw .wrongResult(kernel: "attention by pages") }
        guard floats(together) == results else { throw .wrongResult(kernel: "attention of several heads") }

        /// A query of a head or, as part 1, a key as attention takes it.
        func placed(_ row: Int, _ part: Int, head: Int = 0) -> [Double] {
            let start = row * perRow + step * (part == 0 ? head : heads) * length
            var vector = values[start..<start + length].map(Double.init)
            if isNormed {
                let squares = vector.reduce(0) { $0 + $1 * $1 } / Double(length)
                let factor = 1 / (squares + Double(epsilon)).squareRoot()
                for index in vector.indices { vector[index] *= factor * Double(gains[part * length + index]) }
            }
            for pair in 0..<pairs {
                let first = isInterleaved ? 2 * pair : pair, second = isInterleaved ? first + 1 : first + pairs
                let angle = Double(angles[row * pairs + pair]), (a, b) = (vector[first], vector[second])
                (vector[first], vector[second]) = (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle))
            }
            return vector
        }
        /// An element of a key or a value as a page keeps it.
        func kept(_ row: Int, _ part: Int, _ element: Int, _ number: Double) throws(GPUError) -> Double {
            guard type == .q8_0 else { return number }
            let start = Int(starts[row / page]) * 2 + (part == 1 ? 0 : 2 * halfPage), position = row % page
            let bytes = pages.buffer.contents
            let place = part == 1 ? element * page + position : position * length + element
            let code = bytes.load(fromByteOffset: start + place, as: Int8.self)
            let scales = start + length * page + (element / 32 * page + position) * 2
            let step = Double(Vector.float(half: bytes.loadUnaligned(fromByteOffset: scales, as: UInt16.self)))
            // The scale is rounded too.
            try check(Float(Double(code) * step), number, within: 0.6 * step + 1e-6, "store_q8_0")
            guard step > 0, step < 0.3 else { throw .wrongResult(kernel: "store_q8_0") }
            return Double(code) * step
        }
        var keys: [[Double]] = [], keptValues: [[Double]] = []
        for row in 0..<count {
            var (key, value) = (
                placed(row, 1), values[row * perRow + (heads * step + 1) * length..<(row + 1) * perRow].map(Double.init)
            )
            for index in 0..<length {
                key[index] = try kept(row, 1, index, key[index])
                value[index] = try kept(row, 2, index, value[index])
            }
            keys.append(key)
            keptValues.append(value)
        }
        // The first position, the last of a page, and the last of all.
        for (row, head) in [(0, 0), (page - 1, heads - 1), (count - 1, 0), (count - 1, heads - 1)] {
            let query = placed(row, 0, head: head)
            let scores = keys[...row].map { key -> Double in
                var product = 0.0
                for (one, other) in zip(key, query) { product += one * other }
                return exp(product * Double(scale * (factor ?? 1)))
            }
            let total = scores.reduce(0, +)
            for index in 0..<length {
                var (sum, size) = (0.0, 0.0)
                for (position, score) in scores.enumerated() {
                    let term = score / total * keptValues[position][index]
                    sum += term
                    size += abs(term)
                }
                let bound = (type == .f16 ? Self.halfTolerance : 10 * Self.tolerance) * (size + 1e-3)
                try check(results[(row * heads + head) * length + index], sum, within: bound, "attention")
            }
        }
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
                groups: (GPURecording.groups(channels, GPUKernel.elementsPerGroup), 1))
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
