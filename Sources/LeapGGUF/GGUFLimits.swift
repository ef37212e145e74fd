/// Limits of the files that the reader accepts.
///
/// Every count and size is checked against the file's size first; these keep a file that really is as large as it
/// claims, or is sparse and so costs its maker nothing, from costing its reader seconds.
enum GGUFLimits {
    /// Bytes of a metadata key (GGUF specification: 2^16 - 1).
    static let keyByteCount = 65_535
    /// Bytes of a tensor name.
    ///
    /// The specification says 64; converters for image models write longer ones.
    static let tensorNameByteCount = 255
    /// Dimensions of a tensor (`GGML_MAX_DIMS`).
    static let dimensionCount = 4
    /// Metadata entries of a file; real ones have fewer than a hundred.
    static let keyCount = 65_535
    /// Tensors of a file; the largest mixtures of experts have about 70,000 if every expert is a tensor of its own.
    static let tensorCount = 1 << 18
    /// Arrays within arrays.
    static let arrayDepth = 8
    /// Alignment of tensor data in bytes: any power of two up to this.
    static let alignment = 1 << 24
    /// Bytes of metadata and tensor table together.
    ///
    /// The largest vocabularies take about 20 MB. Positions in the header are kept in 32 bits.
    static let headerByteCount = 1 << 27
}
