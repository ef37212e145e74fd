import Foundation
import LeapJSON
import LeapTemplate

/// A model's own chat template (Jinja) as a prompt format.
package struct TemplateFormatter: PromptFormatter {
    package let origin: String
    package let traits: PromptTraits
    package let turnEnds: [String]
    package let callEvidence: [String]
    /// The template.
    package let template: ChatTemplate
    private let requiresContentParts: Bool
    private let requiresAlternatingTurns: Bool

    /// Compiles a template and finds out what it has places for.
    ///
    /// - Parameters:
    ///   - source: the template.
    ///   - origin: where it comes from, for messages.
    ///   - bosToken: the text of the token that begins a text.
    ///   - eosToken: the text of the token that ends one.
    /// - Throws: `TemplateError` that names the line.
    package init(source: String, origin: String, bosToken: String?, eosToken: String?) throws(TemplateError) {
        self.origin = origin
        template = try ChatTemplate(source: source)
        let found = template.capabilities(bosToken: bosToken, eosToken: eosToken)
        var traits = PromptTraits(
            takesTools: found.supportsTools, takesToolCalls: found.supportsToolCalls,
            takesReasoning: found.supportsReasoningContent)
        traits.takesObjectArguments = found.acceptsObjectArguments || !found.acceptsStringArguments
        traits.takesSystem = found.supportsSystemRole
        traits.takesToolRole = found.supportsToolRole
        traits.reasons =
            found.supportsEnableThinking || found.opensReasoning || found.supportsReasoningContent
            || source.contains("</think>")
        self.traits = traits
        turnEnds = found.turnEnds
        callEvidence = [found.writtenCall, source]
        requiresContentParts = found.requiresContentParts
        requiresAlternatingTurns = found.requiresAlternatingTurns
    }

    package func render(_ context: PromptContext) throws -> String {
        var messages = context.messages
        if requiresAlternatingTurns { messages = Self.merged(messages) }
        let values = messages.map { message in
            var object = TemplateObject(message)
            if requiresContentParts, let text = message["content"]?.string {
                object["content"] = Self.parts(text)
            }
            return TemplateValue.object(object)
        }
        return try template.render(
            messages: values, tools: context.tools.isEmpty ? nil : context.tools.map { TemplateValue($0) },
            addGenerationPrompt: context.addGenerationPrompt, extra: TemplateObject(context.variables))
    }

    /// A message's text and pictures as parts.
    ///
    /// Templates write something of their own for a picture; a mark in the text behind it tells where that is.
    private static func parts(_ content: String) -> TemplateValue {
        func part(_ text: String) -> TemplateValue { ["type": "text", "text": .string(text)] }
        let pieces = content.components(separatedBy: LiteralMarker.picture)
        var parts: [TemplateValue] = pieces[0].isEmpty && pieces.count > 1 ? [] : [part(pieces[0])]
        for piece in pieces.dropFirst() {
            parts += [["type": "image"], part(LiteralMarker.writtenPicture + piece)]
        }
        return .array(parts)
    }

    /// The messages with neighbours of the user put together, a line end between.
    private static func merged(_ messages: [JSONObject]) -> [JSONObject] {
        var result: [JSONObject] = []
        for message in messages {
            if message["role"] == "user", result.last?["role"] == "user" {
                let before = result[result.count - 1]["content"]?.string ?? ""
                result[result.count - 1]["content"] = .string(before + "\n" + (message["content"]?.string ?? ""))
            } else {
                result.append(message)
            }
        }
        return result
    }
}
