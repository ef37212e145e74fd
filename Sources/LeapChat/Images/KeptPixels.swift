import LeapBase
import LeapVision

/// The pixels of the latest pictures and frames, as encoders take them.
package final class KeptPixels: Sendable {
    private let values = Locked(
        LatestValues<[UInt8], [RGBImage]>(maxBytes: KeptMedia.maxInputBytes) { images in
            images.reduce(0) { $0 + $1.bytes.count }
        })

    package init() {}

    /// Returns the images of a key; nil where they are not kept.
    func use(_ key: [UInt8]) -> [RGBImage]? { values.withLock { $0.use(key) } }

    /// Keeps the images of a key.
    func keep(_ images: [RGBImage], for key: [UInt8]) { values.withLock { $0.keep(images, for: key) } }
}
