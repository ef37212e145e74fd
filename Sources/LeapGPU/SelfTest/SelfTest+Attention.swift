import LeapBase
import LeapCompute
import LeapModel

/// Attention and the pages that it reads.
extension SelfTest {
    /// Queries and keys of a few heads are normed, rotated, stored and attended to.
    mutating func checkAttention(_ block: GPUAttention, _ model: GPUModel) throws(GPUError) {
        let (length, count, page) = (block.headLength, 70, 64), type = model.keyValueType
        let heads = block.hasGroups ? GPUKernel.headsTogether : 1
        let step = block.hasGatesBehindQueries ? 2 : 1, perRow = (heads * step + 2) * length
        let values = numbers(count * perRow), gains = numbers(2 * length)
        let dimensions = block.rope.map { model.ropes[$0.first].dimensions } ?? 0, pairs = dimensions / 2
        let isInterleaved = block.rope.map { model.ropes[$0.first].interleaved } ?? false
        let parts = block.rope?.second == nil ? 1 : 2
        let angles = numbers(count * parts * pairs), epsilon: Float = 1e-5, scale = 1 / Float(length).squareRoot()
        let projected = try buffer(values)
        let turns = try buffer([Float](angles.flatMap { [cosf($0), sinf($0)] } + [0]))
        // 16-bit words of the keys or values of a page.
        let halfPage =
            type == .q8_0 ? length * page / 2 + (length + 31) / 32 * page : length * page * (type == .f32 ? 2 : 1)
        let isNormed = block.headNorm != nil, normsValues = block.keys?.normsValues ?? false
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
        let placement = HeadPlacement(
            heads: heads, keyHeads: 1, headLength: length, norm: isNormed ? norm : nil, pairs: pairs,
            isInterleaved: isInterleaved, turnsHalves: parts > 1, hasGates: step > 1,
            valueEpsilon: normsValues ? epsilon : nil, keyStart: 0,
            valueStart: 2 * halfPage, type: type,
            hasGroups: block.hasGroups)
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

        /// The number by which a norm without gains multiplies a head.
        func normFactor(_ head: ArraySlice<Float>) -> Double {
            let squares = head.reduce(0) { $0 + Double($1) * Double($1) } / Double(length)
            return 1 / (squares + Double(epsilon)).squareRoot()
        }
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
            let projectedValue = values[row * perRow + (heads * step + 1) * length..<(row + 1) * perRow]
            let factor = normsValues ? normFactor(projectedValue) : 1
            var (key, value) = (placed(row, 1), projectedValue.map { Double($0) * factor })
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
}
