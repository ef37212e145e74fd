import LeapChat
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/audio/transcriptions`.
struct Transcriptions: Sendable {
    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        // A compressed sound is more work than its bytes tell.
        let asked = try await LongWork.run(on: .max) {
            try TranscriptionRequest(request.body.bytes, contentType: request.headers["content-type"])
        }
        let lease = try await request.lease(asked.model, from: pool)
        if let problem = lease.runner.readableParts.audioProblem {
            throw APIError.invalid("'file' is audio, but \(problem)", "file", code: "unsupported_content")
        }
        try asked.checkLanguage(lease.runner.transcriptionLanguages)
        guard asked.sound != nil else { return Self.silent(asked).warning(of: asked.ignored).noting(asked.note) }
        let acceptance = ReplyAcceptance(count: 1)
        let prompt = lease.runner.transcriptionPrompt(in: asked.language.lowercasedName)
        let reply = lease.runner.reply(
            to: asked.messages(prompt: prompt), functions: [], options: asked.options,
            timing: request.record?.reply(asked.options), onAccepted: { acceptance.accept($0) })
        let pending = PendingReplies([reply], lease, for: request, acceptance)
        do {
            guard asked.isStream else {
                return Self.document(try await pending.whole()[0], asked).warning(of: asked.ignored).noting(
                    asked.note)
            }
            return try await pending.stream(type: ServerReply.events) { send in
                TranscriptionEvents(writer: EventWriter(send: send))
            }.warning(of: asked.ignored).noting(asked.note)
        } catch {
            // What is wrong with the prompt is wrong with the file: there is nothing else in it.
            var error = APIError(error)
            if error.status == 400 { error.parameter = "file" }
            throw error
        }
    }

    /// Returns the reply to a sound without speech.
    private static func silent(_ asked: TranscriptionRequest) -> ServerReply {
        guard asked.isStream else { return document(ReplyParts(), asked) }
        return ServerReply(
            headers: [("content-type", ServerReply.events), ("cache-control", "no-store")],
            body: .stream { send in
                var events = TranscriptionEvents(writer: EventWriter(send: send))
                try await events.begin()
                try await events.end([ReplyParts()])
            })
    }

    private static func document(_ parts: ReplyParts, _ asked: TranscriptionRequest) -> ServerReply {
        switch asked.format {
        case .text: return .text(parts.text + "\n")
        case .json:
            var document: JSONObject = ["text": .string(parts.text)]
            if asked.hasLogprobs { document["logprobs"] = parts.transcriptLogprobs }
            document["usage"] = parts.transcriptUsage
            return .json(.object(document))
        case .verbose:
            return .json(
                .object([
                    "task": "transcribe", "language": .string(asked.language.lowercasedName),
                    "duration": .double(asked.duration),
                    "text": .string(parts.text),
                    "usage": .object(["type": "duration", "seconds": .double(asked.duration)]),
                ]))
        }
    }
}

/// The events of a streamed transcription.
private struct TranscriptionEvents: StreamShape {
    let writer: EventWriter

    mutating func begin() async throws {}

    mutating func add(_ piece: ReplyPiece) async throws {
        guard case .chunk(let text) = piece.response else { return }
        try await writer.event(.object(["type": "transcript.text.delta", "delta": .string(text)]))
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        var event: JSONObject = ["type": "transcript.text.done", "text": .string(parts[0].text)]
        if parts[0].completion?.logprobs != nil { event["logprobs"] = parts[0].transcriptLogprobs }
        event["usage"] = parts[0].transcriptUsage
        try await writer.event(.object(event))
        try await writer.done()
    }

    mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
}

extension ReplyParts {
    /// The tokens of a transcript and its prompt.
    var transcriptUsage: JSONValue {
        let stats = completion?.stats
        let input = stats?.wholePromptTokens ?? 0
        let output = stats?.completionTokens ?? 0
        return .object([
            "type": "tokens", "input_tokens": .integer(input), "output_tokens": .integer(output),
            OpenAI.Key.totalTokens: .integer(input + output),
        ])
    }

    /// The tokens with their log probabilities, without those of other likely tokens.
    fileprivate var transcriptLogprobs: JSONValue {
        let entries = logprobs["content"]?.array ?? []
        return .array(
            entries.map { entry in
                var entry = entry.object ?? [:]
                entry[OpenAI.Key.topLogprobs] = nil
                return .object(entry)
            })
    }
}
