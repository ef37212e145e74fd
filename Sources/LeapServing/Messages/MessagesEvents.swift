import LeapChat
import LeapJSON

/// Writes the events of a message that is streamed (https://docs.anthropic.com/en/api/messages-streaming).
struct MessagesEvents: StreamShape {
    private enum Block {
        case text, thinking
    }

    private let writer: EventWriter
    private let document: MessagesDocument
    /// The tokens of the prompt, those that were kept included; nil where they are not known.
    private let promptTokens: Int?
    private var open: Block?
    /// The number of blocks that have ended.
    private var index: Int64 = 0

    init(writer: EventWriter, document: MessagesDocument, promptTokens: Int?) {
        self.promptTokens = promptTokens
        self.writer = writer
        self.document = document
    }

    private func send(_ type: String, _ members: KeyValuePairs<String, JSONValue> = [:]) async throws {
        var event: JSONObject = ["type": .string(type)]
        for (key, value) in members { event[key] = value }
        try await writer.event(.object(event), name: type)
    }

    /// Sends the first event with the tokens of the prompt; how many of them were kept is told at the end, when it is
    /// known.
    mutating func begin() async throws {
        try await send("message_start", ["message": document.message(nil, promptTokens: promptTokens ?? 0)])
        try await send("ping")
    }

    mutating func add(_ piece: ReplyPiece) async throws {
        switch piece.response {
        case .chunk(let text) where !text.isEmpty:
            try await begin(.text, MessagesDocument.text(""))
            try await delta(["type": "text_delta", "text": .string(text)])
        case .reasoningChunk(let text) where !text.isEmpty:
            try await begin(.thinking, MessagesDocument.thinking("", signature: ""))
            try await delta(["type": "thinking_delta", "thinking": .string(text)])
        case .functionCall:
            for call in piece.calls {
                try await close()
                try await start(MessagesDocument.toolUse(call, input: .object([:])))
                try await delta(["type": "input_json_delta", "partial_json": .string(call.argumentsJSON)])
                try await stop()
            }
        case .chunk, .reasoningChunk, .complete, .audioSample: break
        }
    }

    mutating func end(_ replies: [ReplyParts]) async throws {
        // A reply without a text is a message without one, in a block of its own as in the one that is not streamed.
        if index == 0, open == nil { try await begin(.text, MessagesDocument.text("")) }
        try await close()
        let parts = replies[0]
        try await send(
            "message_delta",
            [
                "delta": .object([
                    "stop_reason": MessagesDocument.stopReason(parts),
                    "stop_sequence": MessagesDocument.stopSequence(parts),
                ]),
                "usage": document.usage(parts),
            ])
        try await send("message_stop")
    }

    mutating func fail(_ error: APIError) async throws {
        try await writer.event(ErrorShape.anthropic.document(of: error), name: "error")
    }

    // MARK: Blocks

    /// Begins a block unless one of its kind is open.
    private mutating func begin(_ kind: Block, _ block: JSONValue) async throws {
        guard open != kind else { return }
        try await close()
        try await start(block)
        open = kind
    }

    private mutating func close() async throws {
        guard let kind = open else { return }
        open = nil
        if kind == .thinking {
            try await delta(["type": "signature_delta", "signature": .string(MessagesDocument.signature)])
        }
        try await stop()
    }

    private func start(_ block: JSONValue) async throws {
        try await send("content_block_start", ["index": .integer(index), "content_block": block])
    }

    private func delta(_ delta: JSONObject) async throws {
        try await send("content_block_delta", ["index": .integer(index), "delta": .object(delta)])
    }

    private mutating func stop() async throws {
        try await send("content_block_stop", ["index": .integer(index)])
        index += 1
    }
}
