import LeapCore

/// Answers what was said.
public protocol VoiceConversation: AnyObject, Sendable {
    /// Answers a recording; sound of the reply goes to `onAudioChunk` as it is made.
    ///
    /// Cancelling the task ends the reply.
    /// - Parameters:
    ///   - audioSamples: values in -1...1, one channel.
    ///   - sampleRate: samples per second of them.
    ///   - onAudioChunk: takes samples and their number per second.
    /// - Returns: figures of the reply, if there are any.
    func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats?

    /// The same with the text of the reply, piece by piece.
    ///
    /// What the store calls; a conversation that makes no text need not have it.
    func generateResponse(
        audioSamples: [Float], sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats?

    /// Forgets what was said so far.
    func reset()
}

extension VoiceConversation {
    /// Answers without text.
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        try await generateResponse(audioSamples: audioSamples, sampleRate: sampleRate, onAudioChunk: onAudioChunk)
    }
}
