// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension View {
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { modified { _ in } }

    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        modified { $0.width = width }
    }

    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View { modified { $0.scale = s } }

    public func font(_ font: Font?) -> some View { modified { _ in } }

    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { modified { _ in } }

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { modified { _ in } }

    public func background<Background: View>(_ background: Background, alignment: Alignment = .center) -> some View {
        modified { $0.children.append(StubElement.of(background)) }
    }

    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { modified { _ in } }

    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { modified { $0.task = action } }

    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        modified { $0.onTap = action }
    }

    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View { modified { $0.onLongPress = action } }

    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        modified { element in
            element.onDrag = { gesture.stubActions.changed.forEach { $0() } }
            element.onDragEnd = { gesture.stubActions.ended.forEach { $0() } }
        }
    }

    public func accessibilityLabel<S: StringProtocol>(
        _ label: S
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        accessible { $0.accessibilityLabel = String(label) }
    }

    public func accessibilityAddTraits(
        _ traits: AccessibilityTraits
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        accessible {
            $0.isButton = traits.contains(.isButton) || $0.isButton
            $0.isSelected = traits.contains(.isSelected) || $0.isSelected
            $0.isHeader = traits.contains(.isHeader) || $0.isHeader
        }
    }

    public func accessibilityHidden(_ hidden: Bool) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        accessible { $0.isAccessibilityHidden = hidden }
    }

    public func accessibilityAction(
        _ actionKind: AccessibilityActionKind = .default, _ handler: @escaping () -> Void
    ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> {
        accessible { $0.onAccessibilityAction = handler }
    }
}

public struct AccessibilityTraits: SetAlgebra, Sendable {
    private var names: Set<String> = []
    public init() {}
    private init(names: Set<String>) { self.names = names }
    public static let isButton = AccessibilityTraits(names: ["isButton"])
    public static let isHeader = AccessibilityTraits(names: ["isHeader"])
    public static let isSelected = AccessibilityTraits(names: ["isSelected"])
    public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
    public func union(_ other: Self) -> Self { Self(names: names.union(other.names)) }
    public func intersection(_ other: Self) -> Self { Self(names: names.intersection(other.names)) }
    public func symmetricDifference(_ other: Self) -> Self { Self(names: names.symmetricDifference(other.names)) }
    @discardableResult
    public mutating func insert(_ member: Self) -> (inserted: Bool, memberAfterInsert: Self) {
        let isNew = !contains(member)
        names.formUnion(member.names)
        return (isNew, member)
    }
    @discardableResult
    public mutating func remove(_ member: Self) -> Self? {
        guard contains(member) else { return nil }
        names.subtract(member.names)
        return member
    }
    @discardableResult
    public mutating func update(with member: Self) -> Self? {
        let old = contains(member) ? member : nil
        names.formUnion(member.names)
        return old
    }
    public mutating func formUnion(_ other: Self) { names.formUnion(other.names) }
    public mutating func formIntersection(_ other: Self) { names.formIntersection(other.names) }
    public mutating func formSymmetricDifference(_ other: Self) { names.formSymmetricDifference(other.names) }
}

public struct AccessibilityActionKind: Equatable, Sendable {
    let name: String
    public static let `default` = AccessibilityActionKind(name: "default")
}

public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let leading = Set(rawValue: 2)
        public static let all = Set(rawValue: 15)
    }
}

public struct Alignment: Equatable, Sendable {
    let name: String
    public static let center = Alignment(name: "center")
    public static let leading = Alignment(name: "leading")
    public static let trailing = Alignment(name: "trailing")
}

public struct UnitPoint: Hashable, Sendable {
    let name: String
    public static let center = UnitPoint(name: "center")
    public static let bottom = UnitPoint(name: "bottom")
}

public enum TextAlignment: Sendable { case leading, center, trailing }

public struct Animation: Equatable, Sendable {
    public static func easeOut(duration: TimeInterval) -> Animation { Animation() }
}
