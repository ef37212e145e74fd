import SwiftDiagnostics
public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@Decision`: writes the questions of a structure, and how its properties are filled with the answers.
public struct DecisionMacro: ExtensionMacro {
    /// Writes the extension, or diagnostics.
    public static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(StructDeclSyntax.self) else {
            context.diagnose(.decisionIsNoStructure, at: Syntax(node))
            return []
        }
        if let generics = declaration.genericParameters {
            context.diagnose(.decisionIsGeneric, at: Syntax(generics))
            return []
        }
        guard let properties = AskedProperty.properties(of: declaration, in: context) else { return [] }
        guard !properties.isEmpty else {
            context.diagnose(.decisionIsEmpty, at: Syntax(node))
            return []
        }
        let access = declaration.accessLevel
        let questions = properties.map(\.question).joined(separator: ",\n            ")
        let values = properties.map(\.assignment).joined(separator: "\n        ")
        return [
            try ExtensionDeclSyntax(
                """
                extension \(type.trimmed): DecisionType {
                    \(raw: access)static var questions: _DecisionProperty.Questions {
                        [
                            \(raw: questions)
                        ]
                    }

                    \(raw: access)init(decisions: _DecisionProperty.Answers) throws {
                        \(raw: values)
                    }
                }
                """)
        ]
    }
}

/// `@Ask` adds nothing by itself: `@Decision` on the type around it reads it.
public struct AskMacro: PeerMacro {
    /// Adds no declaration.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}
