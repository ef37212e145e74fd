import Foundation
import LeapBase
import LeapCore

/// A conversation with a model on this device that takes audio input.
///
/// The text of a reply becomes the caption. If the model speaks, its audio goes to the player. If it transcribes live
/// (`ModelRunner.transcribesLive`), what the person says is shown while they speak.
public final class ModelVoiceConversation: CaptionedVoiceConversation, TranscribingVoiceConversation {
    private let current: Locked<any Conversation>
    private let leftOut = Locked(0)
    private let first: [ChatMessage]
    private let options: GenerationOptions?

    /// Creates a voice conversation from a chat conversation.
    ///
    /// - Parameters:
    ///   - conversation: the chat conversation; ``reset()`` returns to its history at this moment.
    ///   - generationOptions: how to generate replies. The history keeps interrupted replies.
    public init(conversation: any Conversation, generationOptions: GenerationOptions? = nil) {
        current = Locked(conversation)
        first = conversation.history
        options = generationOptions
    }

    /// The conversation that the next reply is added to.
    public var conversation: any Conversation { current.withLock { $0 } }

    /// Messages that the latest prompt was made without, as the context is full.
    package var leftOutCount: Int { leftOut.withLock { $0 } }

    /// Answers a recording.
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        let message = ChatMessage(
            role: .user, content: [.fromFloatSamples(audioSamples, sampleRate: sampleRate)])
        var stats: GenerationStats?
        // What was heard of a reply before a person spoke was said.
        let options = (self.options ?? GenerationOptions()).with(keepsInterruptedReply: true)
        let reply = conversation.generateResponse(message: message, generationOptions: options).throwing
        for try await response in reply {
            switch response {
            case .chunk(let text): onText(text)
            case .audioSample(let samples, let sampleRate): onAudioChunk(samples, sampleRate)
            case .complete(let completion):
                stats = completion.stats
                leftOut.withLock { $0 = completion.trimming?.removedMessages.count ?? 0 }
            case .reasoningChunk, .functionCall: break
            }
        }
        try Task.checkCancellation()
        return stats
    }

    /// Starts to transcribe what a person says, if the model transcribes live.
    public func transcribe(
        sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void
    ) -> (any VoiceTranscription)? {
        guard let live = try? conversation.modelRunner.transcribeLive(sampleRate: sampleRate) else { return nil }
        return ModelVoiceTranscription(live, onText: onText)
    }

    /// Clears what was said so far.
    public func reset() {
        leftOut.withLock { $0 = 0 }
        current.withLock { conversation in
            let functions = conversation.functions
            let fresh = conversation.modelRunner.createConversationFromHistory(history: first)
            fresh.registerFunctions(functions)
            conversation = fresh
        }
    }
}

/// A live transcription as the store uses it: a problem ends it, and the recording goes on.
private final class ModelVoiceTranscription: VoiceTranscription {
    private let live: LiveTranscription
    /// True if the rest of the text is still wanted.
    private let isFinished = Locked(false)

    init(_ live: LiveTranscription, onText: @escaping @Sendable (String) -> Void) {
        self.live = live
        Task {
            do {
                // Releasing the transcription would cancel it: the rest of the text follows its end.
                for try await piece in live.text { onText(piece) }
                withExtendedLifetime(live) {}
            } catch {
                LeapLog.logger.warning(
                    "what a person says is not shown while they speak: \(error.localizedDescription)")
            }
        }
    }

    deinit {
        if !isFinished.withLock({ $0 }) { live.cancel() }
    }

    func append(samples: [Float]) { live.offer(samples) }

    func finish() {
        isFinished.withLock { $0 = true }
        live.finish()
    }

    func cancel() { live.cancel() }
}
