/// The state machine of the assistant: its whole behaviour on each event, without devices and clocks.
///
/// ``handle(_:)`` is the table of transitions; the effects that it returns are for others to carry out.
package struct VoiceMachine: Equatable, Sendable {
    /// A phase of the assistant's work.
    package enum Phase: String, CaseIterable, Sendable {
        /// There is no model.
        case unavailable
        case idle
        /// The microphone is being opened.
        case opening
        case listening
        /// The recording has ended and its samples are on their way.
        case taking
        /// The model answers, and what it says is played.
        case responding
        /// The reply is complete, and the rest of it is played.
        case playing
        case closed
    }

    package private(set) var phase = Phase.unavailable
    /// Speech begins and ends utterances, without a key; the microphone is open.
    package private(set) var isHandsFree = false
    /// Counts recordings: what comes of an earlier one is of no use.
    package private(set) var turn = 0
    /// The last problem; nil once the next thing begins.
    package private(set) var problem: VoiceProblem?
    private var isDucked = false
    /// True if a person who speaks ends the reply.
    package let interruptToSpeak: Bool

    package init(interruptToSpeak: Bool) {
        self.interruptToSpeak = interruptToSpeak
    }

    /// Takes an event and says what has to be done, in this order.
    package mutating func handle(_ event: VoiceEvent) -> [VoiceEffect] {
        if let turn = event.turn, turn != self.turn { return [] }
        switch (phase, event) {
        case (.closed, _): return []
        case (_, .close): return leave(to: .closed, closingMicrophone: true)
        case (_, .modelLoading): return leave(to: .unavailable, closingMicrophone: true)
        case (_, .modelFailed(let reason)):
            return leave(to: .unavailable, .modelFailed(reason), closingMicrophone: true)
        case (_, .modelReady): return leave(to: .idle, closingMicrophone: true)
        case (.unavailable, _): return []
        case (_, .reset): return leave(to: .idle) + [.resetConversation]

        case (.idle, .toggle) where !isHandsFree, (.idle, .listen) where !isHandsFree: return open()
        case (.idle, .handsFree(true)) where !isHandsFree:
            isHandsFree = true
            return open()
        case (.idle, .speechStarted) where isHandsFree: return hear()

        case (.opening, .opened):
            phase = isHandsFree ? .idle : .listening
            return [.stopTimer]
        case (.opening, .refused(_, let problem)): return leave(to: .idle, problem, closingMicrophone: true)
        case (.opening, .expired): return leave(to: .idle, .microphoneNotResponding, closingMicrophone: true)
        case (.opening, .toggle), (.opening, .send), (.opening, .cancel):
            return leave(to: .idle, closingMicrophone: true)

        case (.listening, .toggle), (.listening, .send):
            phase = .taking
            return [isHandsFree ? .takeUtterance(turn) : .takeRecording(turn), .time(.microphone, turn)]
        case (.listening, .recorded(_, let isEmpty)) where isHandsFree, (.taking, .recorded(_, let isEmpty)):
            guard !isEmpty else { return leave(to: .idle, .nothingRecorded) }
            let wasTaking = phase == .taking
            phase = .responding
            return (wasTaking ? [.stopTimer] : []) + [.reply(turn)]
        case (.taking, .expired): return leave(to: .idle, .microphoneNotResponding, closingMicrophone: true)
        case (.listening, .cancel), (.taking, .cancel), (.taking, .toggle): return leave(to: .idle)

        case (.responding, .toggle), (.playing, .toggle), (.responding, .listen), (.playing, .listen):
            let effects = leave(to: .idle)
            return interruptToSpeak && !isHandsFree ? effects + open() : effects
        case (.responding, .cancel), (.playing, .cancel): return leave(to: .idle)
        case (.responding, .speechStarted) where isHandsFree, (.playing, .speechStarted) where isHandsFree:
            return interruptToSpeak ? leave(to: .idle) + hear() : duck(true)
        case (.responding, .speechLikely(let isLikely)) where isHandsFree,
            (.playing, .speechLikely(let isLikely)) where isHandsFree:
            return duck(isLikely)
        case (.responding, .replied(_, let hasAudio)):
            guard hasAudio else { return leave(to: .idle, isComplete: true) }
            phase = .playing
            return [.awaitPlayback(turn), .time(.playback, turn)]
        case (.responding, .replyFailed(_, let problem)), (.playing, .replyFailed(_, let problem)):
            return leave(to: .idle, problem)
        case (.playing, .played): return leave(to: .idle, isComplete: true)
        case (.playing, .expired): return leave(to: .idle, .playbackNotEnding)

        case (_, .handsFree(false)) where isHandsFree: return closeMicrophone()
        case (_, .lost(let problem)) where isHandsFree || phase == .listening: return lose(problem)
        default: return []
        }
    }

    /// Opens the microphone.
    private mutating func open() -> [VoiceEffect] {
        turn += 1
        phase = .opening
        problem = nil
        return [.openMicrophone(turn, streaming: isHandsFree), .time(.microphone, turn)]
    }

    /// Begins an utterance of a microphone that is open.
    private mutating func hear() -> [VoiceEffect] {
        turn += 1
        phase = .listening
        problem = nil
        return []
    }

    /// Ends hands-free speaking; a reply goes on.
    private mutating func closeMicrophone() -> [VoiceEffect] {
        guard phase == .responding || phase == .playing else { return leave(to: .idle, closingMicrophone: true) }
        isHandsFree = false
        return duck(false) + [.closeMicrophone]
    }

    /// Goes on without a microphone; a reply goes on.
    private mutating func lose(_ problem: VoiceProblem) -> [VoiceEffect] {
        let effects = closeMicrophone()
        self.problem = problem
        return effects
    }

    private mutating func duck(_ isDucked: Bool) -> [VoiceEffect] {
        guard isDucked != self.isDucked else { return [] }
        self.isDucked = isDucked
        return [.duck(isDucked)]
    }

    /// Ends what goes on.
    ///
    /// - Parameter isComplete: nothing is left to be cancelled or played.
    private mutating func leave(
        to next: Phase, _ problem: VoiceProblem? = nil, closingMicrophone: Bool = false, isComplete: Bool = false
    ) -> [VoiceEffect] {
        var effects: [VoiceEffect] = []
        if [.opening, .taking, .playing].contains(phase) { effects.append(.stopTimer) }
        let closingMicrophone = closingMicrophone || phase == .opening
        let isRecording = [.opening, .listening, .taking].contains(phase)
        if closingMicrophone && (isRecording || isHandsFree) || isRecording && !isHandsFree {
            effects.append(.closeMicrophone)
        } else if isRecording {
            effects.append(.dropUtterance)
        }
        if !isComplete {
            if phase == .responding { effects.append(.cancelReply) }
            if phase == .responding || phase == .playing { effects.append(.silence) }
        }
        effects += duck(false)
        if closingMicrophone { isHandsFree = false }
        // What is under way belongs to a turn that is over.
        turn += 1
        phase = next
        self.problem = problem
        return effects
    }
}
