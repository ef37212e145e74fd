import LeapJSON

/// A piece of a reply with everything that the endpoint sends.
public struct ChatCompletionChunk: Sendable, Hashable {
    /// A piece of a call of a function: the first has its name, the following ones more of its arguments.
    public struct ToolCall: Sendable, Hashable {
        /// Which call of the reply it belongs to, from 0.
        public let index: Int
        /// What the result refers to.
        public let id: String?
        /// The function's name.
        public let name: String?
        /// The next characters of the arguments, which together are a JSON object.
        public let arguments: String?
    }

    /// The reply's name.
    public let id: String?
    /// The model that answers, as the endpoint names it.
    public let model: String?
    /// The next characters of the answer.
    public let content: String?
    /// The next characters of what the model thinks.
    public let reasoning: String?
    /// Pieces of calls.
    public let toolCalls: [ToolCall]
    /// Why the reply ended: `stop`, `length`, `tool_calls`, `content_filter`.
    public let finishReason: String?
    /// The tokens used; comes at the end.
    public let usage: Usage?
}

extension ChatCompletionChunk {
    /// Reads the data of an event, or a whole reply that was not streamed.
    ///
    /// - Throws: ``OpenAiClientError`` for an error of the endpoint, and where it is neither.
    init(_ value: JSONValue) throws(OpenAiClientError) {
        guard let object = value.object else {
            throw OpenAiClientError(
                .malformedAnswer, "an event of the endpoint is \(value.kind); expected a JSON object")
        }
        if let error = object["error"], error != .null { throw EndpointError(value).midway }
        let choice = (object["choices"]?.array ?? []).first { ($0.object?["index"]?.integer ?? 0) == 0 }?.object
        let delta = (choice?["delta"] ?? choice?["message"])?.object
        id = object["id"]?.string
        model = object["model"]?.string
        content = Self.text(delta?["content"])
        reasoning = Self.text(delta?["reasoning_content"]) ?? Self.text(delta?["reasoning"])
        toolCalls = (delta?["tool_calls"]?.array ?? []).enumerated().compactMap { position, entry in
            guard let entry = entry.object else { return nil }
            let function = entry["function"]?.object
            // Some endpoints leave the index out; calls are few.
            let index = min(max(entry["index"]?.integer ?? position, 0), 1 << 16)
            return ToolCall(
                index: index, id: entry["id"]?.string, name: function?["name"]?.string,
                arguments: function?["arguments"]?.string
                    ?? function?["arguments"]?.object.map { JSONWriter.string(.object($0)) })
        }
        finishReason = choice?["finish_reason"]?.string
        usage = Usage(object["usage"])
    }

    /// Text that is not empty: a string, or parts with text.
    private static func text(_ value: JSONValue?) -> String? {
        let text = value?.string ?? value?.array?.compactMap { $0.object?["text"]?.string }.joined()
        return text?.isEmpty == false ? text : nil
    }
}
