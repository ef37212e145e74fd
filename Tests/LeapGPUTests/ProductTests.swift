import Foundation
import LeapGGUF
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// Products of matrices with vectors.
    struct ProductTests {
        /// Runs a product with vectors, the matrix some bytes into its buffer as in a file.
        static func product(
            _ gpu: TestGPU, _ kernel: GPUKernel, width: Int, _ matrix: TestMatrix, _ vectors: [Float]
        ) throws -> [Float] {
            let offset = 96, count = vectors.count / matrix.columns
            let weights = try gpu.buffer([UInt8](repeating: 0xff, count: offset) + matrix.bytes + [0, 0, 0, 0])
            let out = try gpu.output(count * matrix.rows)
            let constants = [
                matrix.rows, matrix.columns / GPUKernel.unit, offset / 2, matrix.rowByteCount / 2, 0, count,
                matrix.columns / 4, matrix.rows, 0, 0, 0,
            ]
            try gpu.run(
                kernel, [GPUBinding(weights), GPUBinding(try gpu.buffer(vectors)), GPUBinding(out)],
                constants.map(UInt32.init),
                groups: (groups(matrix.rows, of: GPUKernel.rowsPerGroup), groups(count, of: width), 1))
            return out.floats
        }

        @Test(
            "A product differs from the exact one by at most 1e-5 of its terms",
            arguments: TestGPU.cases(GPUKernel.weightTypes, brief: 3))
        func parity(type: GGUFTensorType) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: UInt64(type.rawValue) + 1)
            // Fewer units than lanes, and more, with a rest.
            for columns in [256, 1024 + 256] {
                let count = 11, rows = TestGPU.isBrief ? 11 : 37
                let matrix = TestMatrix(type, rows: rows, columns: columns, using: &generator)
                let vectors = generator.floats(count * columns)
                let kernels = [
                    (try #require(GPUKernel.vectorProduct(type)), 1),
                    (try #require(GPUKernel.matrixProduct(type)), GPUKernel.matrixWidth),
                ]
                // The exact sums, and those of the terms' sizes.
                let exact = (0..<count * rows).map { index in
                    let row = index % rows * columns, vector = index / rows * columns
                    var sum = 0.0, size = 0.0
                    for column in 0..<columns {
                        let term = Double(matrix.elements[row + column]) * Double(vectors[vector + column])
                        sum += term
                        size += abs(term)
                    }
                    return (sum, size)
                }
                for (kernel, width) in kernels {
                    let out = try Self.product(gpu, kernel, width: width, matrix, vectors)
                    #expect(out.count == exact.count)
                    let wrong = zip(out, exact).enumerated().filter { _, pair in
                        let (value, (sum, size)) = pair
                        return !(abs(Double(value) - sum) <= 1e-5 * size)
                    }
                    #expect(wrong.isEmpty, "\(kernel.entry), rows \(wrong.prefix(9).map { $0.offset % rows })")
                }
            }
        }

        @Test(
            "A vector's product has the same bits alone, in any batch, and again",
            arguments: TestGPU.cases(GPUKernel.weightTypes, brief: 3))
        func sameBits(type: GGUFTensorType) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 7)
            let (columns, rows) = TestGPU.isBrief ? (512, 11) : (768, 21)
            let matrix = TestMatrix(type, rows: rows, columns: columns, using: &generator)
            let vectors = generator.floats(11 * columns)
            let one = try #require(GPUKernel.vectorProduct(type)), many = try #require(GPUKernel.matrixProduct(type))
            let alone = try (0..<11).flatMap {
                try Self.product(gpu, one, width: 1, matrix, Array(vectors[($0 * columns)..<(($0 + 1) * columns)]))
            }
            for count in [1, 3, 8, 11] {
                let batch = Array(vectors.prefix(count * columns)), expected = Array(alone.prefix(count * rows))
                #expect(try Self.product(gpu, many, width: GPUKernel.matrixWidth, matrix, batch) == expected)
                #expect(try Self.product(gpu, one, width: 1, matrix, batch) == expected)
            }
        }

        @Test(
            "A pair of products has the bits of one after the other",
            arguments: TestGPU.cases(GPUKernel.weightTypes, brief: 3))
        func pair(type: GGUFTensorType) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 12)
            let columns = TestGPU.isBrief ? 256 : 768, rows = 13
            let matrices = (0..<2).map { _ in TestMatrix(type, rows: rows, columns: columns, using: &generator) }
            let weights = try gpu.buffer(matrices[0].bytes + matrices[1].bytes + [0, 0, 0, 0])
            let vector = try gpu.buffer(generator.floats(columns))
            let kernels = (
                one: try #require(GPUKernel.vectorProduct(type)), both: try #require(GPUKernel.pairProduct(type))
            )
            for mode in [GPUKernel.ProductMode.gate, .geluGate] {
                func run(_ kernel: GPUKernel, _ out: any GPUBuffer, start: Int, _ mode: GPUKernel.ProductMode) throws {
                    let constants = [
                        rows, columns / GPUKernel.unit, start, matrices[0].rowByteCount / 2, 0, 1, columns / 4, rows, 0,
                        Int(mode.rawValue), matrices[0].bytes.count / 2,
                    ]
                    try gpu.run(
                        kernel, [GPUBinding(weights), GPUBinding(vector), GPUBinding(out)], constants.map(UInt32.init),
                        groups: (groups(rows, of: GPUKernel.rowsPerGroup), 1, 1))
                }
                let expected = try gpu.output(rows), out = try gpu.output(rows)
                try run(kernels.one, expected, start: 0, .store)
                try run(kernels.one, expected, start: matrices[0].bytes.count / 2, mode)
                try run(kernels.both, out, start: 0, mode)
                #expect(out.floats == expected.floats)
            }
        }

        @Test(
            "A product is written, added, squared above 0, or gated by the SiLU or the GELU of what is there, at a place of the outputs"
        )
        func modes() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 11)
            let rows = 6, columns = 64, count = 3, stride = 9, start = 2
            let matrix = TestMatrix(.q8_0, rows: rows, columns: columns, using: &generator)
            let vectors = generator.floats(count * columns)
            let products = try Self.product(
                gpu, try #require(GPUKernel.matrixProduct(.q8_0)), width: GPUKernel.matrixWidth, matrix, vectors)
            let before = generator.floats(start + count * stride).map { $0 * 20 }
            let weights = try gpu.buffer(matrix.bytes + [0, 0, 0, 0])
            for mode in [GPUKernel.ProductMode.store, .add, .gate, .geluGate, .squaredReLU] {
                let out = try gpu.buffer(before)
                let constants = [
                    rows, columns / GPUKernel.unit, 0, matrix.rowByteCount / 2, 0, count, columns / 4, stride, start,
                    Int(mode.rawValue), 0,
                ]
                try gpu.run(
                    try #require(GPUKernel.matrixProduct(.q8_0)),
                    [GPUBinding(weights), GPUBinding(try gpu.buffer(vectors)), GPUBinding(out)],
                    constants.map(UInt32.init), groups: (groups(rows, of: GPUKernel.rowsPerGroup), 1, 1))
                for (index, value) in out.floats.enumerated() {
                    let (vector, row) = ((index - start) / stride, (index - start) % stride)
                    guard index >= start, row < rows else {
                        #expect(value == before[index])
                        continue
                    }
                    let product = products[vector * rows + row], old = Double(before[index])
                    switch mode {
                    case .store: #expect(value == product)
                    case .add: #expect(value == before[index] + product)
                    case .gate:
                        let expected = old / (1 + exp(-old)) * Double(product)
                        #expect(abs(Double(value) - expected) <= 1e-5 * abs(expected) + 1e-12)
                    case .geluGate:
                        let inner = (2 / Double.pi).squareRoot() * (old + 0.044715 * old * old * old)
                        let expected = old / (1 + exp(-2 * inner)) * Double(product)
                        #expect(abs(Double(value) - expected) <= 1e-4 * abs(expected) + 1e-12)
                    case .squaredReLU: #expect(value == max(product, 0) * max(product, 0))
                    }
                }
            }
        }

        @Test(
            "An expert's product has the bits of its matrix's, whichever entries are beside it",
            arguments: TestGPU.cases(GPUKernel.weightTypes, brief: 3))
        func experts(type: GGUFTensorType) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 13)
            let (columns, rows, inputs, perInput) = (TestGPU.isBrief ? 256 : 512, 9, 3, 2)
            let matrices = (0..<4).map { _ in TestMatrix(type, rows: rows, columns: columns, using: &generator) }
            let vectors = generator.floats(inputs * columns), experts: [UInt32] = [3, 0, 2, 2, 0, 3]
            let one = try #require(GPUKernel.vectorProduct(type)), kernel = try #require(GPUKernel.expertProduct(type))
            let offset = 96,
                weights = try gpu.buffer(
                    [UInt8](repeating: 0xff, count: offset) + matrices.flatMap(\.bytes) + [0, 0, 0, 0])
            func products(_ entries: Range<Int>) throws -> [Float] {
                let input = try gpu.buffer(
                    Array(
                        vectors[entries.lowerBound / perInput * columns..<(entries.upperBound + 1) / perInput * columns]
                    ))
                let out = try gpu.output(entries.count * rows), table = try gpu.buffer(Array(experts[entries]))
                let constants = [
                    rows, columns / GPUKernel.unit, offset / 2, matrices[0].rowByteCount / 2,
                    matrices[0].bytes.count / 2,
                    perInput, columns / 4, 0,
                ]
                try gpu.run(
                    kernel, [GPUBinding(weights), GPUBinding(input), GPUBinding(out), GPUBinding(table)],
                    constants.map(UInt32.init), groups: (groups(rows, of: GPUKernel.rowsPerGroup), entries.count, 1))
                return out.floats
            }
            let all = try products(0..<6)
            for (entry, expert) in experts.enumerated() {
                let vector = Array(vectors[entry / perInput * columns..<(entry / perInput + 1) * columns])
                let alone = try Self.product(gpu, one, width: 1, matrices[Int(expert)], vector)
                #expect(Array(all[entry * rows..<(entry + 1) * rows]) == alone, "entry \(entry)")
            }
            #expect(try products(2..<4) == Array(all[2 * rows..<4 * rows]))
        }

        @Test("Types without a kernel have no product")
        func otherTypes() {
            #expect(GPUKernel.vectorProduct(GGUFTensorType(rawValue: 40)) == nil)
            #expect(GPUKernel.matrixProduct(GGUFTensorType(rawValue: 63)) == nil)
            #expect(GPUKernel.expertProduct(GGUFTensorType(rawValue: 40)) == nil)
        }
    }
}
