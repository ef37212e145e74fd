import SwiftSyntax

/// The type of a dictionary's keys, as far as its schema is concerned: those that `Codable` writes as the names of an
/// object's members.
enum DictionaryKey: Sendable {
    case string
    case integer
    /// Another type of the program, which has to be `CodingKeyRepresentable`: `Codable` makes an array of a dictionary
    /// with other keys.
    case named(String)

    /// Nil if there is no such object.
    init?(_ type: TypeSyntax) {
        let name = type.trimmedDescription
        switch name {
        case "String", "Swift.String": self = .string
        case "Int", "Swift.Int": self = .integer
        default:
            let isName = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
            guard isName, !name.contains("<"), !TypeSchema.isKnown(name) else { return nil }
            self = .named(name)
        }
    }

    /// The keyword that says what the names may be.
    var keyword: SchemaText {
        switch self {
        case .string: return SchemaText()
        case .integer:
            // As `Int` writes itself, and never more digits than it reads.
            return SchemaText(#","propertyNames":{"pattern":"^(0|-?[1-9][0-9]{0,17})$"}"#)
        case .named(let name):
            var text = SchemaText()
            text.append(expression: "context.propertyNames(of: \(name).self)")
            return text
        }
    }
}
