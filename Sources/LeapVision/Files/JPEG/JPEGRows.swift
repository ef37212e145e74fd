/// A component's rows, widened to the image's columns and rows.
///
/// Halved components are interpolated between the two nearest samples in each halved direction, weighted 3 to 1;
/// components that are reduced otherwise are repeated. That is libjpeg's "fancy upsampling" with its roundings.
struct JPEGRows {
    private enum Method {
        case copy
        case halvedColumns
        case halvedRows
        case halvedBoth
        case repeated
    }

    private let plane: JPEGBuffer<UInt8>
    private let component: JPEGComponent
    private let stride: Int
    private let method: Method
    /// Columns of the image.
    private let width: Int
    /// A row with the row next to it, and its first and last sample once more at its ends.
    private let sums: JPEGBuffer<Int16>
    /// Rows that the plane has room for, in turn.
    private let room: Int

    /// - Parameter planeRows: how many rows of units the plane has room for, in turn.
    init(_ plane: JPEGBuffer<UInt8>, planeRows: Int, _ component: JPEGComponent, width: Int) {
        self.plane = plane
        self.component = component
        self.width = width
        stride = 8 * component.blockColumns
        room = 8 * component.vertical * planeRows
        sums = JPEGBuffer(count: component.width + 2, repeating: 0)
        switch (component.horizontalRatio, component.verticalRatio) {
        case (1, 1): method = .copy
        case (2, 1): method = component.width > 2 ? .halvedColumns : .repeated
        case (1, 2): method = .halvedRows
        case (2, 2): method = component.width > 2 ? .halvedBoth : .repeated
        default: method = .repeated
        }
    }

    /// True if rows are made of two rows of samples.
    var needsNeighbours: Bool { method == .halvedRows || method == .halvedBoth }

    /// Returns the address of a row of samples.
    private func samples(_ row: Int) -> UnsafePointer<UInt8> { UnsafePointer(plane.pointer + row % room &* stride) }

    /// The image's row `y`, a sample for each column: written to `line`, which has one more byte than columns, or where
    /// it is already.
    func row(_ y: Int, _ line: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt8> {
        let row = y / component.verticalRatio
        let near = samples(row)
        switch method {
        case .copy: return near
        case .repeated:
            let ratio = component.horizontalRatio
            for x in 0..<width { line[x] = near[x / ratio] }
        case .halvedColumns:
            let count = component.width
            for x in 0..<count { sums.pointer[x + 1] = Int16(near[x]) }
            widen(to: line, round: (1, 2), shift: 2)
        case .halvedRows:
            let far = neighbour(of: row, isUpper: y % 2 == 0)
            let rounding: Int16 = y % 2 == 0 ? 1 : 2
            for x in 0..<width {
                line[x] = UInt8(truncatingIfNeeded: (3 &* Int16(near[x]) &+ Int16(far[x]) &+ rounding) &>> 2)
            }
        case .halvedBoth:
            let far = neighbour(of: row, isUpper: y % 2 == 0)
            let count = component.width
            for x in 0..<count { sums.pointer[x + 1] = 3 &* Int16(near[x]) &+ Int16(far[x]) }
            widen(to: line, round: (8, 7), shift: 4)
        }
        return UnsafePointer(line)
    }

    /// The row on the other side; at an edge the row itself.
    private func neighbour(of row: Int, isUpper: Bool) -> UnsafePointer<UInt8> {
        samples(isUpper ? max(0, row - 1) : min(component.height - 1, row + 1))
    }

    /// Two columns out of each sum: three parts of it and one of its neighbour to the left, or to the right.
    @inline(__always)
    private func widen(to line: UnsafeMutablePointer<UInt8>, round: (left: Int16, right: Int16), shift: Int16) {
        let (count, sums) = (component.width, sums.pointer)
        sums[0] = sums[1]
        sums[count + 1] = sums[count]
        for index in 0..<count {
            let three = 3 &* sums[index &+ 1]
            line[2 &* index] = UInt8(truncatingIfNeeded: (three &+ sums[index] &+ round.left) &>> shift)
            line[2 &* index &+ 1] = UInt8(truncatingIfNeeded: (three &+ sums[index &+ 2] &+ round.right) &>> shift)
        }
    }
}
