import ArgumentParser
import LeapVision

/// The size of a picture in pixels, as an option takes it.
package struct ImageSize: Sendable {
    package var width: Int
    package var height: Int

    /// Reads "640x480".
    ///
    /// - Throws: `ValidationError` for what is no size, or more pixels than are read.
    init(text: String) throws {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (1...65_535).contains(width), (1...65_535).contains(height), width * height <= ImageLimits().maxPixels
        else {
            throw ValidationError(
                "--image \(text): give a width and a height, such as 640x480, with at most \(ImageLimits().maxPixels) pixels"
            )
        }
        (self.width, self.height) = (width, height)
    }
}
