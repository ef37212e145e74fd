import Foundation
import LeapChat
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
    ///
    /// - Parameter logprobs: those of its tokens; empty where they are not asked for.
    func line(_ response: MessagePiece, logprobs: [TokenLogprob] = []) -> JSONValue? {
        let members: [(String, JSONValue)] = [("done", .bool(false))] + Self.logprobs(logprobs)
        return switch response {
        case .chunk(let piece): line(piece, members)
        case .reasoningChunk(let piece): line("", members, more: [("thinking", .string(piece))])
        case .functionCall(let calls) where isChat:
            line("", [("done", .bool(false))], more: [("tool_calls", Self.calls(calls))])
        case .functionCall, .complete, .audioSample: nil
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
        var members: [(String, JSONValue)] = [
            ("done", .bool(true)), ("done_reason", parts.finishReason == .length ? "length" : "stop"),
            ("total_duration", .integer(total)), ("load_duration", .integer(0)),
            ("prompt_eval_count", .integer(stats?.wholePromptTokens ?? 0)),
            ("prompt_eval_duration", .integer(max(0, total - generating))), ("eval_count", .integer(generated)),
            ("eval_duration", .integer(generating)),
        ]
        if let stats, stats.thinkingTokens > 0 || stats.wasThinkingCut {
            members.append(("thinking_count", .integer(stats.thinkingTokens)))
            if stats.wasThinkingCut { members.append(("thinking_cut", .bool(true))) }
        }
        guard isWhole else { return line("", members) }
        let logprobs = Self.logprobs(parts.completion?.logprobs ?? [])
        var more: [(String, JSONValue)] = []
        if !parts.reasoning.isEmpty { more.append(("thinking", .string(parts.reasoning))) }
        if isChat, !parts.calls.isEmpty { more.append(("tool_calls", Self.calls(parts.calls))) }
        return line(parts.text, members + logprobs, more: more)
    }

    /// The member with the log probabilities of tokens; none where there are no tokens.
    private static func logprobs(_ tokens: [TokenLogprob]) -> [(String, JSONValue)] {
        guard !tokens.isEmpty, let entries = Logprobs.document(tokens)[OpenAI.Key.content] else { return [] }
        return [("logprobs", entries)]
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
    /// Tokens that are in no line yet.
    private var logprobs = ChunkLogprobs()

    init(send: @escaping ServerReply.Send, lines: OllamaLines) {
        self.send = send
        self.lines = lines
    }

    private func write(_ value: JSONValue) async throws { try await send(JSONWriter.bytes(value) + [0x0a]) }

    mutating func begin() async throws {}

    mutating func add(_ piece: ReplyPiece) async throws {
        logprobs.add(piece.logprobs)
        var tokens: [TokenLogprob] = []
        switch piece.response {
        case .chunk(let text), .reasoningChunk(let text):
            let (before, own) = logprobs.take(text)
            tokens = before + own
        default: break
        }
        if let line = lines.line(piece.response, logprobs: tokens) { try await write(line) }
    }

    mutating func end(_ parts: [ReplyParts]) async throws { try await write(lines.end(parts[0], isWhole: false)) }

    mutating func fail(_ error: APIError) async throws {
        try await write(ErrorShape.ollama.document(of: error))
    }
}
