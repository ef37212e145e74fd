// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

@propertyWrapper
public struct State<Value> {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let storage: Storage

    public init(wrappedValue value: Value) { storage = Storage(value) }
    public init(initialValue value: Value) { storage = Storage(value) }
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }
}

extension State: @unchecked Sendable where Value: Sendable {}

public struct EnvironmentValues {
    /// The values that tests set.
    @MainActor public static var stubCurrent = EnvironmentValues()
    public var accessibilityReduceMotion = false
    public init() {}
}

@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
    @MainActor public var wrappedValue: Value { EnvironmentValues.stubCurrent[keyPath: keyPath] }
}
