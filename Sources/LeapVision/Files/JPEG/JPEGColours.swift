/// Turns the components of a JPEG image into red, green and blue.
enum JPEGColours {
    enum Model: Equatable {
        case grey, rgb, yCbCr
        /// Cyan, magenta, yellow and black; Adobe's programs store them inverted.
        case inks(isYCCK: Bool, isInverted: Bool)
    }

    static func convert(_ planes: [[UInt8]], _ frame: JPEGFrame, _ model: Model) -> RGBImage {
        let (width, height) = (frame.width, frame.height)
        var bytes = [UInt8](repeating: 0, count: 3 * width * height)
        let rows = zip(planes, frame.components).map { JPEGRows($0, $1, width: width) }
        var lines = rows.map { _ in [UInt8](repeating: 0, count: width) }
        for y in 0..<height {
            for index in rows.indices { rows[index].write(y, to: &lines[index]) }
            write(lines, model, to: &bytes, at: 3 * y * width, width: width)
        }
        return RGBImage(width: width, height: height, bytes: bytes)
    }

    private static func write(
        _ lines: [[UInt8]], _ model: Model, to bytes: inout [UInt8], at start: Int, width: Int
    ) {
        var place = start
        switch model {
        case .grey:
            let line = lines[0]
            for x in 0..<width {
                let value = line[x]
                bytes[place] = value
                bytes[place + 1] = value
                bytes[place + 2] = value
                place += 3
            }
        case .rgb:
            let (red, green, blue) = (lines[0], lines[1], lines[2])
            for x in 0..<width {
                bytes[place] = red[x]
                bytes[place + 1] = green[x]
                bytes[place + 2] = blue[x]
                place += 3
            }
        case .yCbCr:
            let (luma, blues, reds) = (lines[0], lines[1], lines[2])
            for x in 0..<width {
                let (red, green, blue) = rgb(luma[x], blues[x], reds[x])
                bytes[place] = red
                bytes[place + 1] = green
                bytes[place + 2] = blue
                place += 3
            }
        case .inks(let isYCCK, let isInverted):
            for x in 0..<width {
                var inks = (lines[0][x], lines[1][x], lines[2][x])
                if isYCCK {
                    let (red, green, blue) = rgb(inks.0, inks.1, inks.2)
                    inks = (255 - red, 255 - green, 255 - blue)
                }
                // How much light each leaves.
                let flip: UInt8 = isInverted ? 0 : 255
                let black = lines[3][x] ^ flip
                bytes[place] = light(inks.0 ^ flip, black)
                bytes[place + 1] = light(inks.1 ^ flip, black)
                bytes[place + 2] = light(inks.2 ^ flip, black)
                place += 3
            }
        }
    }

    private static func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }

    private static let redOfRed = fixed(1.402)
    private static let greenOfBlue = fixed(0.34414)
    private static let greenOfRed = fixed(0.71414)
    private static let blueOfBlue = fixed(1.772)

    /// JFIF's colours (ITU-T T.871, 7), with 16 bits behind the point.
    @inline(__always)
    private static func rgb(_ luma: UInt8, _ blues: UInt8, _ reds: UInt8) -> (UInt8, UInt8, UInt8) {
        let (y, cb, cr) = (Int32(luma), Int32(blues) - 128, Int32(reds) - 128)
        let red = y + (redOfRed * cr + 32_768) >> 16
        let green = y + (-greenOfBlue * cb - greenOfRed * cr + 32_768) >> 16
        let blue = y + (blueOfBlue * cb + 32_768) >> 16
        return (clamp(red), clamp(green), clamp(blue))
    }

    @inline(__always)
    private static func clamp(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value))) }

    /// The light that an ink and black leave together: what black leaves, less the ink's share of it, rounded.
    private static func light(_ ink: UInt8, _ black: UInt8) -> UInt8 {
        let product = Int(255 - ink) * Int(black) + 128
        return UInt8(Int(black) - (product + product >> 8) >> 8)
    }
}
