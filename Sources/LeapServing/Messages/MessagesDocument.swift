import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A reply as Anthropic's Messages API writes it.
struct MessagesDocument: Sendable {
    let id = Identifier.make("msg_")
    let model: String
    /// A function that counts the tokens of a text; nil where the model is unloaded.
    var countTokens: (@Sendable (String) -> Int)?

    init(model: String) { self.model = model }

    /// The message with its blocks.
    ///
    /// - Parameters:
    ///   - parts: the whole reply; nil where it begins to be streamed.
    ///   - promptTokens: the tokens of the prompt, for a reply that begins.
    func message(_ parts: ReplyParts?, promptTokens: Int = 0) -> JSONValue {
        .object([
            "id": .string(id), "type": "message", "role": "assistant", "model": .string(model),
            "content": .array(parts.map(Self.blocks) ?? []), "stop_reason": parts.map(Self.stopReason) ?? .null,
            "stop_sequence": parts.map(Self.stopSequence) ?? .null, "stop_details": .null,
            "container": .null, "usage": usage(parts, promptTokens: promptTokens),
        ])
    }

    private static func blocks(_ parts: ReplyParts) -> [JSONValue] {
        var blocks: [JSONValue] = []
        if !parts.reasoning.isEmpty { blocks.append(thinking(parts.reasoning, signature: signature)) }
        if !parts.text.isEmpty || parts.reasoning.isEmpty && parts.calls.isEmpty { blocks.append(text(parts.text)) }
        for call in parts.calls { blocks.append(toolUse(call, input: .object(call.argumentObject))) }
        return blocks
    }

    // MARK: Blocks

    /// The signature of thoughts, which is not checked: clients send thoughts back only with one.
    static let signature = "open-leap"

    static func text(_ text: String) -> JSONValue {
        .object(["type": "text", "text": .string(text), "citations": .null])
    }

    static func thinking(_ text: String, signature: String) -> JSONValue {
        .object(["type": "thinking", "thinking": .string(text), "signature": .string(signature)])
    }

    static func toolUse(_ call: LeapFunctionCall, input: JSONValue) -> JSONValue {
        .object([
            "type": "tool_use", "id": .string(call.id ?? ""), "name": .string(call.name), "input": input,
            "caller": .object(["type": "direct"]),
        ])
    }

    // MARK: The end

    /// Returns the reason why the reply ended.
    static func stopReason(_ parts: ReplyParts) -> JSONValue {
        switch parts.finishReason {
        case .length:
            if case .contextSize? = parts.completion?.limit { return "model_context_window_exceeded" }
            return "max_tokens"
        case .toolCalls: return "tool_use"
        default: return stopSequence(parts) == .null ? "end_turn" : "stop_sequence"
        }
    }

    static func stopSequence(_ parts: ReplyParts) -> JSONValue {
        parts.completion?.stopSequence.map { .string($0) } ?? .null
    }

    /// The tokens: those of the prompt that were computed and those that were kept stand apart there.
    ///
    /// Clients' types demand what is null, too: it is of servers in several places that sell what they do.
    ///
    /// - Parameter promptTokens: those of a prompt whose reply begins.
    func usage(_ parts: ReplyParts?, promptTokens: Int = 0) -> JSONValue {
        let stats = parts?.completion?.stats
        var details: JSONObject = ["thinking_tokens": .integer(parts?.reasoningTokens(countTokens) ?? 0)]
        if parts?.isReasoningCut == true { details["thinking_cut"] = .bool(true) }
        return .object([
            "cache_creation": .null, "inference_geo": .null, "server_tool_use": .null, "service_tier": .null,
            "output_tokens_details": .object(details),
            "input_tokens": .integer(stats?.computedPromptTokens ?? Int64(promptTokens)),
            "cache_creation_input_tokens": .integer(0),
            "cache_read_input_tokens": .integer(stats?.reusedPromptTokens ?? 0),
            "output_tokens": .integer(stats?.completionTokens ?? 0),
        ])
    }
}
