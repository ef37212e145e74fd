// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// AppIntents as Apple's documentation declares it (iOS 16, macOS 13). LocalizedStringResource is Foundation's there.

public struct LocalizedStringResource: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public struct IntentDescription: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral value: String) {}
}

public struct IntentDialog: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public protocol IntentResult: Sendable {}

public protocol ReturnsValue<Value>: IntentResult {
    associatedtype Value: Sendable
}

public protocol ProvidesDialog: IntentResult {}

public struct IntentResultContainer<Value: Sendable>: ReturnsValue, ProvidesDialog {}

extension IntentResult {
    public static func result<Value>(
        value: Value, dialog: IntentDialog
    ) -> some IntentResult & ReturnsValue<Value> & ProvidesDialog where Self == IntentResultContainer<Value> {
        IntentResultContainer<Value>()
    }
}

public protocol AppIntent: Sendable {
    associatedtype PerformResult: IntentResult

    static var title: LocalizedStringResource { get }
    static var description: IntentDescription? { get }

    init()
    func perform() async throws -> PerformResult
}

extension AppIntent {
    public static var description: IntentDescription? { nil }
    public typealias Parameter = IntentParameter
}

@propertyWrapper
public final class IntentParameter<Value: Sendable>: @unchecked Sendable {
    private var value: Value?

    public init(title: LocalizedStringResource) {}

    public var wrappedValue: Value {
        get { value.unsafelyUnwrapped }
        set { value = newValue }
    }
}
