import SwiftSyntax
import SwiftSyntaxMacros

/// A property's type, as far as its schema is concerned.
indirect enum TypeSchema: Sendable {
    /// A JSON type with fixed further keywords, such as `"format":"date-time"`.
    case string(keywords: String)
    case integer(minimum: String?, maximum: String?)
    case number(minimum: String?, maximum: String?)
    case boolean
    case array(TypeSchema)
    case dictionary(DictionaryKey, TypeSchema)
    case optional(TypeSchema)
    /// Another type of the program: it is asked for its schema when the program runs.
    case nested(String)

    /// Nil, with a diagnostic, if the type cannot be generated.
    init?(_ type: TypeSyntax, in context: some MacroExpansionContext) {
        if let optional = type.as(OptionalTypeSyntax.self) {
            guard let wrapped = TypeSchema(optional.wrappedType, in: context) else { return nil }
            self = .optional(wrapped)
        } else if let array = type.as(ArrayTypeSyntax.self) {
            guard let element = TypeSchema(array.element, in: context) else { return nil }
            self = .array(element)
        } else if let dictionary = type.as(DictionaryTypeSyntax.self) {
            self.init(dictionaryKey: dictionary.key, value: dictionary.value, in: context)
        } else if let identifier = type.as(IdentifierTypeSyntax.self) {
            self.init(identifier, in: context)
        } else if let member = type.as(MemberTypeSyntax.self), member.genericArgumentClause == nil {
            let modules = ["Swift", "Foundation"]
            let plain = IdentifierTypeSyntax(name: member.name)
            if modules.contains(member.baseType.trimmedDescription) {
                self.init(plain, in: context)
            } else {
                self = .nested(member.trimmedDescription)
            }
        } else {
            context.diagnose(.unsupportedType(type.trimmedDescription), at: Syntax(type))
            return nil
        }
    }

    private init?(_ type: IdentifierTypeSyntax, in context: some MacroExpansionContext) {
        let name = type.name.text
        let arguments = type.genericArgumentClause.map { $0.arguments.map(\.argument) } ?? []
        let argumentTypes = arguments.compactMap { TypeSyntax($0) }
        switch (name, argumentTypes.count) {
        case ("Optional", 1):
            guard let wrapped = TypeSchema(argumentTypes[0], in: context) else { return nil }
            self = .optional(wrapped)
        case ("Array", 1):
            guard let element = TypeSchema(argumentTypes[0], in: context) else { return nil }
            self = .array(element)
        case ("Dictionary", 2):
            self.init(dictionaryKey: argumentTypes[0], value: argumentTypes[1], in: context)
        case (_, 0):
            if let simple = Self.simpleTypes[name] {
                self = simple
            } else if let substitute = Self.substitutes[name] {
                context.diagnose(.replaceType(TypeSyntax(type), with: substitute))
                return nil
            } else if Self.unsupportedNames.contains(name) {
                context.diagnose(.unsupportedType(name), at: Syntax(type))
                return nil
            } else {
                self = .nested(name)
            }
        case ("Set", 1):
            context.diagnose(.replaceType(TypeSyntax(type), with: "[\(argumentTypes[0].trimmedDescription)]"))
            return nil
        default:
            context.diagnose(.unsupportedType(type.trimmedDescription), at: Syntax(type))
            return nil
        }
    }

    private init?(dictionaryKey key: TypeSyntax, value: TypeSyntax, in context: some MacroExpansionContext) {
        guard let key = DictionaryKey(key) else {
            context.diagnose(.unsupportedDictionaryKey(key.trimmedDescription), at: Syntax(key))
            return nil
        }
        guard let value = TypeSchema(value, in: context) else { return nil }
        self = .dictionary(key, value)
    }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// The type under all optionals.
    var unwrapped: TypeSchema {
        if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
    }

    private static let simpleTypes: [String: TypeSchema] = [
        "String": .string(keywords: ""),
        "Bool": .boolean,
        // A number beyond these would not decode. (Double's own bounds have more digits than any model writes.)
        "Float": .number(minimum: "-3.4028234663852886e38", maximum: "3.4028234663852886e38"),
        "Double": .number(minimum: nil, maximum: nil),
        "CGFloat": .number(minimum: nil, maximum: nil),
        "Int": .integer(minimum: "\(Int64.min)", maximum: "\(Int64.max)"),
        "Int8": .integer(minimum: "\(Int8.min)", maximum: "\(Int8.max)"),
        "Int16": .integer(minimum: "\(Int16.min)", maximum: "\(Int16.max)"),
        "Int32": .integer(minimum: "\(Int32.min)", maximum: "\(Int32.max)"),
        "Int64": .integer(minimum: "\(Int64.min)", maximum: "\(Int64.max)"),
        "UInt": .integer(minimum: "0", maximum: "\(UInt64.max)"),
        "UInt8": .integer(minimum: "0", maximum: "\(UInt8.max)"),
        "UInt16": .integer(minimum: "0", maximum: "\(UInt16.max)"),
        "UInt32": .integer(minimum: "0", maximum: "\(UInt32.max)"),
        "UInt64": .integer(minimum: "0", maximum: "\(UInt64.max)"),
        "Date": .string(keywords: #","format":"date-time""#),
        "URL": .string(keywords: #","format":"uri""#),
        "UUID": .string(keywords: #","format":"uuid""#),
        "Data": .string(
            keywords: #","contentEncoding":"base64","pattern":"^([A-Za-z0-9+/]{4})*"#
                + #"([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$""#),
    ]

    /// Returns whether a name is that of a type with a schema of its own, or of one that has none.
    static func isKnown(_ name: String) -> Bool {
        simpleTypes[name] != nil || substitutes[name] != nil || unsupportedNames.contains(name)
    }

    /// Types that people reach for, and what serves instead.
    private static let substitutes = [
        "Character": "String", "Substring": "String", "NSString": "String", "StaticString": "String",
        "NSNumber": "Double", "Decimal": "Double", "Float16": "Float", "Float80": "Double",
        "NSDate": "Date", "NSURL": "URL", "NSData": "Data",
    ]

    private static let unsupportedNames: Set<String> = ["Any", "AnyObject", "Void", "Never", "Error", "Self"]
}
