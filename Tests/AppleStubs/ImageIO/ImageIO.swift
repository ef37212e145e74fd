// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import AppleFoundation
import CoreGraphics
@_exported import Foundation

public final class CGImageSource {}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
public func CGImageSourceCopyPropertiesAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? { nil }
public func CGImageSourceCreateThumbnailAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }

nonisolated(unsafe) public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache" as NSString
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
    "kCGImageSourceCreateThumbnailFromImageAlways" as NSString
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailWithTransform: CFString =
    "kCGImageSourceCreateThumbnailWithTransform" as NSString
nonisolated(unsafe) public let kCGImageSourceThumbnailMaxPixelSize: CFString =
    "kCGImageSourceThumbnailMaxPixelSize" as NSString
nonisolated(unsafe) public let kCGImagePropertyPixelWidth: CFString = "PixelWidth" as NSString
nonisolated(unsafe) public let kCGImagePropertyPixelHeight: CFString = "PixelHeight" as NSString
