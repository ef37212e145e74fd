import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// The schema of a structure or class: its stored properties in their order.
struct ObjectSchema {
    let text: SchemaText

    init?(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
        let keys = CodingKeys(of: declaration)
        var properties: [StoredProperty] = []
        var isComplete = true
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStoredInInstances else { continue }
            guard let found = StoredProperty.properties(of: variable, keys: keys, in: context) else {
                isComplete = false  // Go on: every line with a fault gets its own diagnostic.
                continue
            }
            properties += found
        }
        guard isComplete else { return nil }

        var text = SchemaText(#"{"type":"object","description":"#)
        text.append(expression: "description")
        text += #","properties":{"#
        for (index, property) in properties.enumerated() {
            text += (index == 0 ? "" : ",") + property.key.jsonLiteral + ":"
            text += property.schema
        }
        let required = properties.filter { !$0.isOptional }.map(\.key.jsonLiteral)
        text += #"},"required":[\#(required.joined(separator: ","))],"additionalProperties":false}"#
        self.text = text
    }
}

extension VariableDeclSyntax {
    /// True if each value of the type stores it: no `static`, no computed property.
    var isStoredInInstances: Bool {
        let isStatic = modifiers.contains {
            $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        }
        guard !isStatic else { return false }
        return bindings.contains { binding in
            switch binding.accessorBlock?.accessors {
            case nil: true
            case .getter: false
            case .accessors(let accessors):
                accessors.allSatisfy {
                    $0.accessorSpecifier.tokenKind == .keyword(.willSet)
                        || $0.accessorSpecifier.tokenKind == .keyword(.didSet)
                }
            }
        }
    }
}

/// The names that a `CodingKeys` enumeration gives to the properties, if the type has one.
struct CodingKeys {
    private let names: [String: String]?

    init(of declaration: some DeclGroupSyntax) {
        let enumeration = declaration.memberBlock.members.lazy.compactMap { $0.decl.as(EnumDeclSyntax.self) }
            .first { $0.name.text == "CodingKeys" }
        names = enumeration.map { enumeration in
            let elements = enumeration.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
                .flatMap(\.elements)
            return Dictionary(
                elements.map { element in
                    let written = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
                    return (element.name.identifierText, written ?? element.name.identifierText)
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The property's name in JSON; nil if it is not coded at all.
    func key(for property: String) -> String? {
        guard let names else { return property }
        return names[property]
    }
}
