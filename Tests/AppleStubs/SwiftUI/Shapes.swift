// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct VStack<Content: View>: StubPrimitive {
    private let content: Content
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.content = content()
    }
    public func element() -> StubElement { StubElement("VStack", [StubElement.of(content)]) }
}

public struct HorizontalAlignment: Equatable, Sendable {
    let name: String
    public static let leading = HorizontalAlignment(name: "leading")
    public static let center = HorizontalAlignment(name: "center")
    public static let trailing = HorizontalAlignment(name: "trailing")
}

public struct Spacer: StubPrimitive {
    public init(minLength: CGFloat? = nil) {}
    public func element() -> StubElement { StubElement("Spacer") }
}

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
    let value: String
    public init(_ value: String) { self.value = value }
    public init(stringLiteral value: String) { self.value = value }
}

public struct Text: StubPrimitive {
    private let value: String
    public init(
        _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) {
        value = key.value
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { value = String(content) }
    public init(_ attributedContent: AttributedString) { value = String(attributedContent.characters) }
    public func element() -> StubElement {
        let element = StubElement("Text")
        element.text = value
        return element
    }
}

public struct Image: StubPrimitive {
    private let name: String
    public init(systemName: String) { name = systemName }
    public func element() -> StubElement {
        let element = StubElement("Image")
        element.text = name
        return element
    }
}

public struct Font: Hashable, Sendable {
    let name: String
    public enum Design: Hashable, Sendable { case `default`, monospaced }
    public enum TextStyle: CaseIterable, Sendable { case body, callout, caption }
    public enum Weight: Hashable, Sendable { case regular, bold }
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(name: "\(style) \(String(describing: design))")
    }
    public static let title2 = Font(name: "title2")
    public static let title3 = Font(name: "title3")
    public static let headline = Font(name: "headline")
    public static let body = Font(name: "body")
    public static let callout = Font(name: "callout")
    public static let caption = Font(name: "caption")
    public static let caption2 = Font(name: "caption2")
}

// MARK: Shapes and what fills them

public protocol ShapeStyle: Sendable {}

public struct FillStyle: Equatable, Sendable {
    public init(eoFill: Bool = false, antialiased: Bool = true) {}
}

public nonisolated struct Color: ShapeStyle, StubPrimitive, Hashable {
    public enum RGBColorSpace: Sendable { case sRGB }
    /// The parts of the colour, in 0...1.
    public let stubParts: [Double]
    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) { stubParts = [red, green, blue, opacity] }
    public func opacity(_ opacity: Double) -> Color {
        Color(red: stubParts[0], green: stubParts[1], blue: stubParts[2], opacity: opacity)
    }
    public static let white = Color(red: 1, green: 1, blue: 1)
    public static let accentColor = Color(red: 0, green: 0.5, blue: 1)
    public static let blue = Color(red: 0, green: 0, blue: 1)
    public static let gray = Color(red: 0.5, green: 0.5, blue: 0.5)
    public static let red = Color(red: 1, green: 0, blue: 0)
    @MainActor
    public func element() -> StubElement {
        let element = StubElement("Color")
        element.color = self
        return element
    }
}

extension ShapeStyle where Self == Color {
    public static var white: Color { Color(red: 1, green: 1, blue: 1) }
    public static var red: Color { Color(red: 1, green: 0, blue: 0) }
}

public struct HierarchicalShapeStyle: ShapeStyle {
    public init() {}
}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public struct RadialGradient: ShapeStyle {
    let first: Color?
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        first = colors.first
    }
}

@MainActor @preconcurrency
public protocol Shape: Sendable, View {}

extension Shape {
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> some View {
        modified { $0.color = content as? Color ?? (content as? RadialGradient)?.first }
    }
}

public enum RoundedCornerStyle: Sendable { case circular, continuous }

public struct Capsule: Shape, StubPrimitive {
    public nonisolated init(style: RoundedCornerStyle = .continuous) {}
    public func element() -> StubElement { StubElement("Capsule") }
}

public struct RoundedRectangle: Shape, StubPrimitive {
    public nonisolated init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
    public func element() -> StubElement { StubElement("RoundedRectangle") }
}

public struct Divider: StubPrimitive {
    public init() {}
    public func element() -> StubElement { StubElement("Divider") }
}

// MARK: Gestures

/// The actions of a gesture.
public struct StubGestureActions {
    public var changed: [() -> Void] = []
    public var ended: [() -> Void] = []
}

@MainActor @preconcurrency
public protocol Gesture<Value> {
    associatedtype Value
    var stubActions: StubGestureActions { get }
    /// A value for the actions.
    var stubValue: Value { get }
}

public struct GestureMask: OptionSet, Sendable {
    public let rawValue: UInt32
    public nonisolated init(rawValue: UInt32) { self.rawValue = rawValue }
    public nonisolated static let all = GestureMask(rawValue: 3)
}

public enum CoordinateSpace: Hashable, Sendable { case global, local }

public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var location = CGPoint.zero
    }
    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {}
    public var stubActions: StubGestureActions { StubGestureActions() }
    public var stubValue: Value { Value() }
}

public struct _ChangedGesture<Content: Gesture>: Gesture {
    public let stubActions: StubGestureActions
    public let stubValue: Content.Value
}

public struct _EndedGesture<Content: Gesture>: Gesture {
    public let stubActions: StubGestureActions
    public let stubValue: Content.Value
}

extension Gesture {
    public func onChanged(_ action: @escaping (Self.Value) -> Void) -> _ChangedGesture<Self> where Value: Equatable {
        var (actions, value) = (stubActions, stubValue)
        actions.changed.append { action(value) }
        return _ChangedGesture(stubActions: actions, stubValue: value)
    }

    public func onEnded(_ action: @escaping (Self.Value) -> Void) -> _EndedGesture<Self> {
        var (actions, value) = (stubActions, stubValue)
        actions.ended.append { action(value) }
        return _EndedGesture(stubActions: actions, stubValue: value)
    }
}
