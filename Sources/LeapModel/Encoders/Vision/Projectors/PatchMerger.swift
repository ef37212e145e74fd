/// Squares of patches side by side in one vector, a norm where there is one, and two products with GELU between them.
package struct PatchMerger: Sendable {
    /// Patches of a square's side.
    package let factor: Int
    package let norm: Norm?
    package let first: Matrix
    package let second: Matrix

    /// - Parameters:
    ///   - first: the name of the first product.
    ///   - second: the name of the second, with `output` rows.
    ///   - length: elements of a patch's vector.
    init(
        _ binder: WeightBinder, _ first: String, _ second: String, norm: Norm?, factor: Int, length: Int, output: Int
    ) throws {
        let inner = max(1, binder.rowCount("\(first).weight"))
        (self.factor, self.norm) = (factor, norm)
        self.first = try binder.matrix(first, rows: inner, columns: length * factor * factor, bias: true)
        self.second = try binder.matrix(second, rows: output, columns: inner, bias: true)
    }
}
