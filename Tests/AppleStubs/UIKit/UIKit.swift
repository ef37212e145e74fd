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
    public func jpegData(compressionQuality: CGFloat) -> Data? { nil }
}
