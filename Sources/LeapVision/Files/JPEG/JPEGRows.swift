/// A component's rows, widened to the image's columns and rows.
///
/// Halved components are interpolated between the two nearest samples in each halved direction, weighted 3 to 1; components that are
/// reduced otherwise are repeated. That is libjpeg's "fancy upsampling" with its roundings.
struct JPEGRows {
    private enum Method {
        case copy
        case halvedColumns
        case halvedRows
        case halvedBoth
        case repeated
    }

    private let plane: [UInt8]
    private let component: JPEGComponent
    private let stride: Int
    private let method: Method
    /// Columns of the image.
    private let width: Int

    init(_ plane: [UInt8], _ component: JPEGComponent, width: Int) {
        self.plane = plane
        self.component = component
        self.width = width
        stride = 8 * component.blockColumns
        switch (component.horizontalRatio, component.verticalRatio) {
        case (1, 1): method = .copy
        case (2, 1): method = component.width > 2 ? .halvedColumns : .repeated
        case (1, 2): method = .halvedRows
        case (2, 2): method = component.width > 2 ? .halvedBoth : .repeated
        default: method = .repeated
        }
    }

    /// Writes the image's row `y` to `line`, which has a byte for each column.
    func write(_ y: Int, to line: inout [UInt8]) {
        let row = y / component.verticalRatio
        let start = row * stride
        switch method {
        case .copy:
            for x in 0..<width { line[x] = plane[start + x] }
        case .repeated:
            let ratio = component.horizontalRatio
            for x in 0..<width { line[x] = plane[start + x / ratio] }
        case .halvedColumns:
            widen(to: &line, round: (1, 2), shift: 2) { Int32(plane[start + $0]) }
        case .halvedRows:
            let other = neighbour(of: row, isUpper: y % 2 == 0) * stride
            let rounding: Int32 = y % 2 == 0 ? 1 : 2
            for x in 0..<width {
                line[x] = UInt8((3 * Int32(plane[start + x]) + Int32(plane[other + x]) + rounding) >> 2)
            }
        case .halvedBoth:
            let other = neighbour(of: row, isUpper: y % 2 == 0) * stride
            widen(to: &line, round: (8, 7), shift: 4) { 3 * Int32(plane[start + $0]) + Int32(plane[other + $0]) }
        }
    }

    /// The row on the other side; at an edge the row itself.
    private func neighbour(of row: Int, isUpper: Bool) -> Int {
        isUpper ? max(0, row - 1) : min(component.height - 1, row + 1)
    }

    /// Two columns out of each sample: three parts of it and one of its neighbour to the left, or to the right.
    @inline(__always)
    private func widen(
        to line: inout [UInt8], round: (left: Int32, right: Int32), shift: Int32, sample: (Int) -> Int32
    ) {
        let count = component.width
        var (previous, this) = (sample(0), sample(0))
        for index in 0..<count {
            let next = index + 1 < count ? sample(index + 1) : this
            line[2 * index] = UInt8(truncatingIfNeeded: (3 * this + previous + round.left) >> shift)
            if 2 * index + 1 < width {
                line[2 * index + 1] = UInt8(truncatingIfNeeded: (3 * this + next + round.right) >> shift)
            }
            (previous, this) = (this, next)
        }
    }
}
