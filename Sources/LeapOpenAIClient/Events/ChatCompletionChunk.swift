import LeapJSON
import LeapOpenAIFormat

/// A piece of a reply with everything that the endpoint sends.
public struct ChatCompletionChunk: Sendable, Hashable {
    /// A piece of a tool call: the first has its name, the following ones more of its arguments.
    public struct ToolCall: Sendable, Hashable {
        /// The position of the call in the reply, from 0.
        public let index: Int
        /// The identifier of the call, which the message with its result refers to.
        public let id: String?
        /// The name of the function, or of the custom tool.
        public let name: String?
        /// The next characters of the arguments, which together are a JSON object.
        ///
        /// For a custom tool, they are characters of its input, which is any text.
        public let arguments: String?
    }

    /// The identifier of the reply.
    public let id: String?
    /// The model that answers, under the endpoint's name for it.
    public let model: String?
    /// The next characters of the answer.
    public let content: String?
    /// The next characters of the model's reasoning.
    public let reasoning: String?
    /// Pieces of calls.
    public let toolCalls: [ToolCall]
    /// The finish reason of the reply: `stop`, `length`, `tool_calls`, `content_filter`.
    public let finishReason: String?
    /// The token counts of the prompt and the reply, in one of the last chunks.
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
        if let error = object[OpenAI.Key.error], error != .null { throw EndpointError(value).midway }
        let reply = OpenAI.Reply(object)
        let choice = reply.choices.first { $0.index == 0 }
        let message = choice?.message
        id = reply.id
        model = reply.model
        content = OpenAI.ContentPart.text(of: message?.content).flatMap { $0.isEmpty ? nil : $0 }
        reasoning = message?.reasoning
        let legacy = message?.functionCall.map { [$0] } ?? []
        let calls = message?.toolCalls ?? []
        toolCalls = (calls.isEmpty ? legacy : calls).enumerated().map { ToolCall($1, position: $0) }
        finishReason = choice?.finishReason
        usage = reply.usage.map { Usage($0) }
    }
}

extension ChatCompletionChunk.ToolCall {
    /// - Parameter position: stands for the index, which some endpoints leave out.
    fileprivate init(_ call: OpenAI.ToolCall, position: Int) {
        // Calls are few: whoever keeps them by their index is safe from large ones.
        index = min(max(call.index ?? position, 0), 1 << 16)
        id = call.id
        name = call.name
        arguments = call.input?.string ?? call.input?.object.map { JSONWriter.string(.object($0)) }
    }
}
