// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct LazyVStack<Content: View>: StubPrimitive {
    private let content: Content
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
    public func element() -> StubElement { StubElement("LazyVStack", [StubElement.of(content)]) }
}

public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public struct List<SelectionValue: Hashable, Content: View>: StubPrimitive {
    private let content: Content
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Never { self.content = content() }
    public func element() -> StubElement { StubElement("List", [StubElement.of(content)]) }
}

public struct Grid<Content: View>: StubPrimitive {
    private let content: Content
    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { self.content = content() }
    public func element() -> StubElement { StubElement("Grid", [StubElement.of(content)]) }
}

public struct GridRow<Content: View>: StubPrimitive {
    private let content: Content
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public func element() -> StubElement { StubElement("GridRow", [StubElement.of(content)]) }
}

public struct DisclosureGroup<Label: View, Content: View>: StubPrimitive {
    private let isExpanded: Binding<Bool>
    private let content: Content
    private let label: Label
    public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.isExpanded = isExpanded
        self.content = content()
        self.label = label()
    }
    public func element() -> StubElement {
        let isOpen = isExpanded.wrappedValue
        let element = StubElement(
            "DisclosureGroup", [StubElement.of(label)] + (isOpen ? [StubElement.of(content)] : []))
        element.onTap = { isExpanded.wrappedValue.toggle() }
        return element
    }
}

public struct EmptyView: StubPrimitive {
    public init() {}
    public func element() -> StubElement { StubElement("EmptyView") }
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}

public protocol TextSelectability {}

public struct EnabledTextSelectability: TextSelectability {}

extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

extension View {
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { modified { _ in } }

    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { modified { _ in } }

    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { modified { _ in } }

    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { modified { _ in } }

    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { modified { _ in } }

    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { modified { _ in } }

    public func scaledToFit() -> some View { modified { _ in } }

    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { modified { _ in } }

    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        let items = menuItems()
        return modified { $0.menu = [StubElement.of(items)] }
    }

    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        let direction = value as? LayoutDirection
        return modified { $0.layoutDirection = direction ?? $0.layoutDirection }
    }
}
