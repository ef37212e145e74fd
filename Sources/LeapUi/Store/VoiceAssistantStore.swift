import Dispatch
import Foundation
import LeapBase
import LeapChat

/// A voice assistant: it listens, passes what was said to a conversation, and plays the reply.
///
/// ```swift
/// let store = VoiceAssistantStore(recorder: recorder, player: player)
/// store.setConversation(conv: ModelVoiceConversation(conversation: runner.createConversation()))
/// store.processIntent(intent: .toggle)   // listens
/// store.processIntent(intent: .toggle)   // sends what was said
/// for await state in store.state { show(state.statusText, state.amplitude) }
/// ```
///
/// You can use it from any thread; no call waits for a device or the model. If a device does not respond, the result is
/// a ``VoiceProblem``, never a hang.
public final class VoiceAssistantStore: Sendable {
    private struct Shared {
        var machine: VoiceMachine
        var state: VoiceAssistantState
        var conversation: (any VoiceConversation)?
        var loadingText: String?
        /// The samples that were recorded for the turn that is to be answered.
        var recorded: [Float] = []
        /// Writes what the person says, of the turn with the number; nil where nothing does.
        var transcription: (any VoiceTranscription)?
        var transcribedTurn = 0
        var reply: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var meter: Task<Void, Never>?
    }

    /// Time between two looks at how loud it is.
    private static let meterInterval = Duration.milliseconds(33)
    /// The time that a microphone has to begin or end a recording, and all devices have at the end.
    private static let deviceTimeout = Duration.seconds(5)

    /// The recorder of the person's speech.
    public var recorder: any VoiceAudioRecorder { microphone.recorder }
    /// The player of the replies.
    public var player: any VoiceAudioPlayer { playback.player }
    /// The weight of each new amplitude in the smoothed one, in 0...1.
    public let smoothingAlpha: Float
    /// The number of milliseconds that playback of a reply may exceed its length.
    public let playbackTimeoutMs: Int
    /// A Boolean value that indicates whether a person who starts to speak ends a reply.
    public let interruptToSpeak: Bool
    /// The texts of ``VoiceAssistantState/statusText``.
    public let labels: VoiceWidgetLabels

    private let microphone: VoiceMicrophone
    private let playback: VoicePlayback
    private let shared: Locked<Shared>
    private let source: VoiceStateSource
    private let effects = DispatchQueue(label: "leap.voice.effects")
    private let sleep: @Sendable (Duration) async throws -> Void
    private let now: @Sendable () -> Duration

