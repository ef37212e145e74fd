package import LeapJSON

extension OpenAI {
    /// A message of a request or of a reply, or the delta of a chunk, which has the same members.
    package struct Message: Sendable, Hashable {
        package var role: Role?
        /// A string, null or an array of parts.
        package var content: JSONValue?
        /// The model's thoughts before its answer.
        package var reasoning: String?
        package var toolCalls: [ToolCall] = []
        /// The identifier of the call whose result the message is.
        package var toolCallID: String?
        package var name: String?
        package var refusal: JSONValue?
        package var audio: JSONValue?
        /// The only call, where it is written in the shape that there was before tools.
        package var functionCall: ToolCall?

        package init() {}

        /// Reads a message or a delta, without an error: members of other kinds are passed over.
        package init(_ object: JSONObject) {
            role = object[Key.role]?.string.flatMap { Role(rawValue: $0) }
            content = object[Key.content]
            reasoning = [Key.reasoning, Key.otherReasoning].compactMap { ContentPart.text(of: object[$0]) }
                .first { !$0.isEmpty }
            toolCalls = (object[Key.toolCalls]?.array ?? []).compactMap { ToolCall($0) }
            toolCallID = object[Key.toolCallID]?.string
            name = object[Key.name]?.string
            refusal = object[Key.refusal]
            audio = object[Key.audio]
            functionCall = object[Key.functionCall].flatMap { ToolCall($0) }
        }

        /// Writes the first call in the shape that there was before tools; further ones have no place there.
        package mutating func useFunctionCall() {
            functionCall = toolCalls.first
            toolCalls = []
        }

        /// The message as the members of a JSON object.
        package var object: JSONObject {
            var object: JSONObject = [:]
            object[Key.role] = role.map { .string($0.rawValue) }
            object[Key.content] = content
            object[Key.reasoning] = reasoning.map { .string($0) }
            if !toolCalls.isEmpty { object[Key.toolCalls] = .array(toolCalls.map(\.json)) }
            object[Key.toolCallID] = toolCallID.map { .string($0) }
            object[Key.name] = name.map { .string($0) }
            object[Key.refusal] = refusal
            object[Key.audio] = audio
            object[Key.functionCall] = functionCall?.inner
            return object
        }
    }
}
