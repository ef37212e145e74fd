import Foundation
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The lines that answers consist of in Ollama's protocol.
struct OllamaLines: Sendable {
    let model: String
    /// True for `/api/chat`, where the text is in a message.
    let isChat: Bool
    private let start = ContinuousClock.now

    init(model: String, isChat: Bool) {
        self.model = model
        self.isChat = isChat
    }

    /// The answer to a request that only wants the model to be loaded.
    var loaded: JSONValue { line("", [("done", .bool(true)), ("done_reason", "load")]) }

    /// The answer to a request that only wants the model to be given up.
    var unloaded: JSONValue { line("", [("done", .bool(true)), ("done_reason", "unload")]) }

    /// The line of a piece; nil where it has none.
    func line(_ response: MessageResponse) -> JSONValue? {
        switch response {
        case .chunk(let piece): line(piece, [("done", .bool(false))])
        case .reasoningChunk(let piece): line("", [("done", .bool(false))], more: [("thinking", .string(piece))])
        case .functionCall(let calls) where isChat:
            line("", [("done", .bool(false))], more: [("tool_calls", Self.calls(calls))])
        case .functionCall, .complete, .audioSample: nil
        #if LEAPErrorsInBand
            case .error: nil
        #endif
        }
    }

    /// The last line, which has the figures.
    ///
    /// - Parameter isWhole: whether it is the only one, and has the text too.
    func end(_ parts: ReplyParts, isWhole: Bool) -> JSONValue {
        let stats = parts.completion?.stats
        let total = Int64((ContinuousClock.now - start) / .nanoseconds(1))
        let generated = stats?.completionTokens ?? 0
        let speed = Double(stats?.tokenPerSecond ?? 0)
        let generating = speed > 0 ? Int64(Double(generated) / speed * 1e9) : 0
        let members: [(String, JSONValue)] = [
            ("done", .bool(true)), ("done_reason", parts.finishReason == .length ? "length" : "stop"),
            ("total_duration", .integer(total)), ("load_duration", .integer(0)),
            ("prompt_eval_count", .integer((stats?.promptTokens ?? 0) + (stats?.reusedPromptTokens ?? 0))),
            ("prompt_eval_duration", .integer(max(0, total - generating))), ("eval_count", .integer(generated)),
            ("eval_duration", .integer(generating)),
        ]
        guard isWhole else { return line("", members) }
        var more: [(String, JSONValue)] = []
        if !parts.reasoning.isEmpty { more.append(("thinking", .string(parts.reasoning))) }
        if isChat, !parts.calls.isEmpty { more.append(("tool_calls", Self.calls(parts.calls))) }
        return line(parts.text, members, more: more)
    }

    private static func calls(_ calls: [LeapFunctionCall]) -> JSONValue {
        .array(
            calls.map {
                .object(["function": .object(["name": .string($0.name), "arguments": .object($0.argumentObject)])])
            })
    }

    /// - Parameter more: what stands beside the text.
    private func line(
        _ text: String, _ members: [(String, JSONValue)], more: [(String, JSONValue)] = []
    ) -> JSONValue {
        let head: [(String, JSONValue)] = [("model", .string(model)), ("created_at", .string(Self.time(Date())))]
        let body: [(String, JSONValue)] =
            isChat
            ? [("message", .object(JSONObject([("role", "assistant"), ("content", .string(text))] + more)))]
            : [("response", .string(text))] + more
        return .object(JSONObject(head + body + members))
    }

    static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}

/// The lines of a streamed answer.
struct OllamaStream: StreamShape {
    let send: ServerReply.Send
    let lines: OllamaLines

    private func write(_ value: JSONValue) async throws { try await send(JSONWriter.bytes(value) + [0x0a]) }

    mutating func begin() async throws {}

    mutating func add(_ piece: ReplyPiece) async throws {
        if let line = lines.line(piece.response) { try await write(line) }
    }

    mutating func end(_ parts: [ReplyParts]) async throws { try await write(lines.end(parts[0], isWhole: false)) }

    mutating func fail(_ error: APIError) async throws {
        try await write(.object(["error": .string(error.message)]))
    }
}
