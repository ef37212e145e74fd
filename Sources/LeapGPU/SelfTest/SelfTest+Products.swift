import LeapBase
import LeapCompute
import LeapGGUF
import LeapModel

/// Products of matrices.
extension SelfTest {
    mutating func checkProducts(_ matrix: Matrix, _ weights: BoundWeights) throws(GPUError) {
        let whole = try weights.matrix(matrix), rows = min(8, whole.slices[0].rows.count)
        let few = whole.rows(count: rows)
        let elements = (0..<rows).map { weights.row($0, of: matrix) }
        let hasTiles =
            device.properties.hasMatrixUnits && (GPUKernel.tileProduct(matrix.type).map(pipelines.has) ?? false)
        if hasTiles { try checkTiles(matrix, whole, weights) }
        let pair = GPUKernel.pairProduct(matrix.type)
        if rows == 8, let pair, pipelines.has(pair) { try checkPair(few, elements, pair.entry) }
        for (count, isPrompt) in [(1, false), (3, false), (3, true)] where !isPrompt || hasTiles {
            let product = pipelines.product(matrix.type, vectors: count, isPrompt: isPrompt)
            guard let kernel = product?.kernel.entry else { continue }
            let tolerance = isPrompt ? Self.tileTolerance : Self.tolerance
            let vectors = numbers(count * few.columns), before = numbers(count * rows)
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
                let vector = vectors[index / rows * few.columns..<(index / rows + 1) * few.columns]
                let (sum, size) = Self.product(elements[index % rows], vector)
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
    private mutating func checkPair(
        _ matrix: GPUMatrix, _ elements: [[Float]], _ kernel: String
    ) throws(GPUError) {
        let rows = matrix.rows / 2, vector = numbers(matrix.columns)
        let (first, second) = (matrix.rows(count: rows), matrix.rows(from: rows, count: rows))
        let input = try buffer(vector), output = try buffer(numbers(rows))
        try carryOut { (recording) throws(GPUError) in
            try recording.multiply(gate: first, up: second, input, count: 1, into: output, mode: .gate)
        }
        func product(_ row: Int) -> (sum: Double, bound: Double) {
            let (sum, size) = Self.product(elements[row], vector[...])
            return (sum, Self.tolerance * size + 1e-30)
        }
        for (row, value) in floats(output).enumerated() {
            let (gate, up) = (product(row), product(rows + row)), silu = gate.sum / (1 + exp(-gate.sum))
            // The SiLU grows by at most 1.1 times what its argument does.
            let bound = 1.1 * gate.bound * (abs(up.sum) + up.bound) + abs(silu) * (up.bound + 1e-5 * abs(up.sum))
            try check(value, silu * up.sum, within: bound, kernel)
        }
    }

    /// A tile of a matrix, as many rows and vectors as a workgroup has.
    private mutating func checkTiles(_ matrix: Matrix, _ whole: GPUMatrix, _ weights: BoundWeights) throws(GPUError) {
        let count = GPUKernel.tileLength, rows = min(count, whole.slices[0].rows.count)
        let tile = whole.rows(count: rows), vectors = numbers(count * whole.columns)
        let input = try buffer(vectors), output = try buffer(numbers(count * rows))
        try carryOut { (recording) throws(GPUError) in
            recording.promptRows = [0..<count]
            try recording.multiply(tile, input, count: count, into: output)
        }
        let results = floats(output)
        // One in each of the parts that a matrix unit multiplies.
        for row in stride(from: 0, to: rows, by: 17) {
            let elements = weights.row(row, of: matrix)
            for vector in stride(from: 15, to: count, by: 16) {
                let (sum, size) = Self.product(
                    elements, vectors[vector * whole.columns..<(vector + 1) * whole.columns])
                try check(
                    results[vector * rows + row], sum, within: Self.tileTolerance * size,
                    GPUKernel.tileProduct(matrix.type)?.entry ?? "tiles")
            }
        }
    }

    /// The exact product of a row with a vector, and the sizes of its terms; elements of the vector behind the row's
    /// meet zeros.
    private static func product(_ weights: [Float], _ vector: ArraySlice<Float>) -> (sum: Double, size: Double) {
        var (sum, size) = (0.0, 0.0)
        for (weight, number) in zip(weights, vector) {
            sum += Double(weight) * Double(number)
            size += abs(Double(weight) * Double(number))
        }
        return (sum, size)
    }

    /// GELU in its tanh form, or by its definition.
    static func gelu(_ value: Double, isExact: Bool = false) -> Double {
        guard !isExact else { return value / 2 * erfc(-value / 2.0.squareRoot()) }
        return value / 2 * (1 + tanh((2 / Double.pi).squareRoot() * (value + 0.044715 * value * value * value)))
    }
}

extension GPUMatrix {
    /// Some rows of the first slice, as a matrix.
    fileprivate func rows(from first: Int = 0, count: Int) -> GPUMatrix {
        let slice = slices[0]
        return GPUMatrix(
            type: type, rows: count, columns: columns, rowByteCount: rowByteCount,
            slices: [RowSlice(binding: slice.binding, start: slice.start + first * rowByteCount / 2, rows: 0..<count)])
    }
}
