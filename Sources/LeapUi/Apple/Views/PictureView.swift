#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// A picture of a message, from the bytes of its file.
    struct PictureView: View {
        let data: Data
        let label: String
        var maxHeight: CGFloat = 240

        var body: some View {
            if let image = Self.image(data) {
                image.resizable().scaledToFit().frame(maxHeight: maxHeight).accessibilityLabel(label)
            } else {
                // A format that the model reads and the system does not, or an address.
                Image(systemName: "photo").font(.title2).accessibilityLabel(label)
            }
        }

        private static func image(_ data: Data) -> Image? {
            #if canImport(UIKit)
                UIImage(data: data).map { Image(uiImage: $0) }
            #elseif canImport(AppKit)
                NSImage(data: data).map { Image(nsImage: $0) }
            #endif
        }
    }
#endif
