import LeapBase
import LeapChat

// A type that conforms to `VoiceConversation` has one form of each member: these lead from the store's form to the
// others.

extension VoiceConversation {
    /// Answers a recording through the form with `Int32`, for types that implement that one.
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        let play: (_ samples: [Float], _ sampleRate: Int32) -> Void = { onAudioChunk($0, Int($1)) }
        return try await generateResponse(
            audioSamples: audioSamples, sampleRate: Int32(clamping: sampleRate), onAudioChunk: play)
    }

    /// Answers a recording through the form of the LEAP SDK's pages, for types that implement that one.
    @_disfavoredOverload
    public func generateResponse(
        audioSamples: [Float], sampleRate: Int32,
        onAudioChunk: @escaping (_ samples: [Float], _ sampleRate: Int32) -> Void
    ) async throws -> GenerationStats? {
        let play: (KotlinFloatArray, KotlinInt) -> Void = { onAudioChunk($0, $1.int32Value) }
        return try await generateResponse(audioSamples: audioSamples, sampleRate: sampleRate, onAudioChunk: play)
    }

    /// Answers a recording through the form with a completion handler, for types that implement that one.
    @_disfavoredOverload
    public func generateResponse(
        audioSamples: KotlinFloatArray, sampleRate: Int32,
        onAudioChunk: @escaping (KotlinFloatArray, KotlinInt) -> Void
    ) async throws -> Leap_sdkGenerationStats? {
        try await withCheckedThrowingContinuation { continuation in
            // A handler that is called twice ends the reply once.
            let waiting = Locked<CheckedContinuation<GenerationStats?, any Error>?>(continuation)
            __generateResponse(
                audioSamples: audioSamples, sampleRate: sampleRate,
                onAudioChunk: onAudioChunk,
                completionHandler: { stats, error in
                    let continuation = waiting.withLock { waiting in
                        defer { waiting = nil }
                        return waiting
                    }
                    if let error {
                        continuation?.resume(throwing: error)
                    } else {
                        continuation?.resume(returning: stats)
                    }
                })
        }
    }

    /// Reports that the type implements no form.
    public func __generateResponse(
        audioSamples: KotlinFloatArray, sampleRate: Int32,
        onAudioChunk: @escaping (KotlinFloatArray, KotlinInt) -> Void,
        completionHandler: @escaping @Sendable (Leap_sdkGenerationStats?, (any Error)?) -> Void
    ) {
        completionHandler(nil, VoiceProblem.replyFailed("\(type(of: self)) has no generateResponse"))
    }

    /// Does nothing, for types that return another conversation instead.
    public func reset() {}

    /// Returns the same conversation after a reset.
    @_disfavoredOverload
    public func reset() -> any VoiceConversation {
        let forget: () -> Void = reset
        forget()
        return self
    }
}
