package import LeapJSON
import LeapModel
import LeapTemplate
package import LeapTokenizer

/// The template of a decision model's prompts, `tokenizer.chat_template.systemone`.
///
/// Control tokens that a caller's text spells are text.
package struct DecisionTemplate: Sendable {
    private let template: ChatTemplate
    private let tokenizer: Tokenizer
    private let literals: LiteralMarker
    private let specialTokens: [(String, String)]

    /// Compiles a template.
    ///
    /// - Throws: `TemplateError` that names the line.
    package init(source: String, tokenizer: Tokenizer, controlTokens: ControlTokenTable) throws {
        template = try ChatTemplate(source: source)
        self.tokenizer = tokenizer
        literals = LiteralMarker(table: controlTokens)
        specialTokens = [("bos_token", tokenizer.bosToken), ("eos_token", tokenizer.eosToken)].compactMap {
            name, token in token.map { (name, tokenizer.text(of: $0)) }
        }
    }

    /// Returns the tokens of a prompt.
    ///
    /// - Parameters:
    ///   - given: values from outside, whose control tokens are text.
    ///   - own: values of the program.
    /// - Throws: ``LeapDecisionException`` if the template fails.
    package func tokens(given: JSONObject, own: JSONObject, field: String) throws -> [TokenID] {
        var context = TemplateObject()
        for (name, text) in specialTokens { context[name] = .string(text) }
        for (name, value) in given.members { context[name] = TemplateValue(literals.mark(value)) }
        for (name, value) in own.members { context[name] = TemplateValue(value) }
        let text: String
        do {
            text = try template.render(context)
        } catch {
            throw LeapDecisionException(
                field: field, "the template \(DecisionMethod.templateKey) cannot write it: \(error)", cause: error)
        }
        let (bytes, literalStarts, _) = literals.remove(from: text)
        return tokenizer.encode(utf8: bytes, addSpecial: false, literalStarts: literalStarts)
    }
}
