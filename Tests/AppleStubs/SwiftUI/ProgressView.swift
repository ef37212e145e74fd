// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct ProgressView<Label: View, CurrentValueLabel: View>: StubPrimitive {
    private let label: Label?
    private let value: Double?
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0)
    where Label == EmptyView, CurrentValueLabel == EmptyView {
        label = nil
        self.value = value.map { Double($0 / total) }
    }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label)
    where CurrentValueLabel == EmptyView {
        self.label = label()
        self.value = value.map { Double($0 / total) }
    }
    public func element() -> StubElement {
        let element = StubElement("ProgressView", label.map { [StubElement.of($0)] } ?? [])
        if label != nil { element.text = value.map { "\($0)" } ?? "?" }
        element.scale = CGFloat(value ?? 0)
        return element
    }
}
