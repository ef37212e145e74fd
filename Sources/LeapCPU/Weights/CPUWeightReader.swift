import CLeapKernels
import LeapCompute
package import LeapModel

/// Reads weights as the kernels do.
package struct CPUWeightReader: WeightReader {
    package init() {}

    package func bytes(of matrix: Matrix) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: WeightMatrix(matrix).kernel.data, count: matrix.byteCount)
    }

    package func row(_ row: Int, of matrix: Matrix) -> [Float] {
        [Float](unsafeUninitializedCapacity: matrix.columns) { floats, count in
            if let base = floats.baseAddress { WeightMatrix(matrix).read(row: row, into: base) }
            count = matrix.columns
        }
    }

    package func elements(of vector: Vector) -> [Float] { FloatVector(vector).values }
}
