// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// Foundation has these on Apple's systems only; SwiftUI exports it.

public struct InlinePresentationIntent: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let emphasized = InlinePresentationIntent(rawValue: 1)
    public static let stronglyEmphasized = InlinePresentationIntent(rawValue: 2)
    public static let code = InlinePresentationIntent(rawValue: 4)
    public static let strikethrough = InlinePresentationIntent(rawValue: 32)
}

public enum InlinePresentationIntentAttribute: AttributedStringKey {
    public typealias Value = InlinePresentationIntent
    public static let name = "NSInlinePresentationIntent"
}

extension AttributedString {
    public var inlinePresentationIntent: InlinePresentationIntent? {
        get { self[InlinePresentationIntentAttribute.self] }
        set { self[InlinePresentationIntentAttribute.self] = newValue }
    }
}
