/// A value for a template: any JSON value, with integers of any size.
public enum TemplateValue: Sendable, Hashable {
    /// No value, as if the name did not exist.
    case undefined
    /// Python's `None`, JSON's `null`.
    case none
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case int(Int)
    /// An integer outside `Int`, as decimal digits with an optional minus sign.
    case largeInteger(String)
    /// A floating-point number.
    case float(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([TemplateValue])
    /// A dict, in order.
    case object(TemplateObject)

    /// The member `key` of an object, or nil.
    public subscript(key: String) -> TemplateValue? {
        if case .object(let object) = self { return object[key] }
        return nil
    }

    /// The text of a string, or nil.
    public var stringValue: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}

extension TemplateValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// A floating-point number.
    public init(floatLiteral value: Double) { self = .float(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A list.
    public init(arrayLiteral elements: TemplateValue...) { self = .array(elements) }
    /// An object, in the order written; a repeated key takes the later value.
    public init(dictionaryLiteral elements: (String, TemplateValue)...) { self = .object(TemplateObject(elements)) }
    /// `None`.
    public init(nilLiteral: ()) { self = .none }
}
