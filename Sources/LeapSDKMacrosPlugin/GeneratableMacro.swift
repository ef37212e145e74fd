import SwiftDiagnostics
import SwiftParser
public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@Generatable`: writes the schema of a type into an extension that conforms to `GeneratableType`.
public struct GeneratableMacro: ExtensionMacro {
    /// Writes the extension, or diagnostics.
    public static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let description = literalDescription(of: node, in: context),
            let body = schema(of: declaration, node: node, description: description, in: context)
        else { return [] }
        let access = declaration.accessLevel
        return [
            try ExtensionDeclSyntax(
                """
                extension \(type.trimmed): GeneratableType {
                    \(raw: access)static var typeDescription: String { \(raw: description.swiftLiteral) }

                    \(raw: access)static func jsonSchema() -> String {
                        _SchemaContext.document(for: Self.self)
                    }

                    \(raw: access)static func _schemaBody(
                        in context: inout _SchemaContext, description: String?
                    ) -> String {
                        let description = _SchemaContext.quoted(description ?? typeDescription)
                        return \(raw: body.swiftExpression)
                    }
                }
                """)
        ]
    }

    /// The text of the first argument, which must be a literal without interpolation.
    static func literalDescription(
        of node: AttributeSyntax, in context: some MacroExpansionContext
    ) -> String? {
        let first = node.arguments?.as(LabeledExprListSyntax.self)?.first
        guard let text = first?.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            context.diagnose(.descriptionIsNoLiteral, at: first.map(Syntax.init) ?? Syntax(node))
            return nil
        }
        return text
    }

    private static func schema(
        of declaration: some DeclGroupSyntax, node: AttributeSyntax, description: String,
        in context: some MacroExpansionContext
    ) -> SchemaText? {
        if let generics = declaration.genericParameters {
            context.diagnose(.genericParameter, at: Syntax(generics))
            return nil
        }
        if let enumeration = declaration.as(EnumDeclSyntax.self) {
            return EnumerationSchema(enumeration, in: context)?.text
        }
        if let classDeclaration = declaration.as(ClassDeclSyntax.self) {
            let isFinal = classDeclaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
            guard isFinal else {
                context.diagnose(.classIsNotFinal(classDeclaration))
                return nil
            }
        } else if !declaration.is(StructDeclSyntax.self) {
            context.diagnose(.unsupportedDeclaration, at: Syntax(node))
            return nil
        }
        return ObjectSchema(declaration, in: context)?.text
    }
}

extension DeclGroupSyntax {
    /// `public ` or nothing: how the members of the conformance must be declared.
    var accessLevel: String {
        let levels: [Keyword] = [.public, .package, .open]
        for modifier in modifiers {
            if case .keyword(let keyword) = modifier.name.tokenKind, levels.contains(keyword) {
                return keyword == .open ? "public " : "\(modifier.name.text) "
            }
        }
        return ""
    }

    var genericParameters: GenericParameterClauseSyntax? {
        self.as(StructDeclSyntax.self)?.genericParameterClause
            ?? self.as(ClassDeclSyntax.self)?.genericParameterClause
            ?? self.as(EnumDeclSyntax.self)?.genericParameterClause
    }
}
