/// The picture that the scripts of the vision fixtures make too: no file is needed for it.
package enum PatternImage {
    /// Red, green and blue at a place.
    package static func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        [UInt8(x * y / 7 % 256), UInt8((x * 3 + y * y) % 256), UInt8((x / 9 * 50 + y / 5 * 70) % 256)]
    }

    /// All pixels, row by row.
    package static func bytes(width: Int, height: Int) -> [UInt8] {
        (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
    }
}
