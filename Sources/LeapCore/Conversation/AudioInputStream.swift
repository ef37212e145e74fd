import Foundation
import LeapAudio
import LeapBase
public import LeapChat
import LeapEngine
import LeapModel

/// Collects audio while it is being recorded, for a model that takes audio input.
///
/// ``append(_:)`` does the work that does not need the end of the recording. When the person stops speaking, the model
/// can start its encoder at once.
///
/// ```swift
/// let stream = try AudioInputStream(runner: runner, sampleRate: 48_000)
/// try stream.append(samples)  // as they come from the microphone
/// let message = ChatMessage(role: .user, content: [try stream.finish()])
/// ```
///
/// For the text of what is said while it is recorded, call ``transcribeLive(options:)`` before the first samples.
///
/// You can use it from any thread. Append the samples in the order in which they were recorded.
public final class AudioInputStream: Sendable {
    /// Samples per second.
    public let sampleRate: Int
    private let runner: any ModelRunner
    private let reader: AudioReader
    private let state: Locked<State>

    private struct State {
        var samples: [Float] = []
        var builder: MelSpectrumBuilder
        var isFinished = false
        /// Gets the samples too; nil where nobody asked.
        var live: LiveTranscription?
    }

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - runner: the model that will receive the audio.
    ///   - sampleRate: samples per second, 1 to 768,000.
    /// - Throws: ``LeapGenerationException`` if the model takes no audio, was unloaded, or the rate is out of range.
    public init(runner: any ModelRunner, sampleRate: Int) throws {
        guard let runner = runner as? LiquidInferenceEngineRunner else {
            throw LeapGenerationException(
                "the runner's model is not on this device: collect samples with FloatAudioBuffer")
        }
        guard WAVFile.sampleRates.contains(sampleRate) else {
            throw LeapGenerationException(
                "sampleRate is \(sampleRate): it has to be 1 to \(WAVFile.sampleRates.upperBound) samples per second")
        }
        guard let reader = try runner.promptSource().builder.mediaReader(.audio) as? AudioReader else {
            throw LeapGenerationException(
                "the stream cannot take audio: \(runner.readableParts.audioProblem ?? Medium.audio.refusal)")
        }
        self.runner = runner
        self.reader = reader
        self.sampleRate = sampleRate
        state = Locked(State(builder: MelSpectrumBuilder(sampleRate: sampleRate, form: reader.form)))
    }

    deinit {
        // A recording that nobody will finish.
        state.withLock { $0.live }?.cancel()
    }

    /// The seconds of audio appended so far.
    public var duration: Double { state.withLock { Double($0.samples.count) / Double(sampleRate) } }

    /// Appends samples: values in -1...1, one channel.
    ///
    /// This call prepares the samples, which takes a few milliseconds for each second of audio.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` if the context cannot hold the audio so far; the
    ///   audio then stays as it was. ``LeapGenerationException`` after ``finish()``.
    public func append(_ samples: [Float]) throws {
        try state.withLock { state in
            try Self.checkOpen(state)
            _ = try reader.checkedVectorCount(
                samples: state.samples.count + samples.count, sampleRate: sampleRate)
            let usable = samples.map { WAVFormat.usable($0) }
            state.samples += usable
            state.builder.append(usable)
            state.live?.offer(usable)
        }
    }

    /// Starts to transcribe the recording while it goes on (``ModelRunner/transcribesLive``).
    ///
    /// What is appended goes to the transcription too, and ``finish()`` ends it. If it fails, its text ends with the
    /// error, and the recording goes on. Keep the transcription while you read its text.
    ///
    /// - Throws: ``LeapGenerationException`` if samples were appended already, or the model does not transcribe live.
    public func transcribeLive(
        options: LiveTranscriptionOptions = LiveTranscriptionOptions()
    ) throws -> LiveTranscription {
        try state.withLock { state in
            try Self.checkOpen(state)
            guard state.samples.isEmpty, state.live == nil else {
                throw LeapGenerationException(
                    "live transcription begins with the recording: call transcribeLive once, before the first samples")
            }
            let live = try runner.transcribeLive(sampleRate: sampleRate, options: options)
            state.live = live
            return live
        }
    }

    /// Ends the recording and returns it as the part of a message, a WAV file.
    ///
    /// - Throws: ``LeapGenerationException`` if no samples were appended, or on a second call.
    public func finish() throws -> ChatMessageContent {
        try state.withLock { state in
            try Self.checkOpen(state)
            guard !state.samples.isEmpty else {
                throw LeapGenerationException("the recording has no samples: append samples first")
            }
            state.isFinished = true
            state.live?.finish()
            state.live = nil
            let file = MediaFile(WAVFile.encode(state.samples, sampleRate: sampleRate))
            reader.keep(state.builder.finish(), digest: file.digest)
            state.samples = []
            return .audio(file.data)
        }
    }

    private static func checkOpen(_ state: State) throws {
        guard !state.isFinished else {
            throw LeapGenerationException("the recording is finished: create another AudioInputStream for the next one")
        }
    }
}
