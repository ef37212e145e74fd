import LeapChat
import LeapCore

/// The operations of a model that a realtime session needs.
struct RealtimeModel: Sendable {
    /// The lease that keeps the model in memory.
    let lease: ModelLease
    /// A function that begins the reply of an order.
    let reply: @Sendable (ReplyOrder, ReplyTiming?) -> PendingReplies.Reply

    init(_ lease: ModelLease) {
        self.lease = lease
        reply = { $0.reply(on: lease, timing: $1) }
    }

    /// A model whose replies come from elsewhere.
    init(_ lease: ModelLease, reply: @escaping @Sendable (ReplyOrder, ReplyTiming?) -> PendingReplies.Reply) {
        self.lease = lease
        self.reply = reply
    }

    var id: String { lease.model.id }

    /// The languages that it writes down.
    var languages: [SpokenLanguage] { lease.runner.transcriptionLanguages }

    /// Makes a stream for a sound, whose samples come at the protocol's rate.
    ///
    /// - Throws: ``APIError`` where the model reads no sound.
    func listen() throws -> AudioInputStream {
        if let problem = lease.runner.readableParts.audioProblem {
            throw APIError.invalid("there is audio, but \(problem)", code: "unsupported_content")
        }
        return try AudioInputStream(runner: lease.runner, sampleRate: PCM16.sampleRate)
    }

    /// The system message that asks for the text of what is said.
    ///
    /// - Parameter language: a name in `SpeechPrompts.transcription`.
    func transcriptionPrompt(in language: String) -> String { lease.runner.transcriptionPrompt(in: language) }
}
