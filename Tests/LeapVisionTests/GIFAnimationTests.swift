import LeapVision
import Testing

/// The images of GIF animations.
struct GIFAnimationTests {
    /// An image of a made animation: its place, its pixels as numbers of colours, and what is told of it.
    private struct Part {
        var left = 0
        var top = 0
        var columns = 2
        let pixels: [UInt8]
        var hundredths = 20
        var disposal: UInt8 = 0
        var transparent: UInt8?
    }

    /// White, black, red and green.
    private static let palette: [UInt8] = [255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0]
    private static let colours: [[UInt8]] = [[255, 255, 255], [0, 0, 0], [255, 0, 0], [0, 255, 0]]

    /// A file of 2 by 2 pixels.
    private static func file(_ parts: [Part]) -> [UInt8] {
        var file = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x81, 0, 0] + palette
        for part in parts {
            file += [
                0x21, 0xF9, 4, part.disposal << 2 | (part.transparent == nil ? 0 : 1), UInt8(part.hundredths), 0,
                part.transparent ?? 0, 0,
            ]
            let rows = part.pixels.count / part.columns
            file += [0x2C, UInt8(part.left), 0, UInt8(part.top), 0, UInt8(part.columns), 0, UInt8(rows), 0, 0]
            // Each pixel behind a code that clears the table, so that all codes have three bits.
            let codes: [UInt8] = part.pixels.flatMap { pixel -> [UInt8] in [4, pixel] } + [5]
            var (bits, count, packed) = (0, 0, [UInt8]())
            for code in codes {
                bits |= Int(code) << count
                count += 3
                while count >= 8 {
                    packed.append(UInt8(bits & 255))
                    (bits, count) = (bits >> 8, count - 8)
                }
            }
            if count > 0 { packed.append(UInt8(bits)) }
            file += [2, UInt8(packed.count)] + packed + [0]
        }
        return file + [0x3B]
    }

    private static func shown(_ file: [UInt8]) throws -> (pictures: [[Int?]], seconds: [Double]) {
        var (pictures, seconds) = ([[Int?]](), [Double]())
        try RGBImage.readAnimation(gif: file) { picture, time in
            #expect(picture.width == 2 && picture.height == 2)
            pictures.append(
                (0..<4).map { place in colours.firstIndex(of: Array(picture.bytes[3 * place..<3 * place + 3])) })
            seconds.append(time)
            return true
        }
        return (pictures, seconds)
    }

    @Test("Each image is painted on the one before, with its time; the first is the one that a picture is")
    func painting() throws {
        let file = Self.file([
            Part(pixels: [1, 2, 3, 0]), Part(left: 1, top: 1, columns: 1, pixels: [2], hundredths: 50),
            Part(pixels: [3, 0, 0, 1], hundredths: 0, transparent: 0),
        ])
        let shown = try Self.shown(file)
        #expect(shown.pictures == [[1, 2, 3, 0], [1, 2, 3, 2], [3, 2, 3, 1]])
        // An image without a time is shown as browsers do.
        #expect(shown.seconds == [0.2, 0.5, 0.1])
        let first = try RGBImage(file: file)
        try RGBImage.readAnimation(gif: file) { picture, _ in
            #expect(picture == first)
            return false
        }
    }

    @Test("An image leaves the picture as it says: with itself, with white, or as it was before")
    func disposal() throws {
        let corner = Part(left: 0, top: 0, columns: 1, pixels: [3])
        var (white, previous) = (corner, corner)
        (white.disposal, previous.disposal) = (2, 3)
        for (part, left) in [(corner, 3), (white, 0), (previous, 1)] {
            let last = Part(left: 1, top: 1, columns: 1, pixels: [2])
            let shown = try Self.shown(Self.file([Part(pixels: [1, 1, 1, 1]), part, last]))
            #expect(shown.pictures == [[1, 1, 1, 1], [3, 1, 1, 1], [left, 1, 1, 2]])
        }
    }

    @Test("Images beyond the edge are cut off; damaged and other files are refused; a closure ends it")
    func edges() throws {
        let beyond = Self.file([Part(pixels: [1, 1, 1, 1]), Part(left: 1, top: 1, pixels: [2, 2, 2, 2])])
        #expect(try Self.shown(beyond).pictures == [[1, 1, 1, 1], [1, 1, 1, 2]])
        // Images that lie beyond the picture as a whole leave it as it is, also when their place becomes white.
        for (left, top) in [(0, 5), (5, 0), (5, 5)] {
            let outside = Self.file([
                Part(pixels: [1, 1, 1, 1]), Part(left: left, top: top, pixels: [2, 2, 2, 2], disposal: 2),
                Part(columns: 1, pixels: [3]),
            ])
            #expect(try Self.shown(outside).pictures == [[1, 1, 1, 1], [1, 1, 1, 1], [3, 1, 1, 1]])
        }
        let whole = Self.file([Part(pixels: [1, 1, 1, 1])])
        // Of the last four bytes, none has pixels that are missed.
        for length in whole.indices.dropLast(3) {
            #expect(throws: ImageFileError.self) { try Self.shown(Array(whole[..<length])) }
        }
        #expect(throws: ImageFileError.self) { try Self.shown([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) }
        var count = 0
        try RGBImage.readAnimation(gif: beyond) { _, _ in
            count += 1
            return false
        }
        #expect(count == 1)
    }

    @Test("An animation of more pixels than are read in all is refused before its end")
    func bounded() throws {
        var parts: [Part] = []
        for _ in 0..<1100 { parts.append(Part(pixels: [1, 1, 1, 1])) }
        var file = Self.file(parts)
        // A picture of 512 by 512, of which each image changes a corner.
        (file[6], file[7], file[8], file[9]) = (0, 2, 0, 2)
        var count = 0
        let error = #expect(throws: ImageFileError.self) {
            try RGBImage.readAnimation(gif: file) { _, _ in
                count += 1
                return true
            }
        }
        #expect(error?.code == .tooLarge)
        #expect((1000...1024).contains(count))
    }
}
