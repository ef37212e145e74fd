import SwiftSyntax
import SwiftSyntaxMacros

/// One stored property of a generatable type, with its schema.
struct StoredProperty {
    let key: String
    let schema: SchemaText
    let isOptional: Bool

    /// The properties of one declaration.
    ///
    /// Nil, with diagnostics, if something about it is wrong; empty if a
    /// `CodingKeys` enumeration leaves it out.
    static func properties(
        of variable: VariableDeclSyntax, keys: CodingKeys, in context: some MacroExpansionContext
    ) -> [StoredProperty]? {
        var result: [StoredProperty] = []
        for binding in variable.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifierText else {
                context.diagnose(.patternIsNoName, at: Syntax(binding.pattern))
                return nil
            }
            guard let key = keys.key(for: name) else { continue }
            guard let guide = variable.guideAttribute else {
                context.diagnose(.missingGuide(variable, name: name))
                return nil
            }
            // `let a, b: Int` writes the type once, after the last name.
            let annotation = binding.typeAnnotation ?? variable.bindings.last?.typeAnnotation
            guard let annotation else {
                context.diagnose(.missingType(name), at: Syntax(binding.pattern))
                return nil
            }
            if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
                context.diagnose(.constantWithValue(variable, name: name))
                return nil
            }
            guard let description = GeneratableMacro.literalDescription(of: guide, in: context),
                let type = TypeSchema(annotation.type, in: context),
                let constraints = GuideConstraints(of: guide, type: type, in: context)
            else { return nil }
            result.append(
                StoredProperty(
                    key: key, schema: type.schema(description: description, constraints: constraints),
                    isOptional: type.isOptional))
        }
        return result
    }
}

extension VariableDeclSyntax {
    /// The `@Guide` attribute, if there is one.
    fileprivate var guideAttribute: AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
            let name = $0.attributeName.trimmedDescription
            return name == "Guide" || name.hasSuffix(".Guide")
        }
    }
}
