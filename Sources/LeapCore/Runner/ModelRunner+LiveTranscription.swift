extension ModelRunner {
    /// A Boolean value that indicates whether the model transcribes audio while it is recorded.
    ///
    /// LFM3-Audio models do, in the app's process. With other models, transcribe the whole recording.
    public var transcribesLive: Bool { (try? LivePrompt(self, systemPrompt: nil)) != nil }

    /// Starts to transcribe audio while it is recorded.
    ///
    /// - Parameters:
    ///   - sampleRate: samples per second, 1 to 768,000.
    ///   - options: the length of chunks, and the system message.
    /// - Throws: ``LeapGenerationException`` if the model does not transcribe live (``transcribesLive``), was unloaded,
    ///   or an option is out of range. ``LeapGenerationPromptExceedContextLengthException`` if the context is too small.
    public func transcribeLive(
        sampleRate: Int, options: LiveTranscriptionOptions = LiveTranscriptionOptions()
    ) throws -> LiveTranscription {
        try LiveTranscription(self, sampleRate: sampleRate, options: options)
    }
}
