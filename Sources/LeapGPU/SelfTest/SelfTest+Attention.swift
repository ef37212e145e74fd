import LeapBase
import LeapCompute
import LeapModel

/// Attention and the pages that it reads.
extension SelfTest {
    /// Queries and keys of a few heads are normed, rotated, stored and attended to.
    mutating func checkAttention(_ block: GPUAttention, _ model: GPUModel) throws(GPUError) {
        let trial = AttentionTrial(block, model, &self)
        let (results, pages) = try attend(trial)
        let kept = try keptVectors(trial, pages)
        // The first position, the last of a page, and the last of all.
        let last = trial.heads - 1
        for (row, head) in [(0, 0), (trial.page - 1, last), (trial.count - 1, 0), (trial.count - 1, last)] {
            try checkAttention(trial, row, head: head, results, keys: kept.keys, values: kept.values)
        }
    }

    /// Has the device store and attend to a trial's vectors, in each of the ways in which it goes through pages.
    ///
    /// - Returns: what the heads gather, and the pages with the keys and values.
    mutating func attend(
        _ trial: AttentionTrial
    ) throws(GPUError) -> (results: [Float], pages: GPUBinding) {
        let (count, outputCount) = (trial.count, trial.count * trial.heads * trial.length)
        let projected = try buffer(trial.values), turns = try buffer(trial.turns)
        let pages = try buffer([UInt16](repeating: 0, count: 4 * trial.halfPage))
        let slots = try buffer(trial.slots), table = try buffer(trial.starts), seen = try buffer(trial.seen)
        let output = try buffer(numbers(outputCount)), joined = try buffer(numbers(outputCount))
        let together = try buffer(numbers(outputCount))
        let gathered = try buffer(numbers(count * trial.heads * trial.starts.count * (2 + trial.length)))
        let norm = GPUNorm(gains: try buffer(trial.gains), epsilon: trial.epsilon)
        let placement = trial.placement(norm)
        try carryOut { (recording) throws(GPUError) in
            try recording.place(
                placement, projected, turns: trial.pairs > 0 ? turns : nil, pages: pages, slots: slots, count: count)
            try recording.barrier()
            try recording.attend(
                placement, scale: trial.scale, projected, pages: pages, table: table, seen: seen, sinks: nil,
                count: count, pageCount: trial.starts.count, into: output)
            try recording.attend(
                placement, scale: trial.scale, projected, pages: pages, table: table, seen: seen, sinks: nil,
                count: count, pageCount: trial.starts.count, gathered: gathered, into: joined)
            try recording.attend(
                placement, scale: trial.scale, projected, pages: pages, table: table, seen: seen, sinks: nil,
                count: count, pageCount: trial.starts.count, isBusy: true, into: together)
        }
        let results = floats(output), kernels = GPUKernel.attention(trial.type)
        try checkQueries(trial, floats(projected))
        if floats(joined) != results {
            let isJoined = pagesGive(trial, floats(gathered), results)
            throw .wrongResult(kernel: isJoined ? GPUKernel.attentionJoin.entry : kernels.page.entry)
        }
        guard floats(together) == results else { throw .wrongResult(kernel: kernels.group.entry) }
        return (results, pages)
    }

    /// Compares the queries of the last row, which are placed where they were projected.
    private func checkQueries(_ trial: AttentionTrial, _ rows: [Float]) throws(GPUError) {
        let row = trial.count - 1, expected = trial.placed(row, 0)
        for (index, number) in expected.enumerated() {
            try check(
                rows[row * trial.perRow + index], number, within: 10 * Self.tolerance * (abs(number) + 1),
                GPUKernel.placement(trial.type).entry)
        }
    }

    /// Returns whether what the pages gave to the last row's first head makes up what the head gathered.
    private func pagesGive(_ trial: AttentionTrial, _ gathered: [Float], _ results: [Float]) -> Bool {
        let length = trial.length, stride = 2 + length, pages = trial.starts.count
        let first = (trial.count - 1) * trial.heads * pages * stride
        let parts = (0..<pages).map { gathered[first + $0 * stride..<first + ($0 + 1) * stride].map(Double.init) }
        let top = parts.reduce(-Double.infinity) { max($0, $1[0]) }
        let total = parts.reduce(0) { $0 + $1[1] * exp($1[0] - top) }
        return (0..<length).allSatisfy { index in
            let sum = parts.reduce(0) { $0 + $1[2 + index] * exp($1[0] - top) } / total
            let result = Double(results[(trial.count - 1) * trial.heads * length + index])
            return abs(sum - result) <= 10 * Self.tolerance * (abs(result) + 1)
        }
    }

