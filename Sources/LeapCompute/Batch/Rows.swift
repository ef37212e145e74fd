/// Vectors of one length that follow one another in scratch memory, `[count][length]`: what layers take and return.
///
/// They are valid until what made them computes again.
package struct Rows {
    /// The first vector.
    package let base: UnsafeMutablePointer<Float>
    /// Vectors; one for each token of a batch, as a rule.
    package let count: Int
    /// Floats of one vector.
    package let length: Int

    package init(base: UnsafeMutablePointer<Float>, count: Int, length: Int) {
        self.base = base
        self.count = count
        self.length = length
    }

    /// A vector.
    package func row(_ index: Int) -> UnsafeMutablePointer<Float> { base + index * length }

    /// All floats.
    package var values: UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(start: base, count: count * length)
    }

    /// The same floats as `parts` times as many vectors.
    package func split(into parts: Int) -> Rows { Rows(base: base, count: count * parts, length: length / parts) }

    /// Some of the vectors, in place.
    package func slice(_ range: Range<Int>) -> Rows {
        Rows(base: row(range.lowerBound), count: range.count, length: length)
    }

    /// Moves some of the vectors to the front.
    ///
    /// - Parameter kept: their indices in ascending order.
    package func compacted(to kept: [Int]) -> Rows {
        for (index, old) in kept.enumerated() where index != old { row(index).update(from: row(old), count: length) }
        return Rows(base: base, count: kept.count, length: length)
    }
}
