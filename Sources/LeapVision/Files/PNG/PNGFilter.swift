/// The prediction that rows of a PNG file are stored with (chapter 9 of the specification).
enum PNGFilter {
    /// Adds the prediction to a row in place.
    static func undo(_ filter: UInt8, _ row: inout [UInt8], previous: [UInt8], pixelBytes: Int) {
        guard row.count == previous.count else { return }
        let first = min(pixelBytes, row.count)
        let count = row.count
        switch filter {
        case 1:
            for index in first..<count { row[index] &+= row[index - pixelBytes] }
        case 2:
            for index in 0..<count { row[index] &+= previous[index] }
        case 3:
            for index in 0..<first { row[index] &+= previous[index] >> 1 }
            for index in first..<count {
                let sum = Int32(row[index - pixelBytes]) &+ Int32(previous[index])
                row[index] &+= UInt8(truncatingIfNeeded: sum >> 1)
            }
        case 4:
            for index in 0..<first { row[index] &+= previous[index] }
            for index in first..<count {
                row[index] &+= paeth(
                    Int32(row[index - pixelBytes]), Int32(previous[index]), Int32(previous[index - pixelBytes]))
            }
        default: break
        }
    }

    @inline(__always)
    private static func paeth(_ left: Int32, _ upper: Int32, _ upperLeft: Int32) -> UInt8 {
        let (toLeft, toUpper) = (abs(upper &- upperLeft), abs(left &- upperLeft))
        let toUpperLeft = abs(left &+ upper &- upperLeft &- upperLeft)
        let nearest = toLeft <= toUpper && toLeft <= toUpperLeft ? left : toUpper <= toUpperLeft ? upper : upperLeft
        return UInt8(truncatingIfNeeded: nearest)
    }
}
