import LeapTestSupport
import LeapVision

/// Pictures as PNG files.
enum PNGFile {
    /// - Parameter pixel: red, green and blue at a place.
    static func bytes(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> [UInt8] {
        PNGWriter.bytes(width: width, height: height, pixel: pixel)
    }

    /// The picture that the script of the vision fixtures makes.
    static func pattern(width: Int, height: Int) -> [UInt8] {
        bytes(width: width, height: height, pixel: PatternImage.pixel)
    }
}
