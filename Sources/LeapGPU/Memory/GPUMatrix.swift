import LeapGGUF
import LeapModel

/// A matrix where a device reads it.
struct GPUMatrix {
    /// As many of the rows as one binding can cover.
    struct RowSlice {
        let binding: GPUBinding
        /// The start of the first row in the binding, in 16-bit words.
        let start: Int
        /// Their indices among the matrix's rows.
        let rows: Range<Int>
    }

    /// Two matrices of one shape in one binding.
    struct Pair {
        let binding: GPUBinding
        /// The start of the one in the binding, in 16-bit words.
        let first: Int
        let second: Int

        /// Nil where no binding covers both.
        init?(_ one: GPUMatrix, _ other: GPUMatrix, _ properties: GPUProperties) {
            guard one.type == other.type, one.rows == other.rows, one.columns == other.columns, one.slices.count == 1,
                other.slices.count == 1, one.slices[0].binding.buffer === other.slices[0].binding.buffer
            else { return nil }
            let (a, b) = (one.slices[0], other.slices[0])
            let start = min(a.binding.range.lowerBound, b.binding.range.lowerBound)
            let end = max(a.binding.range.upperBound, b.binding.range.upperBound)
            guard end - start <= properties.bindingByteCount else { return nil }
            binding = GPUBinding(a.binding.buffer, start..<end)
            first = (a.binding.range.lowerBound - start) / 2 + a.start
            second = (b.binding.range.lowerBound - start) / 2 + b.start
        }
    }

    let type: GGUFTensorType
    let rows: Int
    /// Elements of a row where the device reads it: a multiple of ``GPUKernel/unit``, with zeros behind those of the
    /// file.
    let columns: Int
    let rowByteCount: Int
    let slices: [RowSlice]
    /// The bounds to which inputs are cut before the product, and outputs behind it; nil where they are not.
    var bounds: MatrixBounds?
}

/// The gains of a norm, and what keeps it from dividing by zero.
struct GPUNorm {
    let gains: GPUBinding
    let epsilon: Float
    /// True for a layer norm, which takes the mean away first.
    var isCentred = false
    /// The bias of a layer norm; nil without one.
    var bias: GPUBinding?
}