    /// The keys and values of all rows as the pages keep them.
    private func keptVectors(
        _ trial: AttentionTrial, _ pages: GPUBinding
    ) throws(GPUError) -> (keys: [[Double]], values: [[Double]]) {
        var (keys, values): ([[Double]], [[Double]]) = ([], [])
        for row in 0..<trial.count {
            var (key, value) = (trial.placed(row, 1), trial.value(row))
            for index in 0..<trial.length {
                key[index] = try kept(trial, pages, row, 1, index, key[index])
                value[index] = try kept(trial, pages, row, 2, index, value[index])
            }
            keys.append(key)
            values.append(value)
        }
        return (keys, values)
    }

    /// An element of a key or, as part 2, a value as a page keeps it.
    private func kept(
        _ trial: AttentionTrial, _ pages: GPUBinding, _ row: Int, _ part: Int, _ element: Int, _ number: Double
    ) throws(GPUError) -> Double {
        let (page, length) = (trial.page, trial.length)
        let start = Int(trial.starts[row / page]) * 2 + (part == 1 ? 0 : 2 * trial.halfPage), position = row % page
        let bytes = pages.buffer.contents
        let place = part == 1 ? element * page + position : position * length + element
        guard trial.type == .q8_0 else {
            let isHalf = trial.type == .f16, offset = start + place * (isHalf ? 2 : 4)
            let stored =
                isHalf
                ? Vector.float(half: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
                : bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
            let bound = (isHalf ? Self.halfTolerance : 10 * Self.tolerance) * (abs(number) + 1)
            try check(stored, number, within: bound, GPUKernel.placement(trial.type).entry)
            return number
        }
        let code = bytes.load(fromByteOffset: start + place, as: Int8.self)
        let scales = start + length * page + (element / 32 * page + position) * 2
        let step = Double(Vector.float(half: bytes.loadUnaligned(fromByteOffset: scales, as: UInt16.self)))
        // The scale is rounded too.
        try check(Float(Double(code) * step), number, within: 0.6 * step + 1e-6, "store_q8_0")
        guard step > 0, step < 0.3 else { throw .wrongResult(kernel: "store_q8_0") }
        return Double(code) * step
    }

    /// Compares what a head of a row gathers with the softmax over all keys up to the row's.
    private func checkAttention(
        _ trial: AttentionTrial, _ row: Int, head: Int, _ results: [Float], keys: [[Double]], values: [[Double]]
    ) throws(GPUError) {
        let (length, query) = (trial.length, trial.placed(row, 0, head: head))
        let scores = keys[...row].map { key -> Double in
            var product = 0.0
            for (one, other) in zip(key, query) { product += one * other }
            return exp(product * Double(trial.scale * (trial.factor ?? 1)))
        }
        let total = scores.reduce(0, +)
        for index in 0..<length {
            var (sum, size) = (0.0, 0.0)
            for (position, score) in scores.enumerated() {
                let term = score / total * values[position][index]
                sum += term
                size += abs(term)
            }
            let bound = (trial.type == .f16 ? Self.halfTolerance : 10 * Self.tolerance) * (size + 1e-3)
            try check(
                results[(row * trial.heads + head) * length + index], sum, within: bound,
                GPUKernel.attention(trial.type).whole.entry)
        }
    }
}

/// A few positions of attention: the numbers that a device gets, and queries, keys and values by plain arithmetic.
struct AttentionTrial {
    let count = 70
    /// Positions of a page.
    let page = 64
    let epsilon: Float = 1e-5
    let length: Int
    let heads: Int
    /// Vectors of a head's query: 2 where its gates follow it.
    let step: Int
    /// Floats of a row: the queries of all heads, a key and a value.
    let perRow: Int
    let scale: Float
    let isNormed: Bool
    let normsValues: Bool
    let hasGroups: Bool
    let type: KeyValueType
    /// 2 where each half of a head has angles of its own, else 1.
    let parts: Int
    /// Pairs of elements that are rotated, in each part.
    let pairs: Int
    let isInterleaved: Bool
    /// The number that queries are multiplied with besides; nil where there is none.
    let factor: Float?
    /// 16-bit words of the keys or values of a page.
    let halfPage: Int
    /// The starts of two pages, the second of which lies first.
    let starts: [UInt32]
    let values: [Float]
    let gains: [Float]
    let angles: [Float]

