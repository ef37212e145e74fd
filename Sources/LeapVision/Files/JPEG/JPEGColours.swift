import CLeapKernels

/// Turns the components of a JPEG image into red, green and blue.
enum JPEGColours {
    enum Model: Equatable {
        case grey, rgb, yCbCr
        /// Cyan, magenta, yellow and black; Adobe's programs store them inverted.
        case inks(isYCCK: Bool, isInverted: Bool)
    }

    /// Writes the rows of an image in turn.
    ///
    /// - Parameters:
    ///   - planes: samples of all components.
    ///   - planeRows: how many rows of units planes have room for, in turn.
    struct Writer {
        private let rows: [JPEGRows]
        private let model: Model
        private let (width, height): (Int, Int)
        /// Widened rows.
        private let lines: [JPEGBuffer<UInt8>]
        private let pixels: JPEGBuffer<UInt32>
        /// Rows of the image of a row of units.
        private let unitHeight: Int
        /// Rows at the end of a row of units that need the next one.
        private let lag: Int
        private var next = 0

        init(_ planes: [JPEGBuffer<UInt8>], planeRows: Int, _ frame: JPEGFrame, _ model: Model) {
            (width, height, self.model) = (frame.width, frame.height, model)
            rows = zip(planes, frame.components).map { JPEGRows($0, planeRows: planeRows, $1, width: frame.width) }
            // Widened rows may have a column more than the image.
            lines = rows.map { _ in JPEGBuffer<UInt8>(count: frame.width + 1, repeating: 0) }
            pixels = JPEGBuffer(count: frame.width, repeating: 0)
            unitHeight = 8 * (frame.components.map { $0.vertical * $0.verticalRatio }.max() ?? 1)
            lag = rows.contains { $0.needsNeighbours } ? 1 : 0
        }

        /// Writes the rows that are there when so many rows of units are.
        ///
        /// - Parameters:
        ///   - units: all of them, or no more than planes have room for beyond those that were written.
        ///   - bytes: of the whole image.
        mutating func write(units: Int, to bytes: UnsafeMutablePointer<UInt8>) {
            let end = units * unitHeight >= height ? height : units * unitHeight - lag
            while next < end {
                let sources = rows.indices.map { rows[$0].row(next, lines[$0].pointer) }
                JPEGColours.write(sources, model, pixels.pointer, to: bytes + 3 * next * width, width: width)
                next += 1
            }
        }
    }

    static func convert(_ planes: [JPEGBuffer<UInt8>], _ frame: JPEGFrame, _ model: Model) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 3 * frame.width * frame.height) { output, count in
            guard let bytes = output.baseAddress else { return }
            var writer = Writer(planes, planeRows: frame.unitRows, frame, model)
            writer.write(units: frame.unitRows, to: bytes)
            count = 3 * frame.width * frame.height
        }
    }

    /// Writes a row.
    ///
    /// - Parameter pixels: room for a number for each pixel.
    private static func write(
        _ lines: [UnsafePointer<UInt8>], _ model: Model, _ pixels: UnsafeMutablePointer<UInt32>,
        to bytes: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        /// Pixels that a kernel wrote.
        var done = 0
        switch model {
        case .grey:
            let line = lines[0]
            for x in 0..<width { pixels[x] = UInt32(line[x]) &* 0x1_0101 }
        case .rgb:
            let (red, green, blue) = (lines[0], lines[1], lines[2])
            for x in 0..<width { pixels[x] = pixel(red[x], green[x], blue[x]) }
        case .yCbCr:
            let (luma, blues, reds) = (lines[0], lines[1], lines[2])
            if let kernel = leap_jpeg_kernels_current().colours {
                done = Int(kernel(luma, blues, reds, bytes, Int64(width)))
            }
            for x in done..<width {
                let (red, green, blue) = rgb(luma[x], blues[x], reds[x])
                pixels[x] = pixel(red, green, blue)
            }
        case .inks(let isYCCK, let isInverted):
            // How much light each leaves.
            let flip: UInt8 = isInverted ? 0 : 255
            for x in 0..<width {
                var inks = (lines[0][x], lines[1][x], lines[2][x])
                if isYCCK {
                    let (red, green, blue) = rgb(inks.0, inks.1, inks.2)
                    inks = (255 - red, 255 - green, 255 - blue)
                }
                let black = lines[3][x] ^ flip
                pixels[x] = pixel(
                    light(inks.0 ^ flip, black), light(inks.1 ^ flip, black), light(inks.2 ^ flip, black))
            }
        }
        // Four bytes at a time, of which the next pixel covers the last one.
        let output = UnsafeMutableRawPointer(bytes)
        for x in done..<width - 1 {
            output.storeBytes(of: pixels[x].littleEndian, toByteOffset: 3 &* x, as: UInt32.self)
        }
        for channel in 0..<3 {
            bytes[3 * (width - 1) + channel] = UInt8(truncatingIfNeeded: pixels[width - 1] >> (8 * UInt32(channel)))
        }
    }

    @inline(__always)
    private static func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
        UInt32(red) | UInt32(green) &<< 8 | UInt32(blue) &<< 16
    }

    /// JFIF's colours (ITU-T T.871, 7), with 16 bits after the point.
    ///
    /// The whole parts of the factors are apart, as products of numbers of 16 bits are cheap: 1.402 is 1 and 0.402,
    /// 1.772 is 2 less 0.228, and
    /// -0.71414 is -1 and 0.28586.
    @inline(__always)
    private static func rgb(_ luma: UInt8, _ blues: UInt8, _ reds: UInt8) -> (UInt8, UInt8, UInt8) {
        let (y, cb, cr) = (Int16(luma), Int16(blues) &- 128, Int16(reds) &- 128)
        let red = y &+ cr &+ high(Int32(cr) &* 26_345)
        let green = y &- cr &+ high(Int32(cr) &* 18_734 &- Int32(cb) &* 22_554)
        let blue = y &+ cb &+ cb &+ high(Int32(cb) &* -14_942)
        return (clamp(red), clamp(green), clamp(blue))
    }

    /// The upper half of a number, rounded.
    @inline(__always)
    private static func high(_ value: Int32) -> Int16 { Int16(truncatingIfNeeded: (value &+ 32_768) &>> 16) }

    @inline(__always)
    private static func clamp(_ value: Int16) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value))) }

    /// The light that an ink and black leave together: what black leaves, less the ink's share of it, rounded.
    @inline(__always)
    private static func light(_ ink: UInt8, _ black: UInt8) -> UInt8 {
        let product = Int(255 - ink) * Int(black) + 128
        return UInt8(Int(black) - (product + product >> 8) >> 8)
    }
}
