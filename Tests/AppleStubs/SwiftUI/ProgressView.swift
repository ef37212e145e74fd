// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct ProgressView: StubPrimitive {
    private let value: Double?
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) { self.value = value.map { Double($0 / total) } }
    public func element() -> StubElement {
        let element = StubElement("ProgressView")
        element.scale = CGFloat(value ?? 0)
        return element
    }
}
