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

    /// The media that content may hold, and the types of parts that templates have for them.
    private static let media: [(medium: Medium, type: TemplateValue)] = [
        (.image, "image"), (.audio, "audio"), (.video, "video"),
    ]

    /// A message's text, pictures, sounds and videos as parts.
    ///
    /// Templates write something of their own for a picture, a sound or a video; a mark in the text behind it tells
    /// where that is.
    private static func parts(_ content: String) -> TemplateValue {
        var parts = parts(of: content, behind: "", media[...])
        if parts.count > 1, media.contains(where: { content.hasPrefix(LiteralMarker.mark(of: $0.medium)) }) {
            parts.removeFirst()
        }
        return .array(parts)
    }

    /// The parts of a text in which the marks of some media are left.
    ///
    /// - Parameter written: the mark of what stands in front of the text; empty where nothing does.
    private static func parts(
        of text: String, behind written: String, _ media: ArraySlice<(medium: Medium, type: TemplateValue)>
    ) -> [TemplateValue] {
        guard let (medium, type) = media.first else {
            return [["type": "text", "text": .string(written + text)]]
        }
        var parts: [TemplateValue] = []
        for (index, piece) in text.components(separatedBy: LiteralMarker.mark(of: medium)).enumerated() {
            if index > 0 { parts.append(["type": type]) }
            parts += Self.parts(
                of: piece, behind: index > 0 ? LiteralMarker.written(medium) : written, media.dropFirst())
        }
        return parts
    }
}
