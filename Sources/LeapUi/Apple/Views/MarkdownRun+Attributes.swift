#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    import SwiftUI

    extension MarkdownRun {
        /// Returns runs as one text with attributes, as SwiftUI's `Text` shows them.
        static func attributed(_ runs: [MarkdownRun]) -> AttributedString {
            runs.reduce(into: AttributedString()) { result, run in
                var piece = AttributedString(run.text)
                var intent: InlinePresentationIntent = []
                if run.style.contains(.bold) { intent.insert(.stronglyEmphasized) }
                if run.style.contains(.italic) { intent.insert(.emphasized) }
                if run.style.contains(.code) { intent.insert(.code) }
                if run.style.contains(.struck) { intent.insert(.strikethrough) }
                if !intent.isEmpty { piece.inlinePresentationIntent = intent }
                if let link = run.link { piece.link = link }
                result += piece
            }
        }
    }
#endif
