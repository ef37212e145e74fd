import Foundation
import LeapBase
import LeapCore
import LeapUi
import LeapUiTesting
import Testing

/// The store with devices, a conversation and a clock that a test plays.
@Suite(.timeLimit(.minutes(30)))
struct VoiceAssistantStoreTests {
    @Test("A turn: what was said is answered, the answer is played, its text and figures are shown")
    func turn() async throws {
        let bench = Bench()
        #expect(bench.state.widgetState == .idle && bench.state.statusType == .ready)
        try await bench.ask()
        try await bench.until("plays") { bench.player.present.samples.count == 12_000 }
        try await bench.until("ends") { bench.state.widgetState == .idle }
        #expect(bench.conversation.said == [[0.1, 0.2, 0.1]])
        #expect(bench.state.caption == "Hello." && bench.state.statsText == "6 tokens, 12.5 a second")
        #expect(bench.state.problem == nil && bench.state.amplitude == 0)
        #expect(bench.player.present.stopCount == 0 && bench.recorder.present.cancelCount == 0)
    }

    @Test("A loop over the states sees the present one first, each phase, and ends with the store")
    func states() async throws {
        let bench = Bench(isReady: false)
        let seen = Locked<[VoiceStatusType]>([])
        let loop = Task {
            for await state in bench.store.state {
                seen.withLock { if $0.last != state.statusType { $0.append(state.statusType) } }
            }
        }
        // The loop sees the latest state: so each lasts until it was seen.
        try await bench.until("is seen to load") { seen.withLock { $0 == [.loading] } }
        bench.store.setConversation(conv: bench.conversation)
        try await bench.until("is seen to be ready") { seen.withLock { $0.last == .ready } }
        try await bench.ask()
        try await bench.until("is seen to answer", advancing: .zero) { seen.withLock { $0.last == .responding } }
        try await bench.until("ends") { bench.state.widgetState == .idle }
        bench.store.close()
        await loop.value
        let types = seen.withLock { $0 }
        #expect(types.starts(with: [.loading, .ready]) && types.contains(.responding))
        #expect(!types.contains(.error))
        for await _ in bench.store.state.prefix(5) {}
    }

    @Test(
        "The last progress of a model, which comes behind its conversation, leaves the assistant ready; another model is loaded as the first"
    )
    func lateProgress() async throws {
        let bench = Bench(conversation: FakeVoiceConversation(reply: endlessReply), isReady: false)
        bench.store.setModelProgress(fraction: 0.5, message: "Half")
        bench.store.setConversation(conv: bench.conversation)
        bench.store.setModelProgress(fraction: 1, message: "All")
        #expect(bench.state.statusType == .ready && bench.state.modelProgress == nil)
        bench.store.setModelProgress(fraction: 0.25, message: "A quarter of another")
        #expect(bench.state.statusType == .loading && bench.state.statusText == "A quarter of another")
        bench.store.setModelProgress(fraction: 1, message: "All of it")
        #expect(bench.state.statusText == "All of it" && bench.state.modelProgress == 1)
        bench.store.setConversation(conv: bench.conversation)
        try await bench.ask()
        try await bench.until("plays") { bench.player.isPlaying }
    }

    @Test("Loading shows its progress and its failure; what goes on ends")
    func model() async throws {
        let bench = Bench(conversation: FakeVoiceConversation(reply: endlessReply), isReady: false)
        bench.store.setModelProgress(fraction: 0.5, message: "Half")
        #expect(bench.state.statusText == "Half" && bench.state.modelProgress == 0.5)
        bench.store.setModelProgress(fraction: .nan, message: "Half")
        #expect(bench.state.modelProgress == nil)
        bench.store.processIntent(intent: .toggle)
        #expect(bench.state.widgetState == .idle)
        bench.store.setConversation(conv: bench.conversation)
        try await bench.ask()
        try await bench.until("plays") { bench.player.isPlaying }
        bench.store.setModelError(message: "there is no such file")
        #expect(bench.state.problem == .modelFailed("there is no such file") && bench.state.statusType == .error)
        #expect(bench.state.statusText.contains("there is no such file"))
        try await bench.until("is silent") { !bench.player.isPlaying }
    }

    @Test("Cancel silences a reply within 300 ms of the clock, and no late sound comes after it")
    func cancel() async throws {
        let bench = Bench(conversation: FakeVoiceConversation(reply: endlessReply))
        for _ in 0..<20 {
            try await bench.ask()
            try await bench.until("plays") { bench.player.isPlaying }
            let time = bench.clock.now
            bench.store.processIntent(intent: .cancel)
            #expect(bench.state.widgetState == .idle)
            try await bench.until("is silent", advancing: .zero) { !bench.player.isPlaying }
            #expect(time.duration(to: bench.clock.now) < .milliseconds(300))
            let count = bench.player.present.samples.count
            try await Task.sleep(for: .milliseconds(10))
            #expect(!bench.player.isPlaying && bench.player.present.samples.count <= count + 2400)
        }
        #expect(bench.conversation.maxRunning == 1)
    }

