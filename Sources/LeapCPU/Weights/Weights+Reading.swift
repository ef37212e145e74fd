import CLeapKernels
import LeapCompute
import LeapModel

// What another device that computes layers needs of the weights.

extension Matrix {
    /// Its rows as they lie in the file.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: WeightMatrix(self).kernel.data, count: byteCount)
    }

    /// A row as numbers.
    package func values(ofRow row: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: columns) { floats, count in
            if let base = floats.baseAddress { WeightMatrix(self).read(row: row, into: base) }
            count = columns
        }
    }
}

extension Vector {
    /// Its elements as numbers, whatever type the file has them in.
    package var elements: [Float] { FloatVector(self).values }
}
