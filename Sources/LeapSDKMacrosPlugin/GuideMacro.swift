public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Guide` adds nothing by itself: `@Generatable` on the type around it reads it.
public struct GuideMacro: PeerMacro {
    /// Adds no declaration.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}
