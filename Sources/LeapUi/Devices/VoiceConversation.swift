import LeapChat

/// Answers what a person said.
///
/// A conforming type implements the first `generateResponse`, whose rate is an `Int`, and the first `reset()`. Apps for
/// the LEAP SDK can implement one of the other forms of each.
public protocol VoiceConversation: AnyObject, Sendable {
    /// Answers a recording; passes the reply's audio to `onAudioChunk` while it is generated.
    ///
    /// Cancelling the task ends the reply.
    /// - Parameters:
    ///   - audioSamples: values in -1...1, one channel.
    ///   - sampleRate: samples per second.
    ///   - onAudioChunk: receives samples and their number per second.
    /// - Returns: the statistics of the reply, if available.
    func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats?

    /// Clears what was said so far.
    func reset()

    /// Answers a recording, in the form with 32-bit integers.
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

    /// Returns the conversation that continues after a reset, in the form of the LEAP SDK's voice demo.
    @_disfavoredOverload
    func reset() -> any VoiceConversation
}

/// A conversation whose replies also have text, which becomes the caption.
public protocol CaptionedVoiceConversation: VoiceConversation {
    /// Answers a recording, with the text of the reply piece by piece.
    ///
    /// The store calls it instead of the form without text in ``VoiceConversation``.
    func generateResponse(
        audioSamples: [Float], sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats?
}

/// A conversation that writes what a person says while they speak.
public protocol TranscribingVoiceConversation: VoiceConversation {
    /// Starts to transcribe what a person says from now on.
    ///
    /// - Parameters:
    ///   - sampleRate: samples per second.
    ///   - onText: receives the text piece by piece.
    /// - Returns: the transcription, or nil if the model transcribes whole recordings only.
    func transcribe(
        sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void
    ) -> (any VoiceTranscription)?
}

/// A transcription of what a person says, while they speak.
///
/// Calls come one after the other and must not wait.
public protocol VoiceTranscription: AnyObject, Sendable {
    /// Takes samples: values in -1...1, one channel.
    func append(samples: [Float])

    /// Ends the audio; the rest of the text follows.
    func finish()

    /// Ends the transcription at once.
    func cancel()
}

extension CaptionedVoiceConversation {
    /// Answers a recording and ignores the text of the reply.
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        try await generateResponse(
            audioSamples: audioSamples, sampleRate: sampleRate, onText: { _ in }, onAudioChunk: onAudioChunk)
    }
}
