import LeapAudio
import LeapBase
import LeapChat
import LeapModel

/// The sound of a live transcription between those who append samples and the one who takes chunks of frames.
final class LiveSound: Sendable {
    /// Seconds of sound that may wait for the model.
    private let maxWaitingSeconds: Double
    private static let framesPerSecond = 100.0

    private struct State {
        var builder: MelSpectrumBuilder
        /// Frames that were not taken.
        var frames: [Float] = []
        var sampleCount = 0
        var isFinished = false
        /// True if nothing is taken any more.
        var isEnded = false
        /// The one who waits for a chunk.
        var reader: CheckedContinuation<Void, Never>?
        /// Those who wait until there is room.
        var writers: [CheckedContinuation<Void, Never>] = []

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }

        mutating func takeWriters() -> [CheckedContinuation<Void, Never>] {
            defer { writers = [] }
            return writers
        }
    }

    private let sampleRate: Int
    private let bandCount: Int
    /// Frames of a chunk.
    private let chunkLength: Int
    private let state: Locked<State>

    /// - Parameters:
    ///   - chunkLength: frames of a chunk.
    ///   - maxWaitingSeconds: seconds of sound that may wait for the model, more than 1.
    init(sampleRate: Int, form: SpectrumForm, chunkLength: Int, maxWaitingSeconds: Double = 30) {
        self.maxWaitingSeconds = maxWaitingSeconds
        self.sampleRate = sampleRate
        self.chunkLength = chunkLength
        bandCount = form.bandCount
        state = Locked(State(builder: MelSpectrumBuilder(sampleRate: sampleRate, form: form)))
    }

    /// The seconds of sound appended so far.
    var duration: Double { state.withLock { Double($0.sampleCount) / Double(sampleRate) } }

    // MARK: Those who append

    /// Takes samples.
    ///
    /// - Throws: ``LeapGenerationException`` after the end, and where too much sound waits already.
    func append(_ samples: [Float]) throws {
        let reader = try state.withLock { state in
            try checkOpen(state)
            guard hasRoom(for: samples.count, state) else {
                throw LeapGenerationException(
                    "more than \(Int(maxWaitingSeconds)) seconds of audio would wait for the model: append fewer samples at a time, or use feed(_:)"
                )
            }
            return take(samples, &state)
        }
        reader?.resume()
    }

    /// Takes samples as soon as there is room, a second of them at a time.
    ///
    /// - Throws: ``LeapGenerationException`` after the end; `CancellationError` where the task is cancelled.
    func feed(_ samples: [Float]) async throws {
        for start in stride(from: 0, to: samples.count, by: sampleRate) {
            let piece = Array(samples[start..<min(samples.count, start + sampleRate)])
            while true {
                try Task.checkCancellation()
                let (isTaken, reader) = try state.withLock { state in
                    try checkOpen(state)
                    guard hasRoom(for: piece.count, state) else {
                        return (false, nil as CheckedContinuation<Void, Never>?)
                    }
                    return (true, take(piece, &state))
                }
                reader?.resume()
                if isTaken { break }
                await waitForRoom(for: piece.count)
            }
        }
    }

    private func waitForRoom(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard !hasRoom(for: count, state), !state.isEnded else { return true }
                state.writers.append(continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Ends the sound, whose last frame and last vector are filled with zeros.
    func finish() {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isFinished, !state.isEnded else { return nil }
            state.isFinished = true
            if state.sampleCount > 0 { state.frames += state.builder.finish().values }
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Drops what was not taken; nothing is taken any more.
    func end() {
        let (reader, writers) = state.withLock { state in
            state.isEnded = true
            state.frames = []
            return (state.takeReader(), state.takeWriters())
        }
        reader?.resume()
        for writer in writers { writer.resume() }
    }

    private func checkOpen(_ state: State) throws {
        guard !state.isFinished, !state.isEnded else {
            throw LeapGenerationException("the live transcription has ended: begin another one for more sound")
        }
    }

    /// Returns whether a number of samples may be appended now.
    private func hasRoom(for count: Int, _ state: State) -> Bool {
        let waiting = Double(state.frames.count / bandCount) / Self.framesPerSecond
        return waiting + Double(count) / Double(sampleRate) <= maxWaitingSeconds
    }

    /// Returns the one who waits for a chunk that is there now.
    private func take(_ samples: [Float], _ state: inout State) -> CheckedContinuation<Void, Never>? {
        state.sampleCount += samples.count
        state.builder.append(samples.map { WAVFormat.usable($0) })
        state.frames += state.builder.takeFrames().values
        return isThere(state) ? state.takeReader() : nil
    }

    // MARK: The one who takes

    private func isThere(_ state: State) -> Bool {
        state.isEnded || state.isFinished || state.frames.count >= chunkLength * bandCount
    }

    /// Returns the next chunk as soon as its frames are there; nil at the end.
    ///
    /// Only the last chunk has fewer frames than the others. Called by one task.
    func next() async -> AudioSpectrum? {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard !isThere(state) else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        let (chunk, writers) = state.withLock { state -> (AudioSpectrum?, [CheckedContinuation<Void, Never>]) in
            guard !state.isEnded, !state.frames.isEmpty else { return (nil, []) }
            let count = min(state.frames.count, chunkLength * bandCount)
            let values = Array(state.frames.prefix(count))
            state.frames.removeFirst(count)
            let chunk = AudioSpectrum(frameCount: count / bandCount, bandCount: bandCount, values: values)
            return (chunk, state.takeWriters())
        }
        for writer in writers { writer.resume() }
        return chunk
    }
}
