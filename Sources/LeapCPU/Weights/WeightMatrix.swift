import CLeapKernels
import LeapBase
import LeapGGUF
import LeapModel

/// A matrix in memory that products can be computed with.
struct WeightMatrix {
    /// The matrix as the kernels read it.
    let kernel: leap_matrix

    /// Outputs.
    var rows: Int { Int(kernel.rows) }
    /// Inputs.
    var columns: Int { Int(kernel.cols) }
    /// The form in which inputs have to be prepared.
    var activationKind: Int32 { leap_activation_kind(kernel.type) }

    /// A matrix over memory that holds at least `rows` rows; the caller has checked that.
    init(data: UnsafeRawPointer, type: Int32, rows: Int, columns: Int, rowBytes: Int) {
        kernel = leap_matrix(data: data, type: type, rows: Int64(rows), cols: Int64(columns), row_bytes: rowBytes)
    }

    /// A matrix of a model, where it lies in the file.
    init(_ matrix: Matrix) {
        // The binder has checked that the data is there.
        let base = matrix.source.tensor.data.baseAddress.unsafelyUnwrapped
        self.init(
            data: base + matrix.offset, type: Int32(bitPattern: matrix.type.rawValue), rows: matrix.rows,
            columns: matrix.columns, rowBytes: matrix.rowByteCount)
    }

    /// A row as floats.
    func read(row: Int, into out: UnsafeMutablePointer<Float>) {
        precondition(row >= 0 && row < rows, "a row of the matrix")
        leap_dequantize_row(kernel.type, kernel.data + row * kernel.row_bytes, out, Int64(columns))
    }

    /// The sum of some rows, in their order.
    func sum(rows: [Int], into out: UnsafeMutablePointer<Float>) {
        out.update(repeating: 0, count: columns)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: columns) { floats in
            guard let floats = floats.baseAddress else { return }
            for row in rows {
                read(row: row, into: floats)
                for index in 0..<columns { out[index] += floats[index] }
            }
        }
    }
}

/// A run of floats: in place where the file stores aligned F32, a converted copy otherwise.
struct FloatVector: @unchecked Sendable {  // read-only; `owner` keeps the memory alive
    private final class Copy: @unchecked Sendable {  // written once, before it is shared
        let values: UnsafeMutableBufferPointer<Float>

        init(count: Int) { values = .allocate(capacity: count) }

        deinit { values.deallocate() }
    }

    /// The first element.
    let pointer: UnsafePointer<Float>
    /// The number of elements.
    let count: Int
    private let owner: Copy?

    /// Uses floats where they lie; the caller keeps them alive.
    init(borrowing pointer: UnsafePointer<Float>, count: Int) {
        self.pointer = pointer
        self.count = count
        owner = nil
    }

    /// Makes a copy with values computed by `fill`.
    init(count: Int, fill: (UnsafeMutablePointer<Float>) -> Void) {
        let copy = Copy(count: max(count, 1))
        copy.values.initialize(repeating: 0)
        if let base = copy.values.baseAddress { fill(base) }
        pointer = UnsafePointer(copy.values.baseAddress.unsafelyUnwrapped)  // never nil: capacity is at least 1
        self.count = count
        owner = copy
    }

    /// The elements of a model's vector.
    init(_ vector: Vector) {
        let tensor = vector.source.tensor
        // The binder has checked that the data is there.
        let base = tensor.data.baseAddress.unsafelyUnwrapped
        if tensor.type == .f32, Int(bitPattern: base) % MemoryLayout<Float>.alignment == 0 {
            self.init(borrowing: base.assumingMemoryBound(to: Float.self) + vector.start, count: vector.count)
            return
        }
        let (type, row, rowBytes) = (
            Int32(bitPattern: tensor.type.rawValue), tensor.rowElementCount, tensor.rowByteCount
        )
        let all = FloatVector(count: tensor.elementCount) { out in
            for index in 0..<tensor.rowCount {
                leap_dequantize_row(type, base + index * rowBytes, out + index * row, Int64(row))
            }
        }
        self.init(pointer: all.pointer + vector.start, count: vector.count, owner: all.owner)
    }

    private init(pointer: UnsafePointer<Float>, count: Int, owner: Copy?) {
        self.pointer = pointer
        self.count = count
        self.owner = owner
    }

    /// Bytes of the elements.
    var byteCount: Int { count * MemoryLayout<Float>.stride }

    /// The elements as an array.
    var values: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}
