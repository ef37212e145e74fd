package import LeapGGUF

/// A weight matrix as a model's description has it: `rows` outputs of `columns` inputs each, where they lie in the
/// file.
package struct Matrix: Sendable {
    /// The tensor whose rows they are.
    package let source: TensorReference
    /// Bytes of the tensor in front of the first row: fused tensors and stacks hold several matrices one after the
    /// other.
    package let offset: Int
    /// The type in which the elements are stored.
    package let type: GGUFTensorType
    /// The number of outputs.
    package let rows: Int
    /// The number of inputs.
    package let columns: Int
    /// Bytes from one row to the next.
    package let rowByteCount: Int
    /// The factor of the outputs, before the bias: NVFP4 files store one for a whole tensor.
    package var scale: Float = 1
    /// One number for each output that is added to it.
    package var bias: Vector?
    /// The bounds to which inputs are clamped before the product, and outputs after it; nil where they are not.
    package var bounds: MatrixBounds?

    package init(
        _ source: TensorReference, offset: Int = 0, rows: Int, columns: Int, rowByteCount: Int, bias: Vector? = nil
    ) {
        self.source = source
        self.offset = offset
        type = source.tensor.type
        self.rows = rows
        self.columns = columns
        self.rowByteCount = rowByteCount
        self.bias = bias
    }

    /// The place of the first row.
    ///
    /// No other matrix of any open file begins there, but for the output head where it is the embedding table.
    package var place: TensorPlace {
        TensorPlace(file: source.tensor.fileIdentity, offset: source.tensor.fileOffset + offset)
    }

    /// Bytes of all rows.
    package var byteCount: Int { rows * rowByteCount }

    /// Some of the rows, in place.
    package func rows(_ range: Range<Int>) -> Matrix {
        precondition(range.lowerBound >= 0 && range.upperBound <= rows, "rows out of range")
        var part = Matrix(
            source, offset: offset + range.lowerBound * rowByteCount, rows: range.count, columns: columns,
            rowByteCount: rowByteCount, bias: bias.map { $0.slice(range) })
        (part.scale, part.bounds) = (scale, bounds)
        return part
    }
}

/// The least and the largest values that the inputs and outputs of a product may have.
package struct MatrixBounds: Sendable {
    package let input: ClosedRange<Float>
    package let output: ClosedRange<Float>
}
