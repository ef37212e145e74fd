import Foundation
import LeapUi
import LeapUiTesting
import Testing

/// An assistant with fakes of everything, on a clock that stands still.
struct Bench {
    let clock = ManualClock()
    let recorder = FakeVoiceRecorder()
    let player: FakeVoicePlayer<ManualClock>
    let conversation: FakeVoiceConversation
    let store: VoiceAssistantStore

    init(
        conversation: FakeVoiceConversation = FakeVoiceConversation(), interruptToSpeak: Bool = true,
        playbackTimeoutMs: Int = 10_000, isReady: Bool = true
    ) {
        player = FakeVoicePlayer(clock: clock)
        self.conversation = conversation
        store = VoiceAssistantStore(
            recorder: recorder, player: player, playbackTimeoutMs: playbackTimeoutMs,
            interruptToSpeak: interruptToSpeak, clock: clock)
        if isReady { store.setConversation(conv: conversation) }
    }

    var state: VoiceAssistantState { store.state.value }

    /// Lets time pass on the clock, a little at a time, until something is so.
    func until(
        _ what: Comment, advancing step: Duration = .milliseconds(10), _ condition: () -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<60_000 {
            if condition() { return }
            clock.advance(by: step)
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record(what, sourceLocation: sourceLocation)
        throw CancellationError()
    }

    /// Brings it to where the model answers.
    func ask() async throws {
        store.processIntent(intent: .toggle)
        try await until("listens") { state.widgetState == .listening }
        store.processIntent(intent: .toggle)
        try await until("answers") { state.widgetState == .responding }
    }
}

/// A reply that sounds until it is cancelled.
let endlessReply: FakeVoiceConversation.Reply = { _, text, sound in
    text("On and on")
    while true {
        try Task.checkCancellation()
        sound([Float](repeating: 0.3, count: 2400), 24_000)
        try await Task.sleep(for: .milliseconds(2))
    }
}
