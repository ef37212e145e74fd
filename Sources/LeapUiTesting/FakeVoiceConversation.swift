import LeapBase
public import LeapChat
public import LeapUi

/// A conversation whose replies a test makes.
public final class FakeVoiceConversation: CaptionedVoiceConversation {
    /// Gives a reply: takes what was said and says it piece by piece.
    public typealias Reply =
        @Sendable (
            _ said: [Float], _ text: @Sendable (String) -> Void, _ sound: @Sendable ([Float], Int) -> Void
        ) async throws -> GenerationStats?

    private struct Past {
        var said: [[Float]] = []
        var resets = 0
        var running = 0
        var maxRunning = 0
    }

    private let reply: Reply
    private let past = Locked(Past())

    /// Makes a conversation; without a reply it answers with half a second of sound and the text "Hello.".
    public init(
        reply: @escaping Reply = { _, text, sound in
            text("Hello.")
            sound([Float](repeating: 0.2, count: 12_000), 24_000)
            return GenerationStats(promptTokens: 4, completionTokens: 6, tokenPerSecond: 12.5)
        }
    ) {
        self.reply = reply
    }

    /// The recordings that were given to it.
    public var said: [[Float]] { past.withLock { $0.said } }
    /// The number of times that it was reset.
    public var resetCount: Int { past.withLock { $0.resets } }
    /// Replies that were under way at the same time, at most.
    public var maxRunning: Int { past.withLock { $0.maxRunning } }

    /// Answers a recording.
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        past.withLock { past in
            past.said.append(audioSamples)
            past.running += 1
            past.maxRunning = max(past.maxRunning, past.running)
        }
        defer { past.withLock { $0.running -= 1 } }
        return try await reply(audioSamples, onText, onAudioChunk)
    }

    /// Forgets what was said.
    public func reset() { past.withLock { $0.resets += 1 } }
}
