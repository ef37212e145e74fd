/// Vectors of one length that follow one another in scratch memory, `[count][length]`: what layers take and return.
///
/// They are valid until the buffer they lie in is asked for again; see ``Workspace``.
struct Rows {
    /// The first vector.
    let base: UnsafeMutablePointer<Float>
    /// Vectors; one for each token of a batch, as a rule.
    let count: Int
    /// Floats of one vector.
    let length: Int

    /// A vector.
    func row(_ index: Int) -> UnsafeMutablePointer<Float> { base + index * length }

    /// The same floats as `parts` times as many vectors.
    func split(into parts: Int) -> Rows { Rows(base: base, count: count * parts, length: length / parts) }

    /// Some of the vectors, in place.
    func slice(_ range: Range<Int>) -> Rows { Rows(base: row(range.lowerBound), count: range.count, length: length) }

    /// Moves some of the vectors to the front.
    ///
    /// - Parameter kept: their indices in ascending order.
    func compacted(to kept: [Int]) -> Rows {
        for (index, old) in kept.enumerated() where index != old { row(index).update(from: row(old), count: length) }
        return Rows(base: base, count: kept.count, length: length)
    }
}
