import LeapJSON
import LeapOpenAIFormat

extension KnownMembers {
    private typealias Key = OpenAI.Key
    private typealias PartType = OpenAI.PartType

    /// Members that are used, or say what their object is.
    private static func members(_ names: String..., inside: [String: KnownMembers] = [:]) -> KnownMembers {
        .object(inside.merging(names.map { ($0, KnownMembers.anything) }) { known, _ in known })
    }

    private static let call = members(
        Key.id, Key.type, Key.index,
        inside: [Key.function: members(Key.name, Key.arguments, Key.index), Key.custom: members(Key.name, Key.input)])

    /// The parts of a message; the reader of parts refuses or names those of other types.
    private static let parts = each(
        .byType(
            [
                PartType.text.rawValue: members(Key.type, Key.text),
                PartType.inputText.rawValue: members(Key.type, Key.text),
                PartType.outputText.rawValue: members(Key.type, Key.text, "annotations", Key.logprobs),
                PartType.imageURL.rawValue: members(Key.type, inside: [Key.imageURL: members(Key.url)]),
                PartType.inputImage.rawValue: members(Key.type, inside: [Key.imageURL: members(Key.url)]),
                PartType.inputAudio.rawValue: members(
                    Key.type, inside: [Key.inputAudio: members(Key.data, Key.format)]),
                PartType.video.rawValue: members(
                    Key.type,
                    inside: [Key.frames: each(members(Key.time, inside: [Key.imageURL: members(Key.url)]))]),
                PartType.videoURL.rawValue: members(
                    Key.type, inside: [Key.videoURL: members(Key.url, Key.framesPerSecond)]),
            ], others: .anything))

    private static let message = members(
        Key.role, Key.name, Key.toolCallID, Key.reasoning, Key.otherReasoning, Key.refusal, "annotations", Key.type,
        Key.id,
        "status",
        inside: [
            Key.content: parts, Key.toolCalls: each(call), Key.functionCall: members(Key.name, Key.arguments),
            Key.audio: members(Key.id, Key.data, Key.transcript, Key.expiresAt),
        ])

    private static let function = members(Key.name, Key.description, Key.parameters, Key.strict)

    private static let custom = members(Key.name, Key.description, Key.format)

    /// Functions and custom tools; the reader of tools refuses or names those of other types.
    private static let tools = each(
        .byType(
            [
                Key.function: members(
                    Key.type, Key.name, Key.description, Key.parameters, Key.strict, inside: [Key.function: function]),
                Key.custom: members(Key.type, Key.name, Key.description, Key.format, inside: [Key.custom: custom]),
            ],
            others: .anything))

    private static let schema = members(Key.name, Key.schema, Key.strict, Key.type)

    private static let format = members(
        Key.type, Key.schema, Key.name, Key.strict, "value", inside: [Key.jsonSchema: schema])

    private static let choice = byType(
        [
            Key.function: members(Key.type, Key.name, inside: [Key.function: members(Key.name)]),
            Key.custom: members(Key.type, Key.name, inside: [Key.custom: members(Key.name)]),
            Key.allowedTools: members(
                Key.type, Key.mode, Key.tools, inside: [Key.allowedTools: members(Key.mode, Key.tools)]),
        ], others: .anything)

    /// The members of a choice of tools, of which those without effect are named before those of messages and tools.
    static let toolChoice = choice

    /// The members of the objects in chat completions.
    static let chat: [(field: String, known: KnownMembers)] = [
        (Key.messages, each(message)), (Key.tools, tools), (Key.responseFormat, format), (Key.toolChoice, choice),
    ]

    /// The members of the objects in requests for responses.
    static let responses: [(field: String, known: KnownMembers)] = [
        (Key.input, each(.byType(["": message, Key.message: message], others: .anything))), (Key.tools, tools),
        (Key.toolChoice, choice),
        (Key.text, .object([Key.format: format])),
    ]

    /// A block of a message of Anthropic's; keeping prompts is what `cache_control` asks for.
    private static let block: KnownMembers = .byType(
        [
            "text": members("type", "text", "cache_control"),
            "image": members(
                "type", "cache_control", inside: ["source": members("type", "media_type", "data", "url")]),
            "document": members(
                "type", "title", "cache_control",
                inside: ["source": members("type", "media_type", "data", "content")]),
            "search_result": members("type", "title", "source", "content", "cache_control"),
            "thinking": members("type", "thinking", "signature"), "redacted_thinking": members("type", "data"),
            "tool_use": members("type", "id", "name", "input", "caller", "cache_control"),
            "tool_result": members("type", "tool_use_id", "content", "is_error", "cache_control"),
        ], others: .anything)

    /// The members of the objects in requests of Anthropic's Messages API.
    static let messages: [(field: String, known: KnownMembers)] = [
        ("system", each(block)), ("messages", each(members("role", inside: ["content": each(block)]))),
        (
            "tools",
            each(
                .byType(
                    [
                        "": members("name", "description", "input_schema", "strict", "cache_control"),
                        "custom": members(
                            "type", "name", "description", "input_schema", "strict", "cache_control"),
                    ], others: .anything))
        ),
        ("tool_choice", members("type", "name", "disable_parallel_tool_use")),
    ]

    /// The members of the objects in Ollama's chats.
    static let ollama: [(field: String, known: KnownMembers)] = [
        (
            "messages",
            each(
                members(
                    "role", "content", "images", "thinking", "tool_name", "name", "tool_call_id", "reasoning_content",
                    inside: ["tool_calls": each(call)]))
        ), ("tools", tools),
    ]
}

extension RequestFields {
    /// The members inside of fields that have no effect; it reads the fields, so they are known by then.
    mutating func unknownMembers(_ fields: [(field: String, known: KnownMembers)]) -> [String] {
        fields.flatMap { field, known in value(field).map { known.unknown(in: $0, at: field) } ?? [] }
    }
}
