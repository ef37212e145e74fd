/// The work of a run of a kernel, or of several, from which its time is forecast.
package struct GPUWork: Equatable, Sendable {
    /// Floating-point operations outside of matrix units.
    package var flops: Double
    /// Floating-point operations of matrix units.
    package var tileFlops: Double
    /// Bytes read and written, each once: what caches give a second time is not counted.
    package var bytes: Double

    package init(flops: Double = 0, tileFlops: Double = 0, bytes: Double = 0) {
        (self.flops, self.tileFlops, self.bytes) = (flops, tileFlops, bytes)
    }

    package static func + (one: Self, other: Self) -> Self {
        Self(
            flops: one.flops + other.flops, tileFlops: one.tileFlops + other.tileFlops,
            bytes: one.bytes + other.bytes)
    }

    package static func += (sum: inout Self, other: Self) { sum = sum + other }

    /// The same work so many times.
    package static func * (one: Self, count: Int) -> Self {
        let count = Double(count)
        return Self(flops: one.flops * count, tileFlops: one.tileFlops * count, bytes: one.bytes * count)
    }
}

/// The work of kernels by their shapes.
extension GPUWork {
    /// Bytes of a float.
    private static let floatBytes = 4.0
    /// Operations that a kernel is counted with for each element, if it computes elements by themselves: an exponential
    /// function costs about as much.
    private static let elementFlops = 8.0

    /// The work of a kernel that reads elements of all its buffers but one, and writes as many to that one.
    ///
    /// - Parameters:
    ///   - count: the elements that it writes.
    ///   - buffers: its buffers.
    static func elements(_ count: Int, buffers: Int) -> Self {
        Self(flops: elementFlops * Double(count), bytes: floatBytes * Double(count) * Double(buffers))
    }

    /// The work of products of a matrix with vectors.
    ///
    /// - Parameters:
    ///   - rows: the matrix's rows.
    ///   - columns: the elements of a row.
    ///   - rowByteCount: the bytes of a row.
    ///   - vectors: the number of vectors.
    ///   - usesMatrixUnits: whether matrix units multiply.
    static func product(
        rows: Int, columns: Int, rowByteCount: Int, vectors: Int, usesMatrixUnits: Bool = false
    ) -> Self {
        let flops = 2 * Double(rows) * Double(columns) * Double(vectors)
        let bytes = Double(rows) * Double(rowByteCount) + floatBytes * Double(vectors) * Double(rows + columns)
        return usesMatrixUnits ? Self(tileFlops: flops, bytes: bytes) : Self(flops: flops, bytes: bytes)
    }

    /// The work of products of entries with the matrices of experts.
    ///
    /// - Parameters:
    ///   - rows: the rows of an expert's matrix.
    ///   - columns: the elements of a row.
    ///   - rowByteCount: the bytes of a row.
    ///   - entries: the entries, each of which goes to one expert.
    ///   - experts: the experts that there are.
    static func experts(rows: Int, columns: Int, rowByteCount: Int, entries: Int, experts: Int) -> Self {
        var work = product(rows: rows, columns: columns, rowByteCount: 0, vectors: entries)
        work.bytes += Double(min(entries, experts)) * Double(rows) * Double(rowByteCount)
        return work
    }

    /// The work of attention of rows to positions: two operations for each element of a key and of a value.
    ///
    /// - Parameters:
    ///   - heads: the heads of queries.
    ///   - headLength: the elements of a head.
    ///   - rows: the rows that attend.
    ///   - positions: the positions that a row sees, at most.
    ///   - byteCount: the bytes of a key or a value, all heads of it.
    static func attention(heads: Int, headLength: Int, rows: Int, positions: Int, byteCount: Int) -> Self {
        let elements = Double(rows) * Double(heads * headLength)
        return Self(
            flops: 4 * elements * Double(positions),
            bytes: 2 * Double(positions) * Double(byteCount) + 2 * floatBytes * elements)
    }

    /// The work of a recurrence, whose tokens change the states of their sequences one after the other.
    ///
    /// - Parameters:
    ///   - stateCount: the floats of a sequence's state.
    ///   - rows: the tokens of all sequences.
    ///   - rowLength: the floats of a token that are read and written.
    ///   - sequences: the number of sequences.
    static func recurrence(stateCount: Int, rows: Int, rowLength: Int, sequences: Int) -> Self {
        Self(
            flops: elementFlops * Double(stateCount) * Double(rows),
            bytes: floatBytes * (2 * Double(stateCount) * Double(sequences) + Double(rows) * Double(rowLength)))
    }
}