    /// Creates an assistant that waits for its conversation.
    ///
    /// - Parameters:
    ///   - recorder: the source of the person's speech.
    ///   - player: the player of replies.
    ///   - smoothingAlpha: the weight of each new amplitude in the smoothed one, in 0...1.
    ///   - playbackTimeoutMs: milliseconds that playback of a reply may exceed its length.
    ///   - interruptToSpeak: whether a person who starts to speak ends a reply.
    ///   - labels: the texts of ``VoiceAssistantState/statusText``.
    ///   - turnDetection: the settings for the start and end of utterances in hands-free mode.
    ///   - clock: the clock for timeouts and the amplitude.
    public init(
        recorder: any VoiceAudioRecorder, player: any VoiceAudioPlayer, smoothingAlpha: Float = 0.3,
        playbackTimeoutMs: Int = 10_000, interruptToSpeak: Bool = true, labels: VoiceWidgetLabels = .init(),
        turnDetection: VoiceTurnDetection = .init(), clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.smoothingAlpha = smoothingAlpha.isFinite ? min(max(smoothingAlpha, 0), 1) : 0.3
        self.playbackTimeoutMs = max(0, playbackTimeoutMs)
        self.interruptToSpeak = interruptToSpeak
        self.labels = labels
        microphone = VoiceMicrophone(recorder: recorder, settings: turnDetection.settings)
        playback = VoicePlayback(player: player)
        let state = VoiceAssistantState(statusText: labels.loading)
        shared = Locked(Shared(machine: VoiceMachine(interruptToSpeak: interruptToSpeak), state: state))
        source = VoiceStateSource(state)
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

    deinit {
        shared.withLock { shared in
            shared.reply?.cancel()
            shared.transcription?.cancel()
            shared.timer?.cancel()
            shared.meter?.cancel()
        }
        microphone.close()
        playback.silence()
        source.close()
    }

    /// The current and future states to show in a widget.
    public var state: VoiceStateSequence { VoiceStateSequence(source: source) }

    /// Tells the assistant that a model is loading; ends the current activity.
    ///
    /// A fraction of 1 after ``setConversation(conv:)`` changes nothing, because apps forward progress in tasks that
    /// may run late.
    ///
    /// - Parameters:
    ///   - fraction: the loaded fraction, in 0...1.
    ///   - message: the status text.
    public func setModelProgress(fraction: Double, message: String) {
        shared.withLock { shared in
            let isReady = shared.conversation != nil && shared.machine.phase != .unavailable
            guard !(isReady && fraction >= 1) else { return }
            shared.state.modelProgress = fraction.isFinite ? min(max(fraction, 0), 1) : nil
            shared.loadingText = message
            handle(.modelLoading, &shared)
        }
    }

    /// Sets the conversation; from now on the assistant can answer.
    public func setConversation(conv: any VoiceConversation) {
        post(.modelReady) { shared in
            shared.conversation = conv
            shared.state.modelProgress = nil
        }
    }

    /// Tells the assistant that the model could not be loaded; ends the current activity.
    public func setModelError(message: String) {
        post(.modelFailed(message)) { $0.state.modelProgress = nil }
    }

    /// Performs the person's request, if that is possible at the moment.
    public func processIntent(intent: VoiceAssistantIntent) {
        switch intent {
        case .toggle: post(.toggle)
        case .startListening: post(.listen)
        case .stopListening: post(.send)
        case .cancel: post(.cancel)
        case .setHandsFree(let isOn): post(.handsFree(isOn))
        case .reset: post(.reset) { ($0.state.caption, $0.state.heard) = ("", "") }
        }
    }

    /// Closes the microphone, stops the player, and then ends ``state``.
    ///
    /// If a device does not respond, ``state`` ends 5 seconds later.
    public func close() {
        post(.close)
        effects.async { [source, microphone, playback, sleep] in
            let limit = Task {
                if (try? await sleep(Self.deviceTimeout)) != nil { source.close() }
            }
            microphone.whenDone {
                playback.whenSilent {
                    limit.cancel()
                    source.close()
                }
            }
        }
    }

    // MARK: - Events

    private func post(_ event: VoiceEvent, _ change: (inout Shared) -> Void = { _ in }) {
        shared.withLock { shared in
            change(&shared)
            handle(event, &shared)
        }
    }

    private func handle(_ event: VoiceEvent, _ shared: inout Shared) {
        for effect in shared.machine.handle(event) {
            // In this order: another thread's come behind them.
            effects.async { [weak self] in self?.perform(effect) }
        }
        show(&shared)
        if shared.meter == nil, isAudible(shared.machine) { shared.meter = meter() }
    }

    private func show(_ shared: inout Shared) {
        let machine = shared.machine
        shared.state.isHandsFree = machine.isHandsFree
        shared.state.problem = machine.problem
        switch machine.phase {
        case .unavailable: set(.idle, .loading, shared.loadingText ?? labels.loading)
        case .idle, .closed: set(.idle, .ready, machine.isHandsFree ? labels.handsFree : labels.idle)
        case .opening: set(.idle, .ready, labels.opening)
        case .listening: set(.listening, .listening, labels.listening)
        case .taking, .responding, .playing: set(.responding, .responding, labels.responding)
        }
        func set(_ widget: VoiceWidgetState, _ type: VoiceStatusType, _ text: String) {
            shared.state.widgetState = widget
            shared.state.statusType = machine.problem == nil ? type : .error
            shared.state.statusText = machine.problem?.localizedDescription ?? text
        }
        if !isAudible(machine) { shared.state.amplitude = 0 }
        source.send(shared.state)
    }

    // MARK: - Effects

    private func perform(_ effect: VoiceEffect) {
        switch effect {
        case .openMicrophone(let turn, let streaming): open(turn, streaming: streaming)
        case .takeRecording(let turn): microphone.take { [weak self] in self?.take($0, turn) }
        case .takeUtterance(let turn): microphone.takeUtterance { [weak self] in self?.take($0, turn) }
        case .dropUtterance:
            microphone.dropUtterance()
            endTranscription()
        case .closeMicrophone:
            microphone.close()
            endTranscription()
        case .reply(let turn):
            endTranscription(of: turn)
            reply(turn)
        case .cancelReply: shared.withLock { $0.reply?.cancel() }
        case .awaitPlayback(let turn):
            Task { [playback, weak self] in
                await playback.wait()
                self?.post(playback.player.problem.map { .replyFailed(turn, $0) } ?? .played(turn))
            }
        case .silence: playback.silence()
        case .duck(let isDucked): playback.duck(isDucked)
        case .resetConversation: resetConversation()
        case .time(.microphone, let turn): time(Self.deviceTimeout, turn)
        case .time(.playback, let turn):
            time(playback.remaining(now: now()) + .milliseconds(playbackTimeoutMs), turn)
        case .stopTimer: shared.withLock { $0.timer?.cancel() }
        }
    }

    private func resetConversation() {
        guard let conversation = shared.withLock({ $0.conversation }) else { return }
        let next: any VoiceConversation = conversation.reset()
        shared.withLock { shared in
            // The app may have set another one meanwhile.
            if shared.conversation === conversation { shared.conversation = next }
        }
    }

    private func time(_ duration: Duration, _ turn: Int) {
        let timer = Task { [sleep, weak self] in
            guard (try? await sleep(duration)) != nil, !Task.isCancelled else { return }
            self?.post(.expired(turn))
        }
        shared.withLock { shared in
            shared.timer?.cancel()
            shared.timer = timer
        }
    }

    private func open(_ turn: Int, streaming: Bool) {
        let result: @Sendable (VoiceProblem?) -> Void = { [weak self] problem in
            self?.post(problem.map { .refused(turn, $0) } ?? .opened(turn))
        }
        let onSamples: @Sendable ([Float]) -> Void = { [weak self] samples in
            self?.shared.withLock { $0.transcription }?.append(samples: samples)
        }
        guard streaming else {
            return microphone.open(onSamples: transcribe(turn) ? onSamples : nil, result)
        }
        microphone.stream(onEvent: { [weak self] in self?.hear($0) }, onSamples: onSamples, result)
    }

    // MARK: - The person's words

    /// Starts to write what the person says in a turn.
    ///
    /// - Returns: true if the conversation does so.
    @discardableResult
    private func transcribe(_ turn: Int) -> Bool {
        let (conversation, old) = shared.withLock { shared in
            defer { shared.transcription = nil }
            shared.state.heard = ""
            return (shared.conversation as? any TranscribingVoiceConversation, shared.transcription)
        }
        // Not under the lock: text may come at once.
        old?.cancel()
        let transcription = conversation?.transcribe(sampleRate: recorder.nativeSampleRate) { [weak self] text in
            self?.shared.withLock { shared in
                guard shared.transcribedTurn == turn else { return }
                shared.state.heard += text
                self?.source.send(shared.state)
            }
        }
        shared.withLock { shared in
            shared.transcription = transcription
            shared.transcribedTurn = turn
        }
        return transcription != nil
    }

    /// Ends what is written of the person's words: with all that was said in a turn, or at once where that is over.
    ///
    /// - Parameter turn: the turn that is answered; nil where nothing is.
    private func endTranscription(of turn: Int? = nil) {
        let transcription = shared.withLock { shared -> (any VoiceTranscription)? in
            let isMeant = turn.map { $0 == shared.transcribedTurn } ?? (shared.transcribedTurn != shared.machine.turn)
            guard isMeant else { return nil }
            defer { shared.transcription = nil }
            return shared.transcription
        }
        if turn == nil { transcription?.cancel() } else { transcription?.finish() }
    }

    private func hear(_ event: UtteranceCutter.Event) {
        let begun = shared.withLock { shared -> Int? in
            guard shared.machine.isHandsFree else { return nil }
            let before = shared.machine.turn
            take(event, &shared)
            let isBegun = event == .started && shared.machine.phase == .listening && shared.machine.turn != before
            return isBegun ? shared.machine.turn : nil
        }
        if let begun { transcribe(begun) }
    }

    private func take(_ event: UtteranceCutter.Event, _ shared: inout Shared) {
        switch event {
        case .likely(let isLikely): handle(.speechLikely(isLikely), &shared)
        case .started: handle(.speechStarted, &shared)
        case .utterance(let samples):
            guard [.listening, .taking].contains(shared.machine.phase) else {
                return handle(.speechLikely(false), &shared)
            }
            shared.recorded = samples
            handle(.recorded(shared.machine.turn, isEmpty: samples.isEmpty), &shared)
        }
    }

    private func take(_ samples: [Float], _ turn: Int) {
        shared.withLock { shared in
            guard shared.machine.turn == turn else { return }
            shared.recorded = samples
            handle(.recorded(turn, isEmpty: samples.isEmpty), &shared)
        }
    }

    private func reply(_ turn: Int) {
        shared.withLock { shared in
            guard let conversation = shared.conversation, shared.machine.turn == turn else { return }
            let samples = shared.recorded
            shared.recorded = []
            shared.state.caption = ""
            shared.state.replyCount += 1
            source.send(shared.state)
            let previous = shared.reply
            let rate = recorder.nativeSampleRate
            playback.begin(turn: turn)
            shared.reply = Task { [weak self, playback, now] in
                await previous?.value
                guard !Task.isCancelled else { return }
                do {
                    let play: @Sendable ([Float], Int) -> Void = { samples, sampleRate in
                        playback.enqueue(samples, sampleRate, turn: turn, now: now())
                    }
                    let stats =
                        if let captioned = conversation as? any CaptionedVoiceConversation {
                            try await captioned.generateResponse(
                                audioSamples: samples, sampleRate: rate,
                                onText: { [weak self] text in self?.caption(text, turn) }, onAudioChunk: play)
                        } else {
                            try await conversation.generateResponse(
                                audioSamples: samples, sampleRate: rate, onAudioChunk: play)
                        }
                    self?.post(.replied(turn, hasAudio: playback.hasAudio(turn: turn))) { shared in
                        if let stats, shared.machine.turn == turn { shared.state.statsText = Self.text(of: stats) }
                    }
                } catch {
                    self?.post(.replyFailed(turn, .replyFailed(error.localizedDescription)))
                }
            }
        }
    }

    private func caption(_ text: String, _ turn: Int) {
        shared.withLock { shared in
            guard shared.machine.turn == turn else { return }
            shared.state.caption += text
            source.send(shared.state)
        }
    }

    private static func text(of stats: GenerationStats) -> String {
        "\(stats.completionTokens) tokens, \(String(format: "%.1f", Double(stats.tokenPerSecond))) a second"
    }

    // MARK: - Amplitude

    /// Returns whether something is recorded or played whose amplitude is of use.
    private func isAudible(_ machine: VoiceMachine) -> Bool {
        switch machine.phase {
        case .listening, .responding, .playing: true
        case .idle: machine.isHandsFree
        default: false
        }
    }

    private func meter() -> Task<Void, Never> {
        Task { [sleep, weak self] in
            while (try? await sleep(Self.meterInterval)) != nil, self?.measure() == true {}
        }
    }

    /// Looks at the devices; false where there is nothing to look at any more.
    private func measure() -> Bool {
        let (level, problem) = (max(recorder.amplitude, 0), recorder.problem)
        let played = max(player.amplitude, 0)
        return shared.withLock { shared in
            let machine = shared.machine
            guard isAudible(machine) else {
                shared.meter = nil
                return false
            }
            if let problem, machine.phase == .listening || machine.isHandsFree {
                handle(.lost(problem), &shared)
                guard isAudible(shared.machine) else {
                    shared.meter = nil
                    return false
                }
            }
            let isPlaying = machine.phase == .responding || machine.phase == .playing
            let value = min(isPlaying ? played : level, 1)
            shared.state.amplitude += smoothingAlpha * ((value.isFinite ? value : 0) - shared.state.amplitude)
            source.send(shared.state)
            return true
        }
    }
}
