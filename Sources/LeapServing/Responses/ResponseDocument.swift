import Foundation
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A response: its items, its state and its figures.
struct ResponseDocument: Sendable {
    let id = Identifier.make("resp_")
    let created = Int64(Date().timeIntervalSince1970)
    let model: String
    /// The fields of the request, with the defaults for those that it leaves out.
    var members: JSONObject = [:]
    /// A function that counts the tokens of a text; nil where the model is unloaded.
    var countTokens: (@Sendable (String) -> Int)?
    /// The tools that were offered.
    var tools: ToolList?
    private var completed: Int64?
    /// "in_progress", "completed", "incomplete" or "failed".
    private(set) var status = "in_progress"
    private(set) var items: [JSONValue] = []
    private var usage: JSONValue = .null
    private var error: JSONValue = .null

    init(model: String) { self.model = model }

    /// Adds an item that is whole.
    mutating func append(_ item: JSONValue) { items.append(item) }

    /// Takes a whole reply.
    mutating func finish(_ parts: ReplyParts) {
        if items.isEmpty {
            if !parts.reasoning.isEmpty { append(Self.reasoning(Identifier.make("rs_"), parts.reasoning)) }
            if !parts.text.isEmpty || parts.calls.isEmpty {
                append(
                    Self.message(
                        Identifier.make("msg_"), parts.text, logprobs: Self.logprobs(parts), status: "completed"))
            }
            for call in parts.calls { append(self.call(call, callID(call), status: "completed")) }
        }
        status = parts.finishReason == .length ? "incomplete" : "completed"
        if status == "incomplete", var last = items.popLast()?.object {
            // The limit came while it was written.
            if last["status"] != nil { last["status"] = .string(status) }
            append(.object(last))
        }
        completed = Int64(Date().timeIntervalSince1970)
        let stats = parts.completion?.stats
        let (computed, cached) = (stats?.computedPromptTokens ?? 0, stats?.reusedPromptTokens ?? 0)
        let generated = stats?.completionTokens ?? 0
        var details: JSONObject = ["reasoning_tokens": .integer(parts.reasoningTokens(countTokens))]
        if parts.isReasoningCut { details["reasoning_cut"] = .bool(true) }
        usage = .object([
            "input_tokens": .integer(computed + cached),
            // Clients' types demand both; keeping tokens costs nothing here.
            "input_tokens_details": .object([
                OpenAI.Key.cachedTokens: .integer(cached), "cache_write_tokens": .integer(0),
            ]),
            "output_tokens": .integer(generated),
            "output_tokens_details": .object(details),
            OpenAI.Key.totalTokens: .integer(computed + cached + generated),
        ])
    }

    mutating func fail(_ error: APIError) {
        status = "failed"
        self.error = .object(["code": .string(error.code ?? error.type.rawValue), "message": .string(error.message)])
    }

    var json: JSONValue {
        var document: JSONObject = [
            "id": .string(id), "object": "response", "created_at": .integer(created),
            "completed_at": status == "completed" ? completed.map { .integer($0) } ?? .null : .null,
            "status": .string(status),
            "model": .string(model), "output": .array(items), "usage": usage, "error": error,
            "incomplete_details": status == "incomplete" ? .object(["reason": "max_output_tokens"]) : .null,
        ]
        for (key, value) in members.members { document[key] = value }
        return .object(document)
    }

    /// - Parameter logprobs: those of the reply's tokens; empty where they were not asked for.
    static func part(_ text: String, logprobs: JSONValue = .array([])) -> JSONValue {
        .object([
            "type": .string(OpenAI.PartType.outputText.rawValue), "text": .string(text), "annotations": .array([]),
            "logprobs": logprobs,
        ])
    }

    static func message(
        _ id: String, _ text: String?, logprobs: JSONValue = .array([]), status: String
    ) -> JSONValue {
        .object([
            "id": .string(id), "type": "message", "status": .string(status), "role": "assistant",
            "content": .array(text.map { [part($0, logprobs: logprobs)] } ?? []),
        ])
    }

    /// The log probabilities of a whole reply's tokens.
    static func logprobs(_ parts: ReplyParts) -> JSONValue { parts.logprobs["content"] ?? .array([]) }

    static func reasoning(_ id: String, _ text: String) -> JSONValue {
        .object([
            "id": .string(id), "type": "reasoning", "summary": .array([]),
            "content": .array([.object(["type": "reasoning_text", "text": .string(text)])]),
        ])
    }

    /// Returns true if a call is one of a custom tool.
    func isCustom(_ call: LeapFunctionCall) -> Bool { tools?.custom[call.name] != nil }

    /// A new identifier for the item of a call.
    func callID(_ call: LeapFunctionCall) -> String { Identifier.make(isCustom(call) ? "ctc_" : "fc_") }

    /// Returns the input of a call: arguments as JSON, or the text that a custom tool takes.
    func input(of call: LeapFunctionCall) -> String {
        isCustom(call) ? CustomTool.input(of: call) : call.argumentsJSON
    }

    /// The item of a call; while it is in progress it has no input yet.
    func call(_ call: LeapFunctionCall, _ id: String, status: String) -> JSONValue {
        let isCustom = isCustom(call)
        return .object([
            "id": .string(id), "type": isCustom ? "custom_tool_call" : "function_call", "status": .string(status),
            "call_id": .string(call.id ?? ""), "name": .string(call.name),
            (isCustom ? "input" : "arguments"): .string(status == "in_progress" ? "" : input(of: call)),
        ])
    }
}
