// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { preconditionFailure("Never has no body") }
}

/// A view of the stub's own.
@MainActor
public protocol StubPrimitive: View where Body == Never {
    /// Returns the look of the view.
    func element() -> StubElement
}

extension StubPrimitive {
    public var body: Never { preconditionFailure("a primitive view has no body") }
}

extension Optional: View where Wrapped: View {
    public var body: Never { preconditionFailure("a primitive view has no body") }
}

extension Optional: StubPrimitive where Wrapped: View {
    public func element() -> StubElement { StubElement("optional", map { [StubElement.of($0)] } ?? []) }
}

public struct TupleView<T>: StubPrimitive {
    public var value: T
    let elements: @MainActor () -> [StubElement]
    public func element() -> StubElement { StubElement("tuple", elements()) }
}

public enum _ConditionalContent<First: View, Second: View>: StubPrimitive {
    case first(First)
    case second(Second)
    public func element() -> StubElement {
        switch self {
        case .first(let view): StubElement.of(view)
        case .second(let view): StubElement.of(view)
        }
    }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    @MainActor
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        var elements: [StubElement] = []
        for view in repeat each content { elements.append(StubElement.of(view)) }
        let all = elements
        return TupleView(value: (repeat each content), elements: { all })
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        .first(first)
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        .second(second)
    }
}

/// The look of a view and its response to touches: for tests, in the place of a screen.
@MainActor
public final class StubElement {
    public let kind: String
    public var text = ""
    public var children: [StubElement]
    public var width: CGFloat?
    public var scale: CGFloat = 1
    public var color: Color?
    public var accessibilityLabel: String?
    public var isButton = false
    public var isHeader = false
    public var isSelected = false
    /// The direction that was set for the view; nil where it is that of the language.
    public var layoutDirection: LayoutDirection?
    public var isAccessibilityHidden = false
    public var onTap: (() -> Void)?
    public var onText: ((String) -> Void)?
    public var onSubmit: (() -> Void)?
    /// The entries of the menu that a long press shows.
    public var menu: [StubElement] = []
    public var onLongPress: (() -> Void)?
    public var onAccessibilityAction: (() -> Void)?
    public var onDrag: (() -> Void)?
    public var onDragEnd: (() -> Void)?
    public var task: (@Sendable () async -> Void)?

    init(_ kind: String, _ children: [StubElement] = []) {
        self.kind = kind
        self.children = children
    }

    public static func of<V: View>(_ view: V) -> StubElement {
        if let primitive = view as? any StubPrimitive { return primitive.element() }
        return of(view.body)
    }

    /// Turns off all that responds to a tap.
    func disable() {
        for element in all { element.onTap = nil }
    }

    /// It and everything in it, from the outside in.
    public var all: [StubElement] { [self] + children.flatMap(\.all) }
    public var texts: [String] { all.map(\.text).filter { !$0.isEmpty } }
}

public struct ModifiedContent<Content: View, Modifier: StubModifier>: StubPrimitive {
    public var content: Content
    public var modifier: Modifier
    public func element() -> StubElement {
        let element = StubElement.of(content)
        modifier.change(element)
        return element
    }
}

@MainActor
public protocol StubModifier {
    func change(_ element: StubElement)
}

public struct AccessibilityAttachmentModifier: StubModifier {
    let effect: @MainActor (StubElement) -> Void
    public func change(_ element: StubElement) { effect(element) }
}

struct AnyModifier: StubModifier {
    let effect: @MainActor (StubElement) -> Void
    func change(_ element: StubElement) { effect(element) }
}

extension View {
    func modified(_ effect: @escaping @MainActor (StubElement) -> Void) -> some View {
        ModifiedContent(content: self, modifier: AnyModifier(effect: effect))
    }

    func accessible(
        _ effect: @escaping @MainActor (StubElement) -> Void
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier(effect: effect))
    }
}
