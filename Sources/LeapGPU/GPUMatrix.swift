import LeapGGUF

/// A matrix where a device reads it.
struct GPUMatrix {
    /// As many of the rows as one binding can cover.
    struct Part {
        let binding: GPUBinding
        /// Where the first row starts in the binding, in 16-bit words.
        let start: Int
        /// Which rows of the matrix they are.
        let rows: Range<Int>
    }

    let type: GGUFTensorType
    let rows: Int
    let columns: Int
    let rowByteCount: Int
    let parts: [Part]
}

/// The gains of a norm, and what keeps it from dividing by zero.
struct GPUNorm {
    let gains: GPUBinding
    let epsilon: Float
}
