import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// The schema of an enumeration with `String` raw values.
struct EnumerationSchema {
    let text: SchemaText

    init?(_ declaration: EnumDeclSyntax, in context: some MacroExpansionContext) {
        let isString = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription == "String"
        guard isString else {
            context.diagnose(.enumerationIsNoString, at: Syntax(declaration.name))
            return nil
        }
        let elements = declaration.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
            .flatMap(\.elements)
        guard !elements.isEmpty else {
            context.diagnose(.enumerationIsEmpty, at: Syntax(declaration.name))
            return nil
        }
        let values = elements.map { element in
            let written = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            return (written ?? element.name.identifierText).jsonLiteral
        }
        var text = SchemaText(#"{"type":"string","description":"#)
        text.append(expression: "description")
        text += #","enum":[\#(values.joined(separator: ","))]}"#
        self.text = text
    }
}

extension TokenSyntax {
    /// The name without the backticks that keywords need.
    var identifierText: String {
        text.hasPrefix("`") && text.hasSuffix("`") ? String(text.dropFirst().dropLast()) : text
    }
}
