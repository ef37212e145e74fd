// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct HStack<Content: View>: StubPrimitive {
    private let content: Content
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func element() -> StubElement { StubElement("HStack", [StubElement.of(content)]) }
}

public struct VerticalAlignment: Equatable, Sendable {
    let name: String
    public static let center = VerticalAlignment(name: "center")
    public static let bottom = VerticalAlignment(name: "bottom")
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
}

public struct ScrollView<Content: View>: StubPrimitive {
    public var content: Content
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func element() -> StubElement { StubElement("ScrollView", [StubElement.of(content)]) }
}

public enum Axis: Int8, Sendable {
    case horizontal, vertical
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

public struct TabView<SelectionValue: Hashable, Content: View>: StubPrimitive {
    public let content: Content
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Int { self.content = content() }
    public func element() -> StubElement { StubElement("TabView", [StubElement.of(content)]) }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: StubPrimitive {
    public var data: Data
    public var content: (Data.Element) -> Content
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.data = data
        self.content = content
    }
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.content = content
    }
    public func element() -> StubElement { StubElement("ForEach", data.map { StubElement.of(content($0)) }) }
}

public struct Label<Title: View, Icon: View>: StubPrimitive {
    private let title: Title
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) where Title == Text, Icon == Image {
        title = Text(titleKey)
    }
    public func element() -> StubElement { StubElement("Label", [StubElement.of(title)]) }
}

public struct Button<Label: View>: StubPrimitive {
    private let label: Label
    private let action: @MainActor () -> Void
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) where Label == Text {
        label = Text(titleKey)
        self.action = action
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) where Label == Text {
        label = Text(title)
        self.action = action
    }
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.action = action
    }
    public func element() -> StubElement {
        let element = StubElement("Button", [StubElement.of(label)])
        element.isButton = true
        element.onTap = action
        return element
    }
}

public struct TextField<Label: View>: StubPrimitive {
    private let label: Label
    private let text: Binding<String>
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) where Label == Text {
        label = Text(titleKey)
        self.text = text
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, axis: Axis) where Label == Text {
        label = Text(title)
        self.text = text
    }
    public func element() -> StubElement {
        let element = StubElement("TextField", [StubElement.of(label)])
        element.text = text.wrappedValue
        element.onText = { text.wrappedValue = $0 }
        return element
    }
}

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let text = SubmitTriggers(rawValue: 1)
}

extension View {
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { modified { _ in } }

    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
        modified { $0.onSubmit = action }
    }

    public func disabled(_ disabled: Bool) -> some View { modified { if disabled { $0.disable() } } }

    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { modified { _ in } }
}
