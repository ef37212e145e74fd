import CLeapKernels
import LeapGGUF

/// Finds an architecture's tensors in a file by name and checks their types and shapes.
///
/// This is the validation boundary for sizes: the kernels trust what comes out of here.
struct WeightBinder {
    let file: GGUFFile

    /// Whether the file has a tensor.
    func has(_ name: String) -> Bool { file.tensor(name) != nil }

    /// The rows of a tensor of two dimensions; 0 where there is none such.
    func rowCount(_ name: String) -> Int {
        guard let shape = file.tensor(name)?.shape, shape.count >= 2 else { return 0 }
        return shape[1]
    }

    private func tensor(_ name: String, shape: [Int]) throws(EngineError) -> GGUFTensor {
        guard let tensor = file.tensor(name) else {
            throw EngineError(
                .missingTensor,
                "tensor \(name) is missing: the model needs it with shape \(Self.text(shape)); the file is incomplete or of another architecture than it says",
                field: name)
        }
        guard Self.trimmed(tensor.shape) == Self.trimmed(shape) else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has shape \(Self.text(tensor.shape)) but the metadata calls for \(Self.text(shape))",
                field: name)
        }
        return tensor
    }

    /// Trailing dimensions of 1 mean nothing: writers differ in whether they keep them.
    private static func trimmed(_ shape: [Int]) -> ArraySlice<Int> {
        var slice = shape[...]
        while slice.count > 1, slice.last == 1 { slice.removeLast() }
        return slice
    }

    private static func text(_ shape: [Int]) -> String {
        "[" + shape.map(String.init).joined(separator: ", ") + "]"
    }

    private func kernelType(_ tensor: GGUFTensor) throws(EngineError) -> Int32 {
        let type = Int32(bitPattern: tensor.type.rawValue)
        guard leap_activation_kind(type) >= 0 else {
            throw EngineError(
                .unsupportedTensorType,
                "tensor \(tensor.name) is of type \(tensor.type.name), which cannot be computed with",
                field: tensor.name)
        }
        return type
    }

    private func base(_ tensor: GGUFTensor) throws(EngineError) -> UnsafeRawPointer {
        guard let base = tensor.data.baseAddress, tensor.data.count >= tensor.byteCount else {
            throw EngineError(
                .invalidTensor, "tensor \(tensor.name) has no data: the file holds the vocabulary only",
                field: tensor.name)
        }
        return base
    }

    /// A matrix that must be there; `bias: true` looks for its bias too.
    func matrix(_ name: String, rows: Int, columns: Int, bias: Bool = false) throws(EngineError) -> WeightMatrix {
        let tensor = try tensor("\(name).weight", shape: [columns, rows])
        return WeightMatrix(
            data: try base(tensor), type: try kernelType(tensor), rows: rows, columns: columns,
            rowBytes: tensor.rowByteCount, bias: bias ? try optionalVector("\(name).bias", count: rows) : nil)
    }

    /// The filters of a convolution that does not overlap, as a matrix with one row for each of them.
    ///
    /// - Parameter filter: the filter's dimensions, the fastest first.
    func filters(_ name: String, count: Int, filter: [Int], bias: Bool = false) throws(EngineError) -> WeightMatrix {
        let tensor = try tensor("\(name).weight", shape: filter + [count])
        let columns = filter.reduce(1, *)
        // Of types with blocks of several elements a filter's rows may end within a block.
        guard tensor.type == .f32 || tensor.type == .f16 || tensor.type == .bf16 else {
            throw EngineError(
                .unsupportedTensorType,
                "tensor \(name).weight is of type \(tensor.type.name): filters of a convolution have to be F32, F16 or BF16",
                field: "\(name).weight")
        }
        return WeightMatrix(
            data: try base(tensor), type: try kernelType(tensor), rows: count, columns: columns,
            rowBytes: tensor.byteCount / count, bias: bias ? try optionalVector("\(name).bias", count: count) : nil)
    }

    /// A matrix that may be missing.
    func optionalMatrix(_ name: String, rows: Int, columns: Int) throws(EngineError) -> WeightMatrix? {
        has("\(name).weight") ? try matrix(name, rows: rows, columns: columns) : nil
    }

    /// The matrices of a stack, one for each expert, all of the same shape.
    func stack(_ name: String, count: Int, rows: Int, columns: Int) throws(EngineError) -> [WeightMatrix] {
        let tensor = try tensor("\(name).weight", shape: [columns, rows, count])
        let type = try kernelType(tensor)
        let base = try base(tensor)
        return (0..<count).map { index in
            WeightMatrix(
                data: base + index * rows * tensor.rowByteCount, type: type, rows: rows, columns: columns,
                rowBytes: tensor.rowByteCount)
        }
    }

    /// Floats that must be there, in any type: used in place if F32, converted otherwise.
    func vector(_ name: String, count: Int) throws(EngineError) -> FloatVector {
        try floats(name, shape: [count])
    }

    /// Floats that may be missing.
    func optionalVector(_ name: String, count: Int) throws(EngineError) -> FloatVector? {
        has(name) ? try vector(name, count: count) : nil
    }

    /// A small table of floats of any shape, as ``vector(_:count:)``.
    func floats(_ name: String, shape: [Int]) throws(EngineError) -> FloatVector {
        let tensor = try tensor(name, shape: shape)
        let type = try kernelType(tensor)
        let base = try base(tensor)
        let count = tensor.elementCount
        if tensor.type == .f32, Int(bitPattern: base) % MemoryLayout<Float>.alignment == 0 {
            return FloatVector(borrowing: base.assumingMemoryBound(to: Float.self), count: count)
        }
        let row = max(tensor.shape.first ?? count, 1)
        return FloatVector(count: count) { out in
            for r in 0..<count / row {
                leap_dequantize_row(type, base + r * tensor.rowByteCount, out + r * row, Int64(row))
            }
        }
    }
}
