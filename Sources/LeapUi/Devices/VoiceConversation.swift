import LeapCore

/// Answers what was said.
///
/// A type that conforms has the first `generateResponse`, whose rate is an `Int`, and the first `reset()`; or one of
/// the other forms of each, which apps for the LEAP SDK have.
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

    /// Forgets what was said so far.
    func reset()

    /// Answers a recording, in the form with plain numbers of 32 bits.
    @_disfavoredOverload
    func generateResponse(
        audioSamples: [Float], sampleRate: Int32,
        onAudioChunk: @escaping (_ samples: [Float], _ sampleRate: Int32) -> Void
    ) async throws -> GenerationStats?

    /// Answers a recording, in the form of the LEAP SDK's pages.
    @_disfavoredOverload
    func generateResponse(
        audioSamples: KotlinFloatArray, sampleRate: Int32,
        onAudioChunk: @escaping (KotlinFloatArray, KotlinInt) -> Void
    ) async throws -> Leap_sdkGenerationStats?

    /// Answers a recording, in the form of the LEAP SDK's voice demo; cancelling does not reach it.
    func __generateResponse(
        audioSamples: KotlinFloatArray, sampleRate: Int32,
        onAudioChunk: @escaping (KotlinFloatArray, KotlinInt) -> Void,
        completionHandler: @escaping @Sendable (Leap_sdkGenerationStats?, (any Error)?) -> Void)

    /// The conversation that goes on after what was said is forgotten, in the form of the LEAP SDK's voice demo.
    @_disfavoredOverload
    func reset() -> any VoiceConversation
}

/// A conversation whose replies have text too, which becomes the caption.
public protocol CaptionedVoiceConversation: VoiceConversation {
    /// Answers a recording, with the text of the reply piece by piece.
    ///
    /// The store calls this in place of the form without text, which ``VoiceConversation`` has.
    func generateResponse(
        audioSamples: [Float], sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats?
}

extension CaptionedVoiceConversation {
    /// Answers a recording; the text of the reply goes nowhere.
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        try await generateResponse(
            audioSamples: audioSamples, sampleRate: sampleRate, onText: { _ in }, onAudioChunk: onAudioChunk)
    }
}
