#if canImport(Darwin) && canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    extension ChatMessageContent {
        /// Returns an image part from a `UIImage`, as JPEG.
        ///
        /// - Parameter compressionQuality: 0 (smallest) to 1 (best).
        /// - Throws: ``LeapSerializationException`` if the image has no bitmap.
        public static func fromUIImage(_ image: UIImage, compressionQuality: CGFloat = 0.85) throws
            -> ChatMessageContent
        {
            guard let data = image.jpegData(compressionQuality: compressionQuality) else {
                throw LeapSerializationException("the UIImage has no bitmap that can be written as JPEG")
            }
            return .image(data)
        }
    }
#elseif canImport(Darwin) && canImport(AppKit)
    public import AppKit
    public import Foundation

    extension ChatMessageContent {
        /// Returns an image part from an `NSImage`, as JPEG.
        ///
        /// - Parameter compressionQuality: 0 (smallest) to 1 (best).
        /// - Throws: ``LeapSerializationException`` if the image has no bitmap.
        public static func fromNSImage(_ image: NSImage, compressionQuality: CGFloat = 0.85) throws
            -> ChatMessageContent
        {
            guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff),
                let data = bitmap.representation(using: .jpeg, properties: [.compressionFactor: compressionQuality])
            else {
                throw LeapSerializationException("the NSImage has no bitmap that can be written as JPEG")
            }
            return .image(data)
        }
    }
#endif
