import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// Writes the events of a response that is streamed.
struct ResponseEvents: StreamShape {
    private enum Open {
        case nothing
        case message(id: String, text: String)
        case reasoning(id: String, text: String)
    }

    private let writer: EventWriter
    private var document: ResponseDocument
    /// A function that keeps the response for requests that go on from it.
    private let keep: @Sendable (ResponseDocument, ReplyParts) async -> Void
    private var open = Open.nothing
    private var sequence: Int64 = 0
    /// Tokens that are in no event yet.
    private var logprobs = ChunkLogprobs()

    init(
        writer: EventWriter, document: ResponseDocument,
        keep: @escaping @Sendable (ResponseDocument, ReplyParts) async -> Void
    ) {
        self.writer = writer
        self.document = document
        self.keep = keep
    }

    private mutating func send(_ type: String, _ members: KeyValuePairs<String, JSONValue>) async throws {
        var event: JSONObject = ["type": .string(type), "sequence_number": .integer(sequence)]
        sequence += 1
        for (key, value) in members { event[key] = value }
        try await writer.event(.object(event), name: type)
    }

    /// The index of the item that is being written.
    private var index: JSONValue { .integer(Int64(document.items.count)) }

    mutating func begin() async throws {
        try await send("response.created", ["response": document.json])
        try await send("response.in_progress", ["response": document.json])
    }

    mutating func add(_ piece: ReplyPiece) async throws {
        logprobs.add(piece.logprobs)
        switch piece.response {
        case .chunk(let text): try await self.text(text)
        case .reasoningChunk(let text):
            _ = logprobs.take(text)
            try await reasoning(text)
        case .functionCall: for call in piece.calls { try await self.call(call) }
        case .complete, .audioSample: break
        }
    }

    private mutating func text(_ piece: String) async throws {
        if case .message = open {
        } else {
            try await close()
            let id = Identifier.make("msg_")
            open = .message(id: id, text: "")
            try await send(
                "response.output_item.added",
                ["output_index": index, "item": ResponseDocument.message(id, nil, status: "in_progress")])
            try await send(
                "response.content_part.added",
                [
                    "item_id": .string(id), "output_index": index, "content_index": .integer(0),
                    "part": ResponseDocument.part(""),
                ])
        }
        guard case .message(let id, let text) = open else { return }
        open = .message(id: id, text: text + piece)
        let tokens = logprobs.take(piece).own
        try await send(
            "response.output_text.delta",
            [
                "item_id": .string(id), "output_index": index, "content_index": .integer(0), "delta": .string(piece),
                "logprobs": Logprobs.document(tokens)["content"] ?? .array([]),
            ])
    }

    private mutating func reasoning(_ piece: String) async throws {
        if case .reasoning = open {
        } else {
            try await close()
            let id = Identifier.make("rs_")
            open = .reasoning(id: id, text: "")
            try await send(
                "response.output_item.added",
                ["output_index": index, "item": ResponseDocument.reasoning(id, "")])
        }
        guard case .reasoning(let id, let text) = open else { return }
        open = .reasoning(id: id, text: text + piece)
        try await send(
            "response.reasoning_text.delta",
            ["item_id": .string(id), "output_index": index, "content_index": .integer(0), "delta": .string(piece)])
    }

    private mutating func call(_ call: LeapFunctionCall) async throws {
        try await close()
        let id = document.callID(call)
        let input = JSONValue.string(document.input(of: call))
        let item = document.call(call, id, status: "in_progress")
        try await send("response.output_item.added", ["output_index": index, "item": item])
        if document.isCustom(call) {
            try await send(
                "response.custom_tool_call_input.delta",
                ["item_id": .string(id), "output_index": index, "delta": input])
            try await send(
                "response.custom_tool_call_input.done",
                ["item_id": .string(id), "output_index": index, "input": input])
        } else {
            try await send(
                "response.function_call_arguments.delta",
                ["item_id": .string(id), "output_index": index, "delta": input])
            try await send(
                "response.function_call_arguments.done",
                ["item_id": .string(id), "output_index": index, "name": .string(call.name), "arguments": input])
        }
        try await finish(document.call(call, id, status: "completed"))
    }

    mutating func end(_ replies: [ReplyParts]) async throws {
        let parts = replies[0]
        // A reply without a text is a message without one.
        if document.items.isEmpty, case .nothing = open { try await text("") }
        try await close(
            status: parts.finishReason == .length ? "incomplete" : "completed",
            logprobs: ResponseDocument.logprobs(parts))
        document.finish(parts)
        let name = parts.finishReason == .length ? "response.incomplete" : "response.completed"
        // Before its end is sent, as a client may go on from it at once.
        await keep(document, parts)
        try await send(name, ["response": document.json])
    }

    mutating func fail(_ error: APIError) async throws {
        try await close()
        document.fail(error)
        try await send("response.failed", ["response": document.json])
    }

    /// Ends the item that is being written.
    ///
    /// - Parameters:
    ///   - status: that of a message.
    ///   - logprobs: those of its tokens, which are told with its end.
    private mutating func close(status: String = "completed", logprobs: JSONValue = .array([])) async throws {
        let item = open
        open = .nothing
        switch item {
        case .nothing: break
        case .message(let id, let text):
            try await send(
                "response.output_text.done",
                [
                    "item_id": .string(id), "output_index": index, "content_index": .integer(0),
                    "text": .string(text), "logprobs": logprobs,
                ])
            try await send(
                "response.content_part.done",
                [
                    "item_id": .string(id), "output_index": index, "content_index": .integer(0),
                    "part": ResponseDocument.part(text, logprobs: logprobs),
                ])
            try await finish(ResponseDocument.message(id, text, logprobs: logprobs, status: status))
        case .reasoning(let id, let text):
            try await send(
                "response.reasoning_text.done",
                ["item_id": .string(id), "output_index": index, "content_index": .integer(0), "text": .string(text)])
            try await finish(ResponseDocument.reasoning(id, text))
        }
    }

    private mutating func finish(_ item: JSONValue) async throws {
        try await send("response.output_item.done", ["output_index": index, "item": item])
        document.append(item)
    }
}
