import CLeapKernels
import LeapGGUF

/// A weight matrix where it lies in the model file: `rows` outputs of `columns` inputs each.
///
/// It borrows the file's memory: whoever uses it keeps the ``Model`` alive.
struct WeightMatrix: @unchecked Sendable {  // points into read-only memory that the Model keeps mapped
    /// What the kernels read.
    let kernel: leap_matrix
    /// The form in which inputs have to be prepared.
    let activationKind: Int32
    /// One number for each output that is added to it.
    var bias: FloatVector?

    /// Outputs.
    var rows: Int { Int(kernel.rows) }
    /// Inputs.
    var columns: Int { Int(kernel.cols) }

    /// A matrix over memory that holds at least `rows` rows; the caller has checked that.
    init(data: UnsafeRawPointer, type: Int32, rows: Int, columns: Int, rowBytes: Int, bias: FloatVector? = nil) {
        kernel = leap_matrix(
            data: data, type: type, rows: Int64(rows), cols: Int64(columns), row_bytes: rowBytes)
        activationKind = leap_activation_kind(type)
        self.bias = bias
    }

    /// Some of the rows, in place: fused tensors hold several matrices one after the other.
    func rows(_ range: Range<Int>) -> WeightMatrix {
        precondition(range.lowerBound >= 0 && range.upperBound <= rows, "rows out of range")
        return WeightMatrix(
            data: kernel.data + range.lowerBound * kernel.row_bytes, type: kernel.type, rows: range.count,
            columns: columns, rowBytes: kernel.row_bytes, bias: bias.map { $0.slice(range) })
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

    private init(pointer: UnsafePointer<Float>, count: Int, owner: Copy?) {
        self.pointer = pointer
        self.count = count
        self.owner = owner
    }

    /// Some of the elements, of the same memory.
    func slice(_ range: Range<Int>) -> FloatVector {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "elements out of range")
        return FloatVector(pointer: pointer + range.lowerBound, count: range.count, owner: owner)
    }

    /// Bytes of the elements.
    var byteCount: Int { count * MemoryLayout<Float>.stride }

    /// The elements as an array.
    var values: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}
