// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import AppleFoundation
@_exported import Foundation

public final class CGColorSpace {
    public init?(name: CFString) {}
}
extension CGColorSpace {
    public class var sRGB: CFString { "kCGColorSpaceSRGB" as NSString }
}

public final class CGImage {
    public var width: Int { 0 }
    public var height: Int { 0 }
}

public enum CGImageAlphaInfo: UInt32, Sendable {
    case none = 0
    case noneSkipLast = 5
}

public final class CGContext {
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {}
    public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {}
}
