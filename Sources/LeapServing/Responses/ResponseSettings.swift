import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The fields that a response repeats of its request, each with the value that was used.
struct ResponseSettings: Sendable {
    private var members: JSONObject = [:]

    /// Reads the fields that are repeated; those that change how the reply is made are read by others too.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(
        _ fields: inout RequestFields, _ asked: ResponseSampling, tools: ToolList, conversation: String?
    ) throws(APIError) {
        // A choice among tools is repeated as it was given.
        let choice = tools.allowed == nil ? nil : fields.value(OpenAI.Key.toolChoice)
        members = [
            "instructions": Self.text(try fields.string("instructions")),
            "previous_response_id": Self.text(try fields.string("previous_response_id")),
            "store": .bool(try fields.bool("store") ?? true), "metadata": .object(try fields.object("metadata") ?? [:]),
            OpenAI.Key.parallelToolCalls: .bool(asked.fields.allowsParallelCalls),
            OpenAI.Key.toolChoice: choice ?? Self.choice(asked.fields, tools),
            "tools": .array(tools.functions.map { Self.tool($0, tools) }),
            "conversation": conversation.map { .object(["id": .string($0)]) } ?? .null,
            "truncation": asked.trims ? "auto" : "disabled",
            "text": .object(["format": asked.format]),
            "reasoning": .object(["effort": asked.effort.map { .string($0) } ?? .null, "summary": .null]),
            "max_output_tokens": asked.maxTokens ?? .null, OpenAI.Key.topLogprobs: .integer(Int64(asked.topLogprobs)),
            OpenAI.Key.temperature: fields.value(OpenAI.Key.temperature) ?? .null,
            OpenAI.Key.topP: fields.value(OpenAI.Key.topP) ?? .null,
            OpenAI.Key.presencePenalty: fields.value(OpenAI.Key.presencePenalty) ?? .null,
            OpenAI.Key.frequencyPenalty: fields.value(OpenAI.Key.frequencyPenalty) ?? .null,
            "background": .bool(try fields.bool("background") ?? false),
            // What is not done here, with the value that says so.
            "max_tool_calls": .null, "service_tier": "default",
            // Names of the client's own; every prompt is kept, whatever it is called.
            "safety_identifier": Self.text(try fields.string("safety_identifier")),
            "prompt_cache_key": Self.text(try fields.string("prompt_cache_key")),
        ]
    }

    /// The fields, with the model's own values where the request has none.
    func json(_ sampling: [(key: String, value: Double)]) -> JSONObject {
        var members = members
        for name in [
            OpenAI.Key.temperature, OpenAI.Key.topP, OpenAI.Key.presencePenalty, OpenAI.Key.frequencyPenalty,
        ] where members[name] == .null {
            members[name] = .double(sampling.first { $0.key == name }?.value ?? 0)
        }
        return members
    }

    private static func text(_ text: String?) -> JSONValue {
        text.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }

    /// A function is named beside the type here.
    private static func choice(_ sampling: SamplingFields, _ tools: ToolList) -> JSONValue {
        guard let choice = sampling.toolChoice else { return "auto" }
        guard case .function(let name) = choice else { return choice.json }
        let type = tools.custom[name] == nil ? OpenAI.ToolType.function : .custom
        return .object([OpenAI.Key.type: .string(type.rawValue), OpenAI.Key.name: .string(name)])
    }

    /// A function as an entry of the responses' `tools`, where its members stand beside the type and none is left out.
    private static func tool(_ function: LeapFunction, _ tools: ToolList) -> JSONValue {
        if let custom = tools.custom[function.name] { return tool(custom) }
        var entry: JSONObject = [
            OpenAI.Key.type: .string(OpenAI.ToolType.function.rawValue), OpenAI.Key.name: .string(function.name),
            OpenAI.Key.description: .null, OpenAI.Key.parameters: .null,
        ]
        for (key, value) in function.definition.object?.members ?? [] { entry[key] = value }
        entry[OpenAI.Key.strict] = .bool(tools.strict.contains(function.name))
        return .object(entry)
    }

    /// A custom tool as an entry of the responses' `tools`.
    private static func tool(_ tool: CustomTool) -> JSONValue {
        .object([
            OpenAI.Key.type: .string(OpenAI.ToolType.custom.rawValue), OpenAI.Key.name: .string(tool.name),
            OpenAI.Key.description: tool.description.map { .string($0) } ?? .null,
            OpenAI.Key.format: tool.format ?? .object(["type": "text"]),
        ])
    }
}
