// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

#if canImport(UIKit)
    public import UIKit

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
