#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    import SwiftUI

    #if canImport(UIKit)
        import UIKit
    #elseif canImport(AppKit)
        import AppKit
    #endif

    /// The clipboard of the system, for the views that copy texts.
    @MainActor
    enum Pasteboard {
        /// Puts a text in the place of what was copied before.
        static func copy(_ text: String) {
            #if canImport(UIKit)
                UIPasteboard.general.string = text
            #elseif canImport(AppKit)
                NSPasteboard.general.clearContents()
                NSPasteboard.general.setString(text, forType: .string)
            #endif
        }
    }
#endif