    init(_ block: GPUAttention, _ model: GPUModel, _ test: inout SelfTest) {
        (length, type) = (block.headLength, model.keyValueType)
        (heads, hasGroups) = (block.hasGroups ? GPUKernel.headsTogether : 1, block.hasGroups)
        step = block.hasGatesBehindQueries ? 2 : 1
        perRow = (heads * step + 2) * length
        scale = 1 / Float(length).squareRoot()
        (isNormed, normsValues) = (block.headNorm != nil, block.keys?.normsValues ?? false)
        let rope = block.rope.map { model.ropes[$0.first] }
        parts = block.rope?.second == nil ? 1 : 2
        (pairs, isInterleaved) = ((rope?.dimensions ?? 0) / 2, rope?.interleaved ?? false)
        factor = block.sight.temperature == nil ? nil : 1.25
        halfPage =
            type == .q8_0 ? length * page / 2 + (length + 31) / 32 * page : length * page * (type == .f32 ? 2 : 1)
        starts = [UInt32(2 * halfPage), 0]
        values = test.numbers(count * perRow)
        gains = test.numbers(2 * length)
        angles = test.numbers(count * parts * pairs)
    }

    // MARK: What the device gets

    /// Cosines and sines in pairs.
    var turns: [Float] { angles.flatMap { [cosf($0), sinf($0)] } + [0] }

    /// The page of each row, and its place there.
    var slots: [UInt32] { (0..<count).flatMap { [starts[$0 / page], UInt32($0 % page)] } }

    /// The positions that each row sees, and what its queries are multiplied with besides.
    var seen: [UInt32] { (0..<count).flatMap { [0, 0, UInt32($0 + 1), factor?.bitPattern ?? 0] } }

    func placement(_ norm: GPUNorm) -> HeadPlacement {
        HeadPlacement(
            heads: heads, keyHeads: 1, headLength: length, norm: isNormed ? norm : nil, pairs: pairs,
            isInterleaved: isInterleaved, turnsHalves: parts > 1, hasGates: step > 1,
            valueEpsilon: normsValues ? epsilon : nil, keyStart: 0, valueStart: 2 * halfPage, type: type,
            hasGroups: hasGroups)
    }

    // MARK: What is to come out

    /// A query of a head or, as part 1, a key as attention takes it.
    func placed(_ row: Int, _ part: Int, head: Int = 0) -> [Double] {
        let start = row * perRow + step * (part == 0 ? head : heads) * length
        var vector = values[start..<start + length].map(Double.init)
        if isNormed {
            for index in vector.indices { vector[index] *= Double(gains[part * length + index]) }
            let factor = normFactor(values[start..<start + length])
            for index in vector.indices { vector[index] *= factor }
        }
        for turn in 0..<parts * pairs {
            let (half, pair) = turn.quotientAndRemainder(dividingBy: pairs)
            let first = half * length / 2 + (isInterleaved ? 2 * pair : pair)
            let second = isInterleaved ? first + 1 : first + pairs
            let angle = Double(angles[row * parts * pairs + turn]), (a, b) = (vector[first], vector[second])
            (vector[first], vector[second]) = (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle))
        }
        return vector
    }

    /// A value as attention takes it.
    func value(_ row: Int) -> [Double] {
        let projected = values[row * perRow + (heads * step + 1) * length..<(row + 1) * perRow]
        let factor = normsValues ? normFactor(projected) : 1
        return projected.map { Double($0) * factor }
    }

    /// The number by which a norm without gains multiplies a head.
    private func normFactor(_ head: ArraySlice<Float>) -> Double {
        let squares = head.reduce(0) { $0 + Double($1) * Double($1) } / Double(length)
        return 1 / (squares + Double(epsilon)).squareRoot()
    }
}
