import LeapAudio
import LeapBase
package import LeapChat
import LeapModel

/// Writes what a person says while they say it (LFM3-Audio).
///
/// ```swift
/// let live = try runner.transcribeLive(sampleRate: 48_000)
/// Task { for try await text in live.text { print(text, terminator: "") } }
/// try live.append(samples)  // as they come from the microphone
/// live.finish()
/// ```
///
/// The model reads a chunk of sound, then writes the text that it is sure of. The text does not depend on how many
/// samples come at a time. The model looks back 30 seconds at most, so memory does not grow with the sound.
///
/// You can use it from any thread. Append the samples in the order in which they were recorded. Releasing it cancels
/// the transcription.
public final class LiveTranscription: Sendable {
    /// Samples per second.
    public let sampleRate: Int
    /// The text, piece by piece; for one reader.
    ///
    /// It ends after ``finish()`` with the last piece, after ``cancel()`` at once, and with a ``LeapException`` if the
    /// model cannot go on. Cancelling the task that reads it cancels the transcription.
    public let text: AsyncThrowingStream<String, any Error>

    private let sound: LiveSound
    private let writer: LiveWriter

    /// - Throws: ``LeapGenerationException`` where the model transcribes nothing live, or an option is out of range.
    init(
        _ runner: any ModelRunner, sampleRate: Int, options: LiveTranscriptionOptions,
        maxVectors: Int = LiveWindow.maxVectors
    ) throws {
        guard WAVFile.sampleRates.contains(sampleRate) else {
            throw LeapGenerationException(
                "sampleRate is \(sampleRate): it has to be 1 to \(WAVFile.sampleRates.upperBound) samples per second")
        }
        try options.check()
        let chunkLength = ConvolutionSubsampling.factor * options.vectorCount
        let prompt = try LivePrompt(runner, systemPrompt: options.systemPrompt)
        guard let backend = (runner as? LiquidInferenceEngineRunner)?.backend else {
            throw LeapGenerationException("live transcription needs a model in this process")
        }
        self.sampleRate = sampleRate
        let sound = LiveSound(sampleRate: sampleRate, form: prompt.reader.form, chunkLength: chunkLength)
        let (text, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
        let writer = try LiveWriter(
            prompt, backend: backend, sound: sound, chunkLength: chunkLength, maxVectors: maxVectors,
            text: continuation)
        (self.sound, self.writer, self.text) = (sound, writer, text)
        continuation.onTermination = { termination in
            if case .cancelled = termination { writer.cancel() }
        }
        Task { await writer.run() }
    }

    deinit { writer.cancel() }

    /// The seconds of audio appended so far.
    public var duration: Double { sound.duration }

    /// The completion of a transcript, with the counts so far.
    ///
    /// - Parameter text: all of it.
    package func completion(_ text: String) -> MessageCompletion {
        let figures = writer.figures
        return MessageCompletion(
            message: ChatMessage(role: .assistant, textContent: text), finishReason: .stop,
            stats: GenerationStats(
                promptTokens: Int64(figures.vectorCount), completionTokens: Int64(figures.tokenCount),
                tokenPerSecond: 0))
    }

    /// Appends samples without waiting: values in -1...1, one channel.
    ///
    /// - Throws: ``LeapGenerationException`` if more than 30 seconds of audio would wait for the model, or the
    ///   transcription has ended; the samples are not taken then.
    public func append(_ samples: [Float]) throws { try sound.append(samples) }

    /// Appends samples, and waits while 30 seconds of audio wait for the model: for audio that comes faster than it
    /// plays, such as a file.
    ///
    /// - Throws: ``LeapGenerationException`` if the transcription has ended; `CancellationError` if the task is
    ///   cancelled.
    public func feed(_ samples: [Float]) async throws { try await sound.feed(samples) }

    /// Appends samples of a recording that goes on whatever becomes of the transcription.
    ///
    /// Where they cannot be taken, the text ends with the reason.
    package func offer(_ samples: [Float]) {
        do {
            try sound.append(samples)
        } catch {
            writer.fail(error)
        }
    }

    /// Ends the audio; the rest of the text follows.
    public func finish() { sound.finish() }

    /// Ends the transcription within one token; what waits is dropped.
    public func cancel() { writer.cancel() }
}
