// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@MainActor
open class NSResponder: NSObject {
    public nonisolated override init() { super.init() }
}

@MainActor
open class NSViewController: NSResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { super.init() }
}

open class NSImage: NSObject {
    public init?(data: Data) { super.init() }
    open var tiffRepresentation: Data? { nil }
}

open class NSBitmapImageRep: NSObject {
    public enum FileType: UInt, Sendable {
        case tiff, bmp, gif, jpeg, png, jpeg2000
    }
    public struct PropertyKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let compressionFactor = PropertyKey(rawValue: "NSImageCompressionFactor")
    }

    public init?(data: Data) { super.init() }
    open func representation(using storageType: FileType, properties: [PropertyKey: Any]) -> Data? { nil }
}

open class NSPasteboard: NSObject {
    public struct PasteboardType: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let string = PasteboardType(rawValue: "public.utf8-plain-text")
    }
    open class var general: NSPasteboard { NSPasteboard() }
    @discardableResult
    open func clearContents() -> Int { 0 }
    @discardableResult
    open func setString(_ string: String, forType dataType: PasteboardType) -> Bool { true }
}
