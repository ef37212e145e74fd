// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

#if canImport(UIKit)
    public import UIKit

    /// The text on the clipboard, for tests, which import no UIKit: Testing has an overlay for it.
    @MainActor
    public enum StubPasteboard {
        public static var text: String? { UIPasteboard.general.string }
    }

    extension Image {
        public init(uiImage: UIImage) { self.init(systemName: "picture") }
    }
#elseif canImport(AppKit)
    public import AppKit

    extension Image {
        public init(nsImage: NSImage) { self.init(systemName: "picture") }
    }
#endif

extension Image {
    public func resizable() -> Image { self }
}
