/// The prediction that rows of a PNG file are stored with (chapter 9 of the specification).
enum PNGFilter {
    /// Adds the prediction to a row in place.
    static func undo(_ filter: UInt8, _ row: inout [UInt8], previous: [UInt8], pixelBytes: Int) {
        switch filter {
        case 1:
            for index in pixelBytes..<max(pixelBytes, row.count) { row[index] &+= row[index - pixelBytes] }
        case 2:
            for index in row.indices { row[index] &+= previous[index] }
        case 3:
            for index in row.indices {
                let left = index < pixelBytes ? 0 : Int(row[index - pixelBytes])
                row[index] &+= UInt8(truncatingIfNeeded: (left + Int(previous[index])) >> 1)
            }
        case 4:
            for index in row.indices {
                let left = index < pixelBytes ? 0 : Int(row[index - pixelBytes])
                let upperLeft = index < pixelBytes ? 0 : Int(previous[index - pixelBytes])
                row[index] &+= paeth(left, Int(previous[index]), upperLeft)
            }
        default: break
        }
    }

    private static func paeth(_ left: Int, _ upper: Int, _ upperLeft: Int) -> UInt8 {
        let estimate = left + upper - upperLeft
        let (toLeft, toUpper) = (abs(estimate - left), abs(estimate - upper))
        let toUpperLeft = abs(estimate - upperLeft)
        if toLeft <= toUpper, toLeft <= toUpperLeft { return UInt8(left) }
        return UInt8(toUpper <= toUpperLeft ? upper : upperLeft)
    }
}
