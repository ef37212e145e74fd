import Dispatch
import LeapAudio
import LeapBase

/// The recorder behind a queue of its own: calls come one after the other, and nobody waits for them.
final class VoiceMicrophone: Sendable {
    let recorder: any VoiceAudioRecorder
    private let settings: VoiceActivitySettings
    private let calls: AsyncStream<@Sendable () async -> Void>.Continuation
    private let threads = DispatchQueue(label: "leap.voice.microphone")
    private let hearing = DispatchQueue(label: "leap.voice.hearing")
    private let cutter = Locked<UtteranceCutter?>(nil)

    init(recorder: any VoiceAudioRecorder, settings: VoiceActivitySettings) {
        self.recorder = recorder
        self.settings = settings
        let (stream, calls) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        self.calls = calls
        Task {
            for await call in stream { await call() }
        }
    }

    deinit { calls.finish() }

    /// Opens the microphone for a recording.
    func open(_ result: @escaping @Sendable (VoiceProblem?) -> Void) {
        calls.yield { [self] in
            let isOpen = await onThread { self.recorder.start() }
            result(isOpen ? nil : recorder.problem ?? .microphoneUnavailable("it could not be opened"))
        }
    }

    /// Opens the microphone for speaking without a key.
    func stream(
        onEvent: @escaping @Sendable (UtteranceCutter.Event) -> Void,
        _ result: @escaping @Sendable (VoiceProblem?) -> Void
    ) {
        guard let recorder = recorder as? any VoiceAudioStreamRecorder else { return result(.handsFreeUnsupported) }
        calls.yield { [self] in
            let rate = WAVFile.sampleRates.clamped(recorder.nativeSampleRate)
            cutter.withLock { $0 = UtteranceCutter(settings: settings, sampleRate: rate) }
            let isOpen = await onThread {
                recorder.start { [weak self] samples in
                    // Not on the recorder's thread, which may have no time for it.
                    self?.hearing.async { [weak self] in
                        let events = self?.cutter.withLock { $0?.append(samples) } ?? []
                        for event in events { onEvent(event) }
                    }
                }
            }
            result(isOpen ? nil : recorder.problem ?? .microphoneUnavailable("it could not be opened"))
        }
    }

    /// Ends the recording and gives it.
    func take(_ result: @escaping @Sendable ([Float]) -> Void) {
        calls.yield { [self] in result(await recorder.stop()) }
    }

    /// Ends the utterance that is being heard and gives it.
    func takeUtterance(_ result: @escaping @Sendable ([Float]) -> Void) {
        hearing.async { [self] in result(cutter.withLock { $0?.take() } ?? []) }
    }

    /// Forgets the utterance that is being heard.
    func dropUtterance() {
        hearing.async { [self] in cutter.withLock { $0?.drop() } }
    }

    /// Closes the microphone.
    func close() {
        calls.yield { [self] in
            cutter.withLock { $0 = nil }
            await recorder.cancel()
        }
    }

    /// Calls a function when the recorder has done what it was asked for before.
    func whenDone(_ body: @escaping @Sendable () -> Void) { calls.yield(body) }

    private func onThread(_ work: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            threads.async { continuation.resume(returning: work()) }
        }
    }
}

extension ClosedRange where Bound == Int {
    fileprivate func clamped(_ value: Int) -> Int { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