    @Test("1,000 interruptions in a row leave one recording, one reply, and an assistant that answers")
    func interruptions() async throws {
        let bench = Bench(conversation: FakeVoiceConversation(reply: endlessReply))
        try await bench.ask()
        for index in 0..<1000 {
            // Ends the reply and listens, then sends, at once or when the microphone is open.
            bench.store.processIntent(intent: .startListening)
            if index % 10 == 0 {
                try await bench.until("listens") {
                    bench.store.processIntent(intent: .startListening)
                    return bench.state.widgetState == .listening
                }
            }
            bench.store.processIntent(intent: .stopListening)
        }
        bench.store.processIntent(intent: .cancel)
        try await bench.until("rests") { bench.state.widgetState == .idle }
        try await bench.ask()
        try await bench.until("plays") { bench.player.isPlaying }
        #expect(bench.conversation.maxRunning == 1)
        bench.store.close()
        try await bench.until("is silent") { !bench.player.isPlaying && !bench.recorder.present.isRecording }
    }

    @Test(
        "A press during a reply ends it, and records where interruptToSpeak says so", arguments: [true, false])
    func interruptToSpeak(interrupts: Bool) async throws {
        let bench = Bench(conversation: FakeVoiceConversation(reply: endlessReply), interruptToSpeak: interrupts)
        try await bench.ask()
        try await bench.until("plays") { bench.player.isPlaying }
        bench.store.processIntent(intent: .startListening)
        if interrupts {
            try await bench.until("listens") { bench.state.widgetState == .listening && !bench.player.isPlaying }
        } else {
            try await bench.until("is silent") { bench.state.widgetState == .idle && !bench.player.isPlaying }
            #expect(!bench.recorder.present.isRecording)
        }
    }

    @Test("A microphone that cannot be opened, and permission that is denied, are told; the next try works")
    func refused() async throws {
        let bench = Bench()
        for problem in [VoiceProblem.permissionDenied, nil] {
            bench.recorder.change {
                $0.starts = false
                $0.problem = problem
            }
            bench.store.processIntent(intent: .toggle)
            try await bench.until("tells") { bench.state.statusType == .error }
            #expect(bench.state.problem == problem ?? .microphoneUnavailable("it could not be opened"))
            #expect(bench.state.widgetState == .idle && !bench.state.statusText.isEmpty)
        }
        bench.recorder.change { $0.starts = true }
        try await bench.ask()
        #expect(bench.state.problem == nil)
    }

    @Test("A microphone that goes away during a recording ends it with a problem")
    func lost() async throws {
        let bench = Bench()
        bench.store.processIntent(intent: .toggle)
        try await bench.until("listens") { bench.state.widgetState == .listening }
        bench.recorder.change { $0.problem = .microphoneLost("unplugged") }
        try await bench.until("tells") { bench.state.problem == .microphoneLost("unplugged") }
        #expect(bench.state.widgetState == .idle)
        #expect(bench.conversation.said.isEmpty)
    }

    @Test("A microphone that does not respond is given up after five seconds of the clock", arguments: [true, false])
    func hanging(atStart: Bool) async throws {
        let bench = Bench()
        if atStart { bench.recorder.change { $0.responds = false } }
        bench.store.processIntent(intent: .toggle)
        if !atStart {
            try await bench.until("listens") { bench.state.widgetState == .listening }
            bench.recorder.change { $0.responds = false }
            bench.store.processIntent(intent: .toggle)
        }
        let time = bench.clock.now
        try await bench.until("gives up", advancing: .milliseconds(50)) {
            bench.state.problem == .microphoneNotResponding
        }
        #expect(time.duration(to: bench.clock.now) >= .milliseconds(4900))
        #expect(bench.state.widgetState == .idle)
        bench.recorder.change { $0.responds = true }
        try await bench.ask()
    }

    @Test(
        "States end with the devices after closing, and five seconds later with a microphone that does not respond",
        arguments: [true, false])
    func closing(responds: Bool) async throws {
        let bench = Bench()
        bench.store.processIntent(intent: .toggle)
        try await bench.until("listens") { bench.state.widgetState == .listening }
        bench.recorder.change { $0.responds = responds }
        if !responds { bench.store.processIntent(intent: .toggle) }
        let isOver = Locked(false)
        let states = Task {
            for await _ in bench.store.state {}
            isOver.withLock { $0 = true }
        }
        let time = bench.clock.now
        bench.store.close()
        try await bench.until("ends", advancing: responds ? .zero : .milliseconds(50)) { isOver.withLock { $0 } }
        #expect(bench.recorder.present.isRecording != responds)
        #expect(responds || time.duration(to: bench.clock.now) >= .milliseconds(4900))
        bench.recorder.change { $0.responds = true }
        await states.value
    }

