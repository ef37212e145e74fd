import Foundation
import LeapBase
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/audio/speech`.
struct Speech: Sendable {
    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        let asked = try await LongWork.run(on: request.body.byteCount) { try AudioSpeechRequest(request.body) }
        let lease = try await request.lease(asked.model, from: pool)
        try lease.checkSpeaks("model")
        let acceptance = ReplyAcceptance(count: 1)
        let reply = lease.runner.reply(
            to: try asked.messages(for: lease.runner), functions: [], options: AudioSpeechRequest.options,
            timing: request.record?.reply(AudioSpeechRequest.options), onAccepted: { acceptance.accept($0) })
        let sound = Self.audioOnly(reply, of: lease.model.id)
        // Bytes have no place for an error, so their head waits for the first of them.
        let pending = PendingReplies(
            [sound], lease, for: request, asked.hasEvents ? acceptance : nil)
        return try await Self.answer(pending, asked).warning(of: asked.ignored)
    }

    /// The sound of a reply, as it is made or whole.
    private static func answer(_ pending: PendingReplies, _ asked: AudioSpeechRequest) async throws -> ServerReply {
        do {
            guard !asked.isWhole else {
                let samples = try await pending.whole()[0].sound ?? Data()
                return ServerReply(
                    headers: [("content-type", asked.format.mediaType), ("cache-control", "no-store")],
                    body: .bytes([UInt8](PCM16.file(samples, isFLAC: asked.format == .flac))))
            }
            guard !asked.hasEvents else {
                return try await pending.stream(type: ServerReply.events) { send in
                    SpeechEvents(writer: EventWriter(send: send), format: asked.format)
                }
            }
            return try await pending.stream(type: asked.format.mediaType) { send in
                SpeechBytes(send: send, format: asked.format)
            }
        } catch {
            // There is nothing else in the prompt that could be too long.
            var error = APIError(error)
            if error.code == OpenAI.ErrorCode.contextLengthExceeded { error.parameter = "input" }
            throw error
        }
    }

    /// The sound and the end of a reply; a reply without sound is an error.
    private static func audioOnly(_ reply: PendingReplies.Reply, of model: String) -> PendingReplies.Reply {
        PendingReplies.Reply { sink in
            let hasAudio = OneWaySwitch()
            let filter = StreamSink(
                yield: { response in
                    switch response {
                    case .audioSample:
                        hasAudio.set()
                        sink.yield(response)
                    case .complete: hasAudio.isSet ? sink.yield(response) : sink.end(silent(model))
                    case .chunk, .reasoningChunk, .functionCall: break
                    }
                }, end: sink.end)
            return reply.begin(filter)
        }
    }

    /// The error of a model that answers without sound.
    static func silent(_ model: String, _ field: String = "model") -> APIError {
        .invalid(
            "'\(model)' makes no sound: use an audio model that comes with its decoder (LFM2.5-Audio, LFM3-Audio)",
            field,
            code: "unsupported_content")
    }
}

/// A sound as the bytes of a file.
private struct SpeechBytes: StreamShape {
    let send: ServerReply.Send
    let format: SpeechWriter.Format
    private var writer = SpeechWriter()

    init(send: @escaping ServerReply.Send, format: SpeechWriter.Format) {
        self.send = send
        self.format = format
    }

    mutating func begin() async throws {}

    mutating func add(_ piece: ReplyPiece) async throws {
        guard case .audioSample(let samples, let rate) = piece.response else { return }
        try await send([UInt8](writer.bytes(samples, rate, format)))
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        let rest = writer.rest()
        if !rest.isEmpty { try await send([UInt8](rest)) }
    }

    // There is no place for words in a sound: it ends early, and the connection with it.
    mutating func fail(_ error: APIError) async throws { throw error }
}

/// A sound as events.
private struct SpeechEvents: StreamShape {
    let writer: EventWriter
    let format: SpeechWriter.Format
    private var sound = SpeechWriter()

    init(writer: EventWriter, format: SpeechWriter.Format) {
        self.writer = writer
        self.format = format
    }

    mutating func begin() async throws {}

    mutating func add(_ piece: ReplyPiece) async throws {
        guard case .audioSample(let samples, let rate) = piece.response else { return }
        try await send(sound.bytes(samples, rate, format))
    }

    private func send(_ bytes: Data) async throws {
        guard !bytes.isEmpty else { return }
        try await writer.event(
            .object(["type": "speech.audio.delta", "audio": .string(bytes.base64EncodedString())]))
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        try await send(sound.rest())
        try await writer.event(.object(["type": "speech.audio.done", "usage": parts[0].transcriptUsage]))
    }

    mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
}
