extension RopeSpecification {
    /// A rotation by rows and columns of a grid: the first half of the pairs turns by the row, the second by the
    /// column, both with the same frequencies.
    ///
    /// - Parameter dimensions: elements of a head; a multiple of 4.
    static func grid(base: Float, dimensions: Int) -> RopeSpecification {
        var rope = RopeSpecification(base: base, dimensions: dimensions, interleaved: false)
        rope.isRepeated = true
        rope.axes = (0..<dimensions / 2).map { $0 < dimensions / 4 ? 1 : 2 }
        return rope
    }
}
