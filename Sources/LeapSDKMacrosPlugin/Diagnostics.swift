import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A message of the macros about a line, in words that tell what to do.
struct MacroMessage: DiagnosticMessage, FixItMessage {
    let id: String
    let message: String
    let severity: DiagnosticSeverity = .error

    var diagnosticID: MessageID { MessageID(domain: "LeapSDKMacros", id: id) }
    var fixItID: MessageID { diagnosticID }
}

extension MacroMessage {
    static let descriptionIsNoLiteral = MacroMessage(
        id: "description", message: "the description must be a string literal without interpolation")
    static let genericParameter = MacroMessage(
        id: "generic",
        message: "@Generatable does not support generic types: the schema must be known when the program is compiled")
    static let unsupportedDeclaration = MacroMessage(
        id: "declaration",
        message: "@Generatable applies to structures, final classes and enumerations with String raw values")
    static let enumerationIsNoString = MacroMessage(
        id: "enumeration", message: "a @Generatable enumeration must have String raw values: write \": String\"")
    static let enumerationIsEmpty = MacroMessage(
        id: "enumeration.empty", message: "a @Generatable enumeration must have at least one case")
    static let patternIsNoName = MacroMessage(
        id: "pattern", message: "declare each property of a @Generatable type by its own name, not as a tuple")
    static let constraintIsNoCall = MacroMessage(
        id: "constraint", message: "write the constraint as a call, such as .range(1...10)")

    static func missingType(_ name: String) -> MacroMessage {
        MacroMessage(id: "type.missing", message: "property '\(name)' needs an explicit type")
    }

    static func unsupportedType(_ type: String) -> MacroMessage {
        MacroMessage(
            id: "type.unsupported",
            message: "'\(type)' cannot be generated; use String, Bool, a number, Date, URL, UUID, Data, a @Generatable "
                + "type, an enumeration of strings, or optionals, arrays and dictionaries of these")
    }

    static func unsupportedDictionaryKey(_ key: String) -> MacroMessage {
        MacroMessage(
            id: "type.key",
            message:
                "a generated dictionary has keys that are String, Int or CodingKeyRepresentable, as the names in JSON objects, "
                + "not '\(key)'")
    }

    static func constraintDoesNotFit(_ name: String) -> MacroMessage {
        MacroMessage(id: "constraint.type", message: "'.\(name)' does not apply to the type of this property")
    }

    static func constraintIsNoLiteral(_ name: String) -> MacroMessage {
        MacroMessage(
            id: "constraint.literal", message: "'.\(name)' takes literals: the schema is made at compile time")
    }
}

extension MacroExpansionContext {
    func diagnose(_ message: MacroMessage, at node: Syntax) {
        diagnose(Diagnostic(node: node, message: message))
    }
}

extension Diagnostic {
    /// A stored property without `@Guide`; the fix-it adds one.
    static func missingGuide(_ variable: VariableDeclSyntax, name: String) -> Diagnostic {
        let message = MacroMessage(
            id: "guide", message: "property '\(name)' of a @Generatable type needs a @Guide annotation")
        let fix = MacroMessage(id: "guide", message: "add @Guide")
        let attribute = AttributeSyntax(
            attributeName: IdentifierTypeSyntax(name: .identifier("Guide")), leftParen: .leftParenToken(),
            arguments: .argumentList([
                LabeledExprSyntax(expression: StringLiteralExprSyntax(content: "<#what it stands for#>"))
            ]),
            rightParen: .rightParenToken(), trailingTrivia: .space)
        var changed = variable
        let leading = changed.leadingTrivia
        changed.leadingTrivia = []
        changed.attributes.insert(.attribute(attribute), at: changed.attributes.startIndex)
        changed.leadingTrivia = leading
        return Diagnostic(
            node: variable, message: message,
            fixIt: .replace(message: fix, oldNode: variable, newNode: changed))
    }

    /// A class that could have subclasses; the fix-it adds `final`.
    static func classIsNotFinal(_ declaration: ClassDeclSyntax) -> Diagnostic {
        let message = MacroMessage(
            id: "final", message: "a @Generatable class must be final: a subclass would not have its schema")
        let keyword = declaration.classKeyword
        let fixed = keyword.with(\.leadingTrivia, []).with(\.tokenKind, .keyword(.class))
        let newText = TokenSyntax.identifier("final \(fixed.text)", leadingTrivia: keyword.leadingTrivia)
            .with(\.trailingTrivia, keyword.trailingTrivia)
        return Diagnostic(
            node: keyword, message: message,
            fixIt: .replace(
                message: MacroMessage(id: "final", message: "add 'final'"), oldNode: keyword, newNode: newText))
    }

    /// A constant with a value is never decoded; the fix-it makes it a variable.
    static func constantWithValue(_ variable: VariableDeclSyntax, name: String) -> Diagnostic {
        let message = MacroMessage(
            id: "constant", message: "'\(name)' already has a value and would not be decoded: make it a variable")
        let keyword = variable.bindingSpecifier
        return Diagnostic(
            node: keyword, message: message,
            fixIt: .replace(
                message: MacroMessage(id: "constant", message: "replace 'let' with 'var'"), oldNode: keyword,
                newNode: keyword.with(\.tokenKind, .keyword(.var))))
    }

    /// A type that another one can stand in for; the fix-it writes that one.
    static func replaceType(_ type: TypeSyntax, with substitute: String) -> Diagnostic {
        let name = type.trimmedDescription
        let replacement = TypeSyntax(stringLiteral: substitute)
            .with(\.leadingTrivia, type.leadingTrivia).with(\.trailingTrivia, type.trailingTrivia)
        return Diagnostic(
            node: type,
            message: MacroMessage(
                id: "type.substitute", message: "'\(name)' cannot be generated; use '\(substitute)'"),
            fixIt: .replace(
                message: MacroMessage(id: "type.substitute", message: "replace with '\(substitute)'"), oldNode: type,
                newNode: replacement))
    }
}
