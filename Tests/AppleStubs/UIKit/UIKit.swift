// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@MainActor
open class UIResponder: NSObject {
    public nonisolated override init() { super.init() }
}

@MainActor
open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { super.init() }
}

open class UIImage: NSObject, @unchecked Sendable {
    public override init() {}
    /// Reads the file; only PNG files here.
    public init?(data: Data) {
        guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        super.init()
    }
    public func jpegData(compressionQuality: CGFloat) -> Data? { nil }
}

@MainActor
open class UIPasteboard: NSObject {
    public nonisolated override init() { super.init() }
    public class var general: UIPasteboard { stubGeneral }
    private static let stubGeneral = UIPasteboard()
    open var string: String?
}