    @Test("An empty recording is told and not answered")
    func empty() async throws {
        let bench = Bench()
        bench.recorder.change { $0.samples = [] }
        bench.store.processIntent(intent: .toggle)
        try await bench.until("listens") { bench.state.widgetState == .listening }
        bench.store.processIntent(intent: .toggle)
        try await bench.until("tells") { bench.state.problem == .nothingRecorded }
        #expect(bench.conversation.said.isEmpty)
    }

    @Test("A player that blocks or never ends is given up after the time-out beyond the sound's length")
    func blockedPlayer() async throws {
        for blocks in [true, false] {
            let bench = Bench(playbackTimeoutMs: 2000)
            bench.player.change {
                $0.blocks = blocks
                $0.neverEnds = true
            }
            try await bench.ask()
            let time = bench.clock.now
            try await bench.until("gives up", advancing: .milliseconds(50)) {
                bench.state.problem == .playbackNotEnding
            }
            // Half a second of sound, and two of waiting.
            #expect(time.duration(to: bench.clock.now) >= .milliseconds(2400))
            #expect(bench.state.widgetState == .idle)
            try await bench.until("is stopped") { bench.player.present.stopCount > 0 && !bench.player.isPlaying }
            // And cancelling does not wait for it.
            try await bench.ask()
            bench.store.processIntent(intent: .cancel)
            #expect(bench.state.widgetState == .idle)
            try await bench.until("is stopped") { !bench.player.isPlaying }
        }
    }

    @Test("A long reply is played to its end, however long that takes")
    func longReply() async throws {
        let bench = Bench(
            conversation: FakeVoiceConversation { _, _, sound in
                sound([Float](repeating: 0.1, count: 24_000 * 90), 24_000)
                return nil
            }, playbackTimeoutMs: 1000)
        try await bench.ask()
        let time = bench.clock.now
        try await bench.until("ends", advancing: .milliseconds(200)) { bench.state.widgetState == .idle }
        #expect(bench.state.problem == nil && bench.player.present.stopCount == 0)
        #expect(time.duration(to: bench.clock.now) >= .seconds(89))
    }

    @Test("A reply that fails says why, and one without sound ends when its text does")
    func replies() async throws {
        struct Failure: LocalizedError { var errorDescription: String? { "the context is full" } }
        let failing = Bench(conversation: FakeVoiceConversation { _, _, _ in throw Failure() })
        try await failing.ask()
        try await failing.until("tells") { failing.state.problem == .replyFailed("the context is full") }
        let silent = Bench(
            conversation: FakeVoiceConversation { _, text, _ in
                text("Only ")
                text("text.")
                return nil
            })
        try await silent.ask()
        try await silent.until("ends") { silent.state.widgetState == .idle }
        #expect(silent.state.caption == "Only text." && silent.state.statsText.isEmpty)
    }

    @Test("The amplitude is the devices', smoothed by smoothingAlpha each time the meter is read")
    func amplitude() async throws {
        let bench = Bench()
        bench.recorder.change { $0.amplitude = 1 }
        bench.store.processIntent(intent: .toggle)
        try await bench.until("rises", advancing: .milliseconds(5)) { bench.state.amplitude > 0 }
        #expect(abs(bench.state.amplitude - 0.3) < 1e-6)
        try await bench.until("rises", advancing: .milliseconds(5)) { bench.state.amplitude > 0.3 }
        #expect(abs(bench.state.amplitude - 0.51) < 1e-6)
        bench.recorder.change { $0.amplitude = .nan }
        try await bench.until("falls") { bench.state.amplitude < 0.1 }
    }

    @Test("reset ends what goes on and forgets the conversation")
    func reset() async throws {
        let bench = Bench()
        try await bench.ask()
        bench.store.processIntent(intent: .reset)
        try await bench.until("is reset") { bench.conversation.resetCount == 1 }
        #expect(bench.state.widgetState == .idle && bench.state.caption.isEmpty)
    }

    @Test("Turned on while loading, or with a recorder that gives no samples, hands-free says so or stays off")
    func handsFreeRefused() async throws {
        final class KeyOnly: VoiceAudioRecorder {
            let amplitude: Float = 0
            let nativeSampleRate = 16_000
            func start() -> Bool { true }
            func stop() async -> [Float] { [] }
            func cancel() async {}
        }
        let clock = ManualClock()
        let store = VoiceAssistantStore(
            recorder: KeyOnly(), player: FakeVoicePlayer(clock: clock), clock: clock)
        store.processIntent(intent: .setHandsFree(true))
        #expect(!store.state.value.isHandsFree)
        store.setConversation(conv: FakeVoiceConversation())
        store.processIntent(intent: .setHandsFree(true))
        while store.state.value.problem == nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(store.state.value.problem == .handsFreeUnsupported && !store.state.value.isHandsFree)
    }
}
