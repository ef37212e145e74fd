import LeapVision
import Testing

/// Small pictures for people to look at.
struct PreviewTests {
    @Test("A picture that is written as PNG is read as the same", arguments: [1, 2, 7, 129], [1, 3, 200])
    func roundTrip(width: Int, height: Int) throws {
        let image = RGBImage(
            width: width, height: height,
            bytes: (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 7) })
        #expect(try RGBImage(file: image.pngFile) == image)
    }

    @Test("Pictures are made smaller with their proportions, each side a pixel at least")
    func fitted() {
        let image = RGBImage(width: 400, height: 100, bytes: Array(repeating: 200, count: 120_000))
        let small = image.fitted(width: 100, height: 100)
        #expect(small == RGBImage(width: 100, height: 25, bytes: Array(repeating: 200, count: 7500)))
        #expect(image.fitted(width: 400, height: 100) == image)
        #expect(image.fitted(width: 2, height: 100).height == 1)
    }
}
