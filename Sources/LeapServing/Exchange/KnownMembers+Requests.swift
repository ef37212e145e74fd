import LeapJSON

extension KnownMembers {
    /// Members that are used, or say what their object is.
    private static func members(_ names: String..., inside: [String: KnownMembers] = [:]) -> KnownMembers {
        .object(inside.merging(names.map { ($0, KnownMembers.anything) }) { known, _ in known })
    }

    private static let call = members(
        "id", "type", "index",
        inside: ["function": members("name", "arguments", "index"), "custom": members("name", "input")])

    /// The parts of a message; those of other types are refused, or named by whoever reads them.
    private static let parts = each(
        .byType(
            [
                "text": members("type", "text"), "input_text": members("type", "text"),
                "output_text": members("type", "text", "annotations", "logprobs"),
                "image_url": members("type", inside: ["image_url": members("url")]),
                "input_image": members("type", inside: ["image_url": members("url")]),
                "input_audio": members("type", inside: ["input_audio": members("data", "format")]),
            ], others: .anything))

    private static let message = members(
        "role", "name", "tool_call_id", "reasoning_content", "reasoning", "refusal", "annotations", "type", "id",
        "status",
        inside: [
            "content": parts, "tool_calls": each(call), "function_call": members("name", "arguments"),
            "audio": members("id", "data", "transcript", "expires_at"),
        ])

    private static let function = members("name", "description", "parameters", "strict")

    private static let custom = members("name", "description", "format")

    /// Functions and custom tools; tools of other types are refused, or named by whoever reads them.
    private static let tools = each(
        .byType(
            [
                "function": members(
                    "type", "name", "description", "parameters", "strict", inside: ["function": function]),
                "custom": members("type", "name", "description", "format", inside: ["custom": custom]),
            ],
            others: .anything))

    private static let schema = members("name", "schema", "strict", "type")

    private static let format = members("type", "schema", "name", "strict", inside: ["json_schema": schema])

    private static let choice = byType(
        [
            "function": members("type", "name", inside: ["function": members("name")]),
            "custom": members("type", "name", inside: ["custom": members("name")]),
            "allowed_tools": members(
                "type", "mode", "tools", inside: ["allowed_tools": members("mode", "tools")]),
        ], others: .anything)

    /// Those of a choice of tools, which is read before its mode takes its place.
    static let toolChoice = choice

    /// Those of chat completions and of Ollama's chats.
    static let chat: [(field: String, known: KnownMembers)] = [
        ("messages", each(message)), ("tools", tools), ("response_format", format), ("tool_choice", choice),
    ]

    /// Those of responses.
    static let responses: [(field: String, known: KnownMembers)] = [
        ("input", each(.byType(["": message, "message": message], others: .anything))), ("tools", tools),
        ("tool_choice", choice),
        ("text", .object(["format": format])),
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

    /// Those of Anthropic's messages.
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

    /// Those of Ollama's chats.
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
