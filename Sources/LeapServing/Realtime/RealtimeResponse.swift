import Foundation
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A reply of a realtime session: makes events of what arrives of it, and items of the conversation.
struct RealtimeResponse: Sendable {
    /// An event's type, and its members besides.
    typealias Event = (type: String, members: JSONObject)

    /// The reason why it ended.
    enum Ending: Sendable {
        case whole
        /// `turn_detected` or `client_cancelled`.
        case cancelled(reason: String)
        case failed(APIError)
    }

    let id = Identifier.make("resp_")
    private let settings: RealtimeSettings
    private let metadata: JSONValue
    /// The item in front of its first one; nil outside of the conversation.
    private let previous: String?
    private let isInConversation: Bool

    /// Its items that are whole.
    private(set) var items: [RealtimeItem] = []
    private var message: RealtimeItem?
    private var completion: MessageCompletion?
    private var writer = SpeechWriter()
    /// The response as it is in the protocol.
    private var status = "in_progress"
    private var details: JSONValue = .null

    /// - Parameter previous: the conversation's last item.
    init(_ settings: RealtimeSettings, metadata: JSONObject?, isInConversation: Bool, previous: String?) {
        self.settings = settings
        self.metadata = metadata.map { .object($0) } ?? .null
        self.isInConversation = isInConversation
        self.previous = previous
    }

    // MARK: What arrives

    func begin() -> [Event] { [("response.created", ["response": json])] }

    mutating func add(_ response: MessagePiece) -> [Event] {
        switch response {
        case .chunk(let text):
            var events = open()
            message?.spoken?.add(text)
            let type = settings.speaks ? "response.output_audio_transcript.delta" : "response.output_text.delta"
            events.append((type, place(["content_index": .integer(0), "delta": .string(text)])))
            return events
        case .audioSample(let samples, let rate): return settings.speaks ? sound(samples, rate) : []
        case .functionCall(let calls): return calls.flatMap { call(ReplyParts.identified($0)) }
        case .complete(let completion):
            self.completion = completion
            return []
        case .reasoningChunk: return []
        }
    }

    mutating func end(_ ending: Ending) -> [Event] {
        switch ending {
        case .whole where completion?.finishReason == .exceedContext:
            status = "incomplete"
            details = .object(["type": "incomplete", "reason": "max_output_tokens"])
        case .whole:
            status = "completed"
        case .cancelled(let reason):
            status = "cancelled"
            details = .object(["type": "cancelled", "reason": .string(reason)])
        case .failed(let error):
            status = "failed"
            details = .object([
                "type": "failed",
                "error": .object([
                    "type": .string(error.type.rawValue), "code": error.code.map { .string($0) } ?? .null,
                    "message": .string(error.message),
                ]),
            ])
        }
        return close() + [("response.done", ["response": json])]
    }

    private mutating func sound(_ samples: [Float], _ rate: Int) -> [Event] {
        let samples = writer.atProtocolRate(samples, rate)
        guard !samples.isEmpty else { return [] }
        var events = open()
        message?.spoken?.add(samples: samples.count)
        let delta = PCM16.bytes(samples).base64EncodedString()
        events.append(
            ("response.output_audio.delta", place(["content_index": .integer(0), "delta": .string(delta)])))
        return events
    }

    // MARK: Items

    private var outputIndex: Int64 { Int64(items.count) }

    /// Returns the members of an event of the open item.
    private func place(_ members: JSONObject, item: String? = nil) -> JSONObject {
        var all: JSONObject = [
            "response_id": .string(id), "item_id": .string(item ?? message?.id ?? ""),
            "output_index": .integer(outputIndex),
        ]
        for (key, value) in members.members { all[key] = value }
        return all
    }

    /// Begins the message, where none is open.
    private mutating func open() -> [Event] {
        guard message == nil else { return [] }
        var item = RealtimeItem(ChatMessage(role: .assistant, content: []), status: "in_progress")
        item.spoken = SpokenText(isSpoken: settings.speaks)
        message = item
        return begun(item) + [
            (
                "response.content_part.added",
                place(["content_index": .integer(0), "part": item.spoken?.part ?? .null])
            )
        ]
    }

