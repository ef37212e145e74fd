import LeapBase
import LeapCompute
import LeapModel

extension GemmaAudioAttention {
    /// The sinusoids of the distances that are seen, from 0 on.
    static func sinusoids(length: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let rows = try pass.rows(.distances, window, length)
        let half = length / 2
        let step = -logf(10_000) / Float(max(1, half - 1))
        for distance in 0..<window {
            let target = rows.row(distance)
            for index in 0..<half {
                let angle = Float(distance) * expf(Float(index) * step)
                target[index] = sinf(angle)
                target[half + index] = cosf(angle)
            }
        }
        return rows
    }

    /// - Parameter distances: the sinusoids.
    func run(_ rows: Rows, distances: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.query, .key, .value, .projectedDistances, .mixed]) }
        let queries = try pass.rows(.query, rows.count, rows.length)
        let keys = try pass.rows(.key, rows.count, rows.length)
        let values = try pass.rows(.value, rows.count, rows.length)
        try pass.project(rows, [(query, queries), (key, keys), (value, values)])
        let positions = try pass.project(distances, position, into: .projectedDistances)
        scale(queries, by: queryScales)
        scale(keys, by: keyScales)
        let mixed = try pass.rows(.mixed, rows.count, rows.length)
        pass.kernels.timed("attention") {
            for row in 0..<rows.count {
                for head in 0..<heads { attend(row, head, queries, keys, values, positions, into: mixed) }
            }
        }
        return try pass.project(mixed, output, into: .branch)
    }

    /// Multiplies the elements of each head with factors.
    private func scale(_ rows: Rows, by factors: [Float]) {
        for row in 0..<rows.count {
            for head in 0..<heads {
                let vector = rows.row(row) + head * headDimension
                for element in 0..<headDimension { vector[element] *= factors[element] }
            }
        }
    }

    /// Gathers the values that a head of a query sees.
    private func attend(
        _ row: Int, _ head: Int, _ queries: Rows, _ keys: Rows, _ values: Rows, _ positions: Rows, into mixed: Rows
    ) {
        let start = head * headDimension
        let (query, out) = (queries.row(row) + start, mixed.row(row) + start)
        let seen = min(Self.window, row + 1)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: seen) { weights in
            var largest = -Float.infinity
            for distance in 0..<seen {
                let (key, position) = (keys.row(row - distance) + start, positions.row(distance) + start)
                var score: Float = 0
                for element in 0..<headDimension { score += query[element] * (key[element] + position[element]) }
                score = Self.cap * tanhf(score / Self.cap)
                weights.initializeElement(at: distance, to: score)
                largest = max(largest, score)
            }
            var sum: Float = 0
            for distance in 0..<seen {
                weights[distance] = expf(weights[distance] - largest)
                sum += weights[distance]
            }
            out.update(repeating: 0, count: headDimension)
            for distance in 0..<seen {
                let (value, weight) = (values.row(row - distance) + start, weights[distance] / sum)
                for element in 0..<headDimension { out[element] += weight * value[element] }
            }
        }
    }
}
