import SwiftSyntax
import SwiftSyntaxMacros

/// A property that is the answer to a question.
struct AskedProperty {
    private let name: TokenSyntax
    private let type: String
    private let arguments: String

    /// The call that makes the question.
    var question: String {
        "_DecisionProperty.question(\(type).self, name: \(name.identifierText.swiftLiteral), \(arguments))"
    }

    /// The statement that sets the property.
    var assignment: String {
        "self.\(name.text) = try _DecisionProperty.value(\(type).self, \(name.identifierText.swiftLiteral), in: decisions)"
    }

    /// The properties of a structure, in their order; nil, with diagnostics, if something about one is wrong.
    static func properties(
        of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) -> [AskedProperty]? {
        var properties: [AskedProperty] = []
        var isComplete = true
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStoredInInstances else { continue }
            guard let found = Self.properties(of: variable, in: context) else {
                isComplete = false  // Go on: every line with a fault gets its own diagnostic.
                continue
            }
            properties += found
        }
        return isComplete ? properties : nil
    }

    /// The properties of one declaration; none if it has initial values and no question.
    private static func properties(
        of variable: VariableDeclSyntax, in context: some MacroExpansionContext
    ) -> [AskedProperty]? {
        guard let ask = variable.attribute(named: "Ask") else {
            if variable.bindings.allSatisfy({ $0.initializer != nil }) { return [] }
            let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
            context.diagnose(.missingQuestion(name), at: Syntax(variable))
            return nil
        }
        guard let arguments = ask.arguments?.as(LabeledExprListSyntax.self), !arguments.isEmpty,
            variable.bindings.count == 1, let binding = variable.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
        else {
            context.diagnose(.questionOfSeveral, at: Syntax(variable))
            return nil
        }
        guard let type = binding.typeAnnotation?.type else {
            context.diagnose(.missingType(name.identifierText), at: Syntax(binding.pattern))
            return nil
        }
        if type.is(OptionalTypeSyntax.self) || type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) {
            context.diagnose(.typeIsNoAnswer(type.trimmedDescription), at: Syntax(type))
            return nil
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
            context.diagnose(.constantWithValue(variable, name: name.identifierText))
            return nil
        }
        let isScore = type.trimmedDescription.split(separator: ".").last == "ScoreAnswer"
        let hasLevels = arguments.contains { $0.label?.text == "levels" }
        guard isScore == hasLevels else {
            context.diagnose(isScore ? .missingLevels : .unusedLevels, at: Syntax(ask))
            return nil
        }
        return [AskedProperty(name: name, type: type.trimmedDescription, arguments: arguments.trimmedDescription)]
    }
}

extension VariableDeclSyntax {
    /// The attribute of a name, if there is one.
    fileprivate func attribute(named name: String) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
            let written = $0.attributeName.trimmedDescription
            return written == name || written.hasSuffix(".\(name)")
        }
    }
}

extension MacroMessage {
    static let decisionIsNoStructure = MacroMessage(
        id: "decision.declaration", message: "@Decision applies to structures")
    static let decisionIsGeneric = MacroMessage(
        id: "decision.generic", message: "@Decision does not support generic types")
    static let decisionIsEmpty = MacroMessage(
        id: "decision.empty", message: "a @Decision structure must have at least one property with @Ask")
    static let questionOfSeveral = MacroMessage(
        id: "ask.several", message: "@Ask is about one property: declare each by its own name, with its question")
    static let missingLevels = MacroMessage(
        id: "ask.levels", message: "a ScoreAnswer needs levels, lowest first: add levels: [\"not\", \"soon\", \"now\"]")
    static let unusedLevels = MacroMessage(
        id: "ask.levels.type", message: "levels belong to a property of type ScoreAnswer")

    static func missingQuestion(_ name: String) -> MacroMessage {
        MacroMessage(
            id: "ask", message: "property '\(name)' of a @Decision structure needs @Ask or an initial value")
    }

    static func typeIsNoAnswer(_ type: String) -> MacroMessage {
        MacroMessage(
            id: "ask.type",
            message: "'\(type)' is no answer; use Bool, YesNoAnswer, ScoreAnswer, an enumeration that is CaseIterable, "
                + "or ChoiceAnswer of one")
    }
}