    private func begun(_ item: RealtimeItem) -> [Event] {
        let members: JSONObject = [
            "response_id": .string(id), "output_index": .integer(outputIndex), "item": item.json,
        ]
        return [("response.output_item.added", members)] + inConversation("conversation.item.added", item)
    }

    private func ended(_ item: RealtimeItem) -> [Event] {
        let members: JSONObject = [
            "response_id": .string(id), "output_index": .integer(outputIndex), "item": item.json,
        ]
        return [("response.output_item.done", members)] + inConversation("conversation.item.done", item)
    }

    private func inConversation(_ type: String, _ item: RealtimeItem) -> [Event] {
        guard isInConversation else { return [] }
        let before = items.last?.id ?? previous
        return [(type, ["previous_item_id": before.map { .string($0) } ?? .null, "item": item.json])]
    }

    private mutating func call(_ call: LeapFunctionCall) -> [Event] {
        var events = close()
        var item = RealtimeItem(ChatMessage(role: .assistant, content: [], functionCalls: [call]))
        item.status = "in_progress"
        events += begun(item)
        let arguments = JSONWriter.string(.object(call.argumentObject))
        let members: JSONObject = ["call_id": .string(call.id ?? item.id)]
        for (type, name) in [
            ("response.function_call_arguments.delta", "delta"), ("response.function_call_arguments.done", "arguments"),
        ] {
            var members = members
            members[name] = .string(arguments)
            events.append((type, place(members, item: item.id)))
        }
        item.status = "completed"
        events += ended(item)
        items.append(item)
        return events
    }

    /// Ends the message that is open.
    private mutating func close() -> [Event] {
        guard var item = message, let spoken = item.spoken else { return [] }
        let isWhole = status == "completed" || status == "in_progress"
        item.status = isWhole ? "completed" : "incomplete"
        item.message =
            isWhole && completion != nil
            ? Self.withoutCalls(completion?.message ?? item.message)
            : ChatMessage(role: .assistant, textContent: spoken.text)
        var events: [Event] = []
        if spoken.isSpoken {
            events.append(("response.output_audio.done", place(["content_index": .integer(0)])))
            events.append(
                (
                    "response.output_audio_transcript.done",
                    place(["content_index": .integer(0), "transcript": .string(spoken.text)])
                ))
        } else {
            events.append(
                ("response.output_text.done", place(["content_index": .integer(0), "text": .string(spoken.text)])))
        }
        events.append(("response.content_part.done", place(["content_index": .integer(0), "part": spoken.part])))
        events += ended(item)
        items.append(item)
        message = nil
        return events
    }

    /// The message as the model wrote it; calls are items of their own.
    private static func withoutCalls(_ message: ChatMessage) -> ChatMessage {
        guard message.functionCalls?.isEmpty == false else { return message }
        var message = message
        message.functionCalls = nil
        return message
    }

    // MARK: The response

    private var usage: JSONValue {
        guard let stats = completion?.stats else { return .null }
        let input = stats.wholePromptTokens
        var details: JSONObject = ["reasoning_tokens": .integer(stats.thinkingTokens)]
        if stats.wasThinkingCut { details["reasoning_cut"] = .bool(true) }
        return .object([
            "input_tokens": .integer(input), "output_tokens": .integer(stats.completionTokens),
            "total_tokens": .integer(input + stats.completionTokens),
            "input_token_details": .object(["cached_tokens": .integer(stats.reusedPromptTokens)]),
            "output_token_details": .object(details),
        ])
    }

    private var json: JSONValue {
        .object([
            "id": .string(id), "object": "realtime.response", "status": .string(status), "status_details": details,
            "output": .array(items.map(\.json)), "output_modalities": .array([settings.speaks ? "audio" : "text"]),
            "metadata": metadata, "usage": usage,
        ])
    }
}
