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
    /// The samples of a recording that are heard while it goes on; nil for one that the recorder keeps.
    private let kept = Locked<[Float]?>(nil)
    /// Seconds of a recording at most.
    private static let maxSeconds = 600

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
    ///
    /// - Parameter onSamples: called with the samples while they are recorded, where the recorder delivers them; nil
    ///   for nobody.
    func open(
        onSamples: (@Sendable ([Float]) -> Void)? = nil, _ result: @escaping @Sendable (VoiceProblem?) -> Void
    ) {
        calls.yield { [self] in
            let isOpen: Bool
            if let onSamples, let recorder = recorder as? any VoiceAudioStreamRecorder {
                isOpen = await onThread { self.start(recorder, onSamples) }
            } else {
                isOpen = await onThread { self.recorder.start() }
            }
            result(isOpen ? nil : recorder.problem ?? .microphoneUnavailable("it could not be opened"))
        }
    }

    /// Starts a recording that is kept here.
    private func start(
        _ recorder: any VoiceAudioStreamRecorder, _ onSamples: @escaping @Sendable ([Float]) -> Void
    ) -> Bool {
        let most = Self.maxSeconds * max(1, recorder.nativeSampleRate)
        kept.withLock { $0 = [] }
        return recorder.start { [weak self] samples in
            self?.hearing.async { [weak self] in
                let isKept = self?.kept.withLock { kept in
                    guard let count = kept?.count, count + samples.count <= most else { return false }
                    kept?.append(contentsOf: samples)
                    return true
                }
                if isKept == true { onSamples(samples) }
            }
        }
    }

    /// Opens the microphone for speaking without a key.
    ///
    /// - Parameter onSamples: called with the samples of an utterance while it is heard, behind the event of its start.
    func stream(
        onEvent: @escaping @Sendable (UtteranceCutter.Event) -> Void,
        onSamples: @escaping @Sendable ([Float]) -> Void = { _ in },
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
                        guard
                            let (events, heard) = self?.cutter.withLock({ cutter in
                                (cutter?.append(samples) ?? [], cutter?.takeHeard() ?? [])
                            })
                        else { return }
                        for event in events { onEvent(event) }
                        if !heard.isEmpty { onSamples(heard) }
                    }
                }
            }
            result(isOpen ? nil : recorder.problem ?? .microphoneUnavailable("it could not be opened"))
        }
    }

    /// Ends the recording and gives it.
    func take(_ result: @escaping @Sendable ([Float]) -> Void) {
        calls.yield { [self] in
            let recorded = await recorder.stop()
            // Behind the samples that are on their way.
            hearing.async { [self] in
                result(
                    kept.withLock { kept in
                        defer { kept = nil }
                        // A recorder may keep all the same.
                        return (kept?.count ?? 0) > recorded.count ? kept ?? recorded : recorded
                    })
            }
        }
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
            kept.withLock { $0 = nil }
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
