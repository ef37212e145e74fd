import CLeapKernels
import LeapBase
import LeapCompute
import LeapModel

extension RelativeAttention {
    /// Queries whose scores are held at a time.
    private static let blockLength = 64
    /// The scratch memory that it takes.
    private static let purposes: [Workspace.Purpose] = [
        .query, .key, .value, .projectedDistances, .mixed, .transposed, .biasedQueries, .keyScores, .distanceScores,
    ]

    /// The sinusoids of all distances of a number of positions, from count - 1 down to 1 - count.
    static func sinusoids(count: Int, length: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let rows = try pass.rows(.distances, 2 * count - 1, length)
        let step = -logf(10_000) / Float(length)
        let frequencies = (0..<length / 2).map { expf(Float(2 * $0) * step) }
        for row in 0..<rows.count {
            let distance = Float(count - 1 - row)
            let target = rows.row(row)
            for (index, frequency) in frequencies.enumerated() {
                target[2 * index] = sinf(distance * frequency)
                target[2 * index + 1] = cosf(distance * frequency)
            }
        }
        return rows
    }

    /// - Parameter positions: the sinusoids of the distances.
    func run(_ rows: Rows, positions: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release(Self.purposes) }
        let count = rows.count
        let queries = try pass.rows(.query, count, rows.length)
        let keys = try pass.rows(.key, count, rows.length)
        let values = try pass.rows(.value, count, rows.length)
        try pass.project(rows, [(query, queries), (key, keys), (value, values)])
        let distances = try pass.project(positions, position, into: .projectedDistances)
        let mixed = try pass.rows(.mixed, count, rows.length)
        for head in 0..<heads {
            let transposed = try transposed(values, head, pass)
            for start in stride(from: 0, to: count, by: Self.blockLength) {
                let block = start..<min(count, start + Self.blockLength)
                let scores = try scores(queries, keys, distances, head, block, pass)
                pass.kernels.softmax(scores, factor: 1 / sqrtf(Float(headDimension)))
                try pass.project(
                    scores, transposed, to: mixed.row(block.lowerBound) + head * headDimension, stride: rows.length)
            }
        }
        return try pass.project(mixed, output, into: .branch)
    }

    /// A head's part of rows, as a matrix to multiply with.
    private func matrix(_ rows: Rows, _ head: Int, _ range: Range<Int>) -> WeightMatrix {
        WeightMatrix(
            data: UnsafeRawPointer(rows.row(range.lowerBound) + head * headDimension), type: Int32(LEAP_F32),
            rows: range.count, columns: headDimension, rowBytes: rows.length * MemoryLayout<Float>.stride)
    }

    /// A head's values, one row for each of their elements.
    private func transposed(_ values: Rows, _ head: Int, _ pass: ForwardPass) throws(EngineError) -> WeightMatrix {
        let out = try pass.rows(.transposed, headDimension, values.count)
        for row in 0..<values.count {
            let source = values.row(row) + head * headDimension
            for element in 0..<headDimension { out.row(element)[row] = source[element] }
        }
        return WeightMatrix(
            data: UnsafeRawPointer(out.base), type: Int32(LEAP_F32), rows: headDimension, columns: values.count,
            rowBytes: values.count * MemoryLayout<Float>.stride)
    }

    /// The scores of a block of queries and all keys, before they are scaled.
    private func scores(
        _ queries: Rows, _ keys: Rows, _ distances: Rows, _ head: Int, _ block: Range<Int>, _ pass: ForwardPass
    ) throws(EngineError) -> Rows {
        let count = keys.count
        let biased = try pass.rows(.biasedQueries, block.count, headDimension)
        let start = queries.row(block.lowerBound) + head * headDimension
        func add(_ bias: Vector) {
            pass.kernels.add(
                start, stride: queries.length, bias.slice(head * headDimension..<(head + 1) * headDimension),
                into: biased)
        }
        add(contentBias)
        let scores = try pass.project(biased, matrix(keys, head, 0..<count), into: .keyScores)
        add(positionBias)
        // The distances of the block's last query and the first key, up to those of its first query and the last key.
        let range = count - block.upperBound..<2 * count - 1 - block.lowerBound
        let byDistance = try pass.project(biased, matrix(distances, head, range), into: .distanceScores)
        // The next query's distances begin one place before.
        pass.kernels.add(byDistance.base + block.count - 1, stride: byDistance.length - 1, to: scores)
        return scores
    }
}
