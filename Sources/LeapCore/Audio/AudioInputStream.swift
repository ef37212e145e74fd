import Foundation
import LeapAudio
import LeapBase
import LeapEngine
import LeapModel

/// Takes a sound while it is recorded, for a model that reads sound.
///
/// Work that does not need the end of a sound is done in ``append(_:)``: when the person has stopped speaking, the
/// model begins with
/// its encoder at once.
///
/// ```swift
/// let stream = try AudioInputStream(runner: runner, sampleRate: 48_000)
/// try stream.append(samples)  // as they come from the microphone
/// let message = ChatMessage(role: .user, content: [try stream.finish()])
/// ```
///
/// It may be used from any thread, but samples belong together in the order of the calls.
public final class AudioInputStream: Sendable {
    /// Samples per second.
    public let sampleRate: Int
    private let reader: AudioReader
    private let state: Locked<State>

    private struct State {
        var samples: [Float] = []
        var builder: MelSpectrumBuilder
        var isFinished = false
    }

    /// Begins a sound.
    ///
    /// - Parameters:
    ///   - runner: the model that will be asked about it.
    ///   - sampleRate: samples per second, 1 to 768,000.
    /// - Throws: ``LeapGenerationException`` where the model reads no sound or was unloaded, or for any other rate.
    public init(runner: any ModelRunner, sampleRate: Int) throws {
        guard let runner = runner as? LiquidInferenceEngineRunner else {
            throw LeapGenerationException(
                "the runner's model does not run on this device: collect samples with FloatAudioBuffer")
        }
        guard WAVFile.sampleRates.contains(sampleRate) else {
            throw LeapGenerationException(
                "sampleRate is \(sampleRate): it has to be 1 to \(WAVFile.sampleRates.upperBound) samples per second")
        }
        guard let reader = try runner.promptSource().builder.media as? AudioReader else {
            throw LeapGenerationException(
                "sound cannot be taken, but \(runner.readableParts.audioProblem ?? Medium.audio.refusal)")
        }
        self.reader = reader
        self.sampleRate = sampleRate
        state = Locked(State(builder: MelSpectrumBuilder(sampleRate: sampleRate)))
    }

    /// Seconds that were taken so far.
    public var duration: Double { state.withLock { Double($0.samples.count) / Double(sampleRate) } }

    /// Takes samples: values in -1...1, one channel.
    ///
    /// A second of sound takes a few milliseconds to be prepared, in this call.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` where the context cannot hold what has come
    ///   together, which then stays as it was, or ``LeapGenerationException`` after ``finish()``.
    public func append(_ samples: [Float]) throws {
        try state.withLock { state in
            try Self.checkOpen(state)
            _ = try reader.checkedVectorCount(
                samples: state.samples.count + samples.count, sampleRate: sampleRate)
            let usable = samples.map { WAVFormat.usable($0) }
            state.samples += usable
            state.builder.append(usable)
        }
    }

    /// Ends the sound: the part of a message that holds it, as a WAV file.
    ///
    /// - Throws: ``LeapGenerationException`` where no samples came, or it was called before.
    public func finish() throws -> ChatMessageContent {
        try state.withLock { state in
            try Self.checkOpen(state)
            guard !state.samples.isEmpty else {
                throw LeapGenerationException("the sound has no samples: append what was recorded first")
            }
            state.isFinished = true
            let file = MediaFile(WAVFile.encode(state.samples, sampleRate: sampleRate))
            reader.keep(state.builder.finish(), digest: file.digest)
            state.samples = []
            return .audio(file.data)
        }
    }

    private static func checkOpen(_ state: State) throws {
        guard !state.isFinished else {
            throw LeapGenerationException("the sound is finished: begin another AudioInputStream for the next one")
        }
    }
}
