import Foundation
package import LeapJSON
import LeapModel
package import LeapTemplate

/// A model's own chat template (Jinja) as a prompt format.
package struct TemplateFormatter: PromptFormatter {
    package let origin: String
    package let traits: PromptTraits
    package let turnEnds: [String]
    package let callEvidence: [String]
    /// The template.
    package let template: ChatTemplate
    private let requiresContentParts: Bool
    private let order: TurnOrder
    private let callIDForm: ToolCallIDForm?

    /// Compiles a template and finds out what it has places for.
    ///
    /// - Parameters:
    ///   - source: the template.
    ///   - origin: where it comes from, for messages.
    ///   - bosToken: the text of the token that begins a text.
    ///   - eosToken: the text of the token that ends one.
    ///   - variables: what every prompt will have besides.
    /// - Throws: `TemplateError` that names the line.
    package init(
        source: String, origin: String, bosToken: String?, eosToken: String?, variables: JSONObject = [:]
    ) throws(TemplateError) {
        self.origin = origin
        template = try ChatTemplate(source: source)
        let found = template.capabilities(
            bosToken: bosToken, eosToken: eosToken, variables: TemplateObject(variables))
        var traits = PromptTraits(
            takesTools: found.supportsTools, takesToolCalls: found.supportsToolCalls,
            takesReasoning: found.supportsReasoningContent)
        traits.takesObjectArguments = found.acceptsObjectArguments || !found.acceptsStringArguments
        traits.takesSystem = found.supportsSystemRole
        traits.takesToolRole = found.supportsToolRole
        traits.takesSeveralSystem = !found.requiresSingleSystemMessage
        traits.takesLateSystem = !found.requiresSystemMessageFirst
        traits.takesAnswerFirst = !found.requiresUserFirst
        traits.takesSeveralCalls = !found.requiresSingleToolCalls
        traits.takesInlineReasoning = found.readsInlineReasoning
        traits.takesTextBesideReasonedCalls = !found.refusesTextBesideReasonedCalls
        traits.reasons =
            found.supportsEnableThinking || found.opensReasoning || found.supportsReasoningContent
            || source.contains(ReasoningMarks.found(in: [source]).end)
        self.traits = traits
        turnEnds = found.turnEnds
        callEvidence = [found.writtenCall, source]
        requiresContentParts = found.requiresContentParts
        order = TurnOrder(found)
        callIDForm = found.toolCallIDForm
    }

    package func render(_ context: PromptContext) throws -> String {
        var messages = (context.isStrict ? order.strict : order).applied(to: context.messages)
        if let callIDForm { messages = CallIDs.rewritten(messages, as: callIDForm) }
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

    /// A message's text, pictures and sounds as parts.
    ///
    /// Templates write something of their own for a picture or a sound; a mark in the text behind it tells where that
    /// is.
    private static func parts(_ content: String) -> TemplateValue {
        func part(_ text: String) -> TemplateValue { ["type": "text", "text": .string(text)] }
        var parts: [TemplateValue] = []
        for (index, pictures) in content.components(separatedBy: LiteralMarker.image).enumerated() {
            if index > 0 { parts.append(["type": "image"]) }
            for (place, piece) in pictures.components(separatedBy: LiteralMarker.audio).enumerated() {
                if place > 0 { parts.append(["type": "audio"]) }
                let written =
                    place > 0 ? LiteralMarker.written(.audio) : index > 0 ? LiteralMarker.written(.image) : ""
                parts.append(part(written + piece))
            }
        }
        if parts.count > 1, content.hasPrefix(LiteralMarker.image) || content.hasPrefix(LiteralMarker.audio) {
            parts.removeFirst()
        }
        return .array(parts)
    }
}
