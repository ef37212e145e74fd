import LeapVision

/// Writes pictures as sixels: bands of six rows, for each colour of a band the pixels that have it.
enum SixelEncoder {
    /// The steps of red, green and blue each: 216 colours, of 256 that terminals have.
    private static let levels = 6

    static func text(of image: RGBImage) -> String {
        let indices = (0..<image.width * image.height).map { colour(image.bytes[3 * $0..<3 * $0 + 3]) }
        // Square pixels, and the size.
        var text = "\u{1B}Pq\"1;1;\(image.width);\(image.height)"
        for index in Set(indices).sorted() {
            let parts = [index / 36, index / 6 % 6, index % 6].map { String($0 * 100 / (levels - 1)) }
            text += "#\(index);2;" + parts.joined(separator: ";")
        }
        for top in stride(from: 0, to: image.height, by: 6) {
            if top > 0 { text += "-" }
            let rows = top..<min(top + 6, image.height)
            let used = Set(indices[rows.lowerBound * image.width..<rows.upperBound * image.width]).sorted()
            for (number, index) in used.enumerated() {
                // Back to the band's begin, for the next colour.
                if number > 0 { text += "$" }
                text += "#\(index)"
                text += line(of: index, in: rows, width: image.width, indices)
            }
        }
        return text + "\u{1B}\\"
    }

    private static func colour(_ pixel: ArraySlice<UInt8>) -> Int {
        pixel.reduce(0) { $0 * levels + (Int($1) * (levels - 1) + 127) / 255 }
    }

    /// A character for each column with a bit for each row, the highest row first; runs are counted.
    private static func line(of index: Int, in rows: Range<Int>, width: Int, _ indices: [Int]) -> String {
        var masks = (0..<width).map { column in
            rows.enumerated().reduce(0) { mask, row in
                indices[row.element * width + column] == index ? mask | 1 << row.offset : mask
            }
        }
        while masks.last == 0 { masks.removeLast() }
        var text = ""
        var start = 0
        while start < masks.count {
            let end = masks[start...].firstIndex { $0 != masks[start] } ?? masks.count
            let character = String(UnicodeScalar(UInt8(63 + masks[start])))
            text += end - start > 3 ? "!\(end - start)\(character)" : String(repeating: character, count: end - start)
            start = end
        }
        return text
    }
}
