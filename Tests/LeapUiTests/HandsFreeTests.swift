import Foundation
import LeapAudio
import LeapTestSupport
import LeapUiTesting
import Testing

@testable import LeapUi

/// Speaking without a key.
@Suite(.timeLimit(.minutes(30)))
struct HandsFreeTests {
    private static let rate = 16_000

    /// A voice: harmonics in syllables, over faint noise; or the noise alone.
    private static func sound(seconds: Double, isVoice: Bool) -> [Float] {
        var numbers = SeededGenerator(seed: 5)
        return (0..<Int(seconds * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            let noise = Double.random(in: -0.001...0.001, using: &numbers)
            let syllable = time.truncatingRemainder(dividingBy: 0.24)
            guard isVoice, syllable < 0.18 else { return Float(noise) }
            let sum = (1...12).reduce(0.0) { $0 + sin(2 * .pi * 130 * Double($1) * time) / Double($1) }
            return Float(noise + 0.1 * sum * sin(.pi * syllable / 0.18))
        }
    }

    /// An utterance with silence around it.
    static var utterance: [Float] {
        sound(seconds: 1.5, isVoice: false) + sound(seconds: 1.2, isVoice: true) + sound(seconds: 1.5, isVoice: false)
    }

    @Test(
        "The cutter gives each utterance once with its padding, whatever pieces come, and keeps no more than it needs")
    func cutter() {
        let samples = Self.utterance
        var all: [[UtteranceCutter.Event]] = []
        for piece in [160, 1000, 70_000] {
            var cutter = UtteranceCutter(settings: VoiceTurnDetection().settings, sampleRate: Self.rate)
            var events: [UtteranceCutter.Event] = []
            for start in stride(from: 0, to: samples.count, by: piece) {
                events += cutter.append(Array(samples[start..<min(samples.count, start + piece)]))
            }
            all.append(
                events.filter { if case .likely = $0 { false } else { true } })
        }
        for events in all {
            #expect(events.count == 2 && events.first == .started)
            guard case .utterance(let said) = events.last else {
                Issue.record("no utterance")
                continue
            }
            // The voice, 0.3 s before it and 0.7 s behind it.
            #expect(abs(Double(said.count) / Double(Self.rate) - 2.2) < 0.2)
        }
        #expect(all[0] == all[1])
    }

    @Test("What is said without a pause for too long becomes several utterances, between which nothing is lost")
    func endless() {
        let silence = Self.sound(seconds: 0.8, isVoice: false)
        let samples = silence + Self.sound(seconds: 5, isVoice: true) + silence
        for piece in TestLevel.cases([320, 4000, samples.count], standard: 2) {
            var cutter = UtteranceCutter(settings: VoiceTurnDetection().settings, sampleRate: Self.rate, maxSeconds: 2)
            var (said, starts) = ([[Float]](), 0)
            for start in stride(from: 0, to: samples.count, by: piece) {
                for event in cutter.append(Array(samples[start..<min(samples.count, start + piece)])) {
                    switch event {
                    case .started: starts += 1
                    case .utterance(let samples): said.append(samples)
                    case .likely: break
                    }
                }
            }
            #expect(said.count >= 3 && starts == said.count)
            #expect(said.allSatisfy { $0.count <= Int(2.2 * Double(Self.rate)) })
            // One behind the other they are the sound from before its first word to behind its last one.
            let whole = said.flatMap { $0 }
            let first = samples.indices.first { samples[$0...].starts(with: whole.prefix(2000)) } ?? -1
            #expect(first >= 0 && first <= silence.count)
            #expect(Array(samples[max(0, first)...].prefix(whole.count)) == whole)
            #expect(first + whole.count >= silence.count + 5 * Self.rate)
        }
    }

    @Test("An utterance that is taken or dropped is not heard again")
    func bounds() {
        var cutter = UtteranceCutter(settings: VoiceTurnDetection().settings, sampleRate: Self.rate)
        _ = cutter.append(Self.sound(seconds: 1, isVoice: false))
        let voice = Self.sound(seconds: 1, isVoice: true)
        #expect(cutter.append(voice).contains(.started))
        let taken = cutter.take()
        #expect(taken.count > Self.rate && taken.count < Self.rate * 2)
        #expect(cutter.take().isEmpty)
        let quiet = cutter.append(Self.sound(seconds: 1, isVoice: false))
        #expect(!quiet.contains { if case .utterance = $0 { true } else { false } })
        #expect(cutter.append(voice).contains(.started))
        cutter.drop()
        #expect(cutter.take().isEmpty)
    }

    @Test("The threshold, the padding and the silence of an app are those that utterances are cut by")
    func turnDetection() {
        let samples =
            Self.sound(seconds: 1, isVoice: false) + Self.sound(seconds: 1.2, isVoice: true)
            + Self.sound(seconds: 1.5, isVoice: false)
        func length(_ detection: VoiceTurnDetection) -> Int {
            var cutter = UtteranceCutter(settings: detection.settings, sampleRate: Self.rate)
            for case .utterance(let said) in cutter.append(samples) { return said.count }
            return 0
        }
        let usual = length(VoiceTurnDetection())
        #expect(usual > Self.rate)
        #expect(length(VoiceTurnDetection(threshold: 1)) == 0)
        #expect(usual - length(VoiceTurnDetection(prefixPaddingMs: 100)) == Self.rate / 5)
        #expect(abs(length(VoiceTurnDetection(silenceDurationMs: 1200)) - usual - Self.rate / 2) <= Self.rate / 50)
    }

    @Test("Speech begins and ends a turn, and speaking into a reply ends it")
    func turns() async throws {
        let bench = Bench(conversation: .init(reply: endlessReply))
        bench.store.processIntent(intent: .setHandsFree(true))
        try await bench.until("is open") { bench.recorder.present.isRecording && bench.state.isHandsFree }
        try await bench.until("waits") { bench.state.statusText == VoiceWidgetLabels().handsFree }
        bench.recorder.speak(Self.sound(seconds: 1, isVoice: false))
        bench.recorder.speak(Self.sound(seconds: 1.2, isVoice: true))
        try await bench.until("hears") { bench.state.widgetState == .listening }
        bench.recorder.speak(Self.sound(seconds: 1, isVoice: false))
        try await bench.until("answers") { bench.player.isPlaying }
        #expect((bench.conversation.said.first?.count ?? 0) > Self.rate)
        // What may be speech ducks the reply, what is speech ends it.
        bench.recorder.speak(Self.sound(seconds: 1.2, isVoice: true))
        try await bench.until("hears") { bench.state.widgetState == .listening && !bench.player.isPlaying }
        bench.store.processIntent(intent: .setHandsFree(false))
        try await bench.until("is closed") { !bench.recorder.present.isRecording }
        #expect(bench.state.widgetState == .idle && !bench.state.isHandsFree)
    }

    @Test("Without interruptToSpeak a reply goes on more quietly while someone speaks, and loud again after")
    func ducks() async throws {
        let bench = Bench(conversation: .init(reply: endlessReply), interruptToSpeak: false)
        bench.store.processIntent(intent: .setHandsFree(true))
        try await bench.until("is open") { bench.recorder.present.isRecording }
        try await bench.until("waits") { bench.state.statusText == VoiceWidgetLabels().handsFree }
        for isVoice in [false, true, false] { bench.recorder.speak(Self.sound(seconds: 1.2, isVoice: isVoice)) }
        try await bench.until("answers") { bench.player.isPlaying }
        bench.recorder.speak(Self.sound(seconds: 1.2, isVoice: true))
        try await bench.until("ducks") { bench.player.present.isDucked }
        #expect(bench.state.widgetState == .responding)
        bench.recorder.speak(Self.sound(seconds: 1.2, isVoice: false))
        try await bench.until("is loud again") { !bench.player.present.isDucked }
        #expect(bench.player.isPlaying && bench.conversation.said.count == 1)
    }

    @Test("A microphone that goes away turns it off")
    func lost() async throws {
        let bench = Bench()
        bench.store.processIntent(intent: .setHandsFree(true))
        try await bench.until("is open") { bench.recorder.present.isRecording }
        bench.recorder.change { $0.problem = .microphoneLost("unplugged") }
        try await bench.until("tells") { bench.state.problem == .microphoneLost("unplugged") }
        #expect(!bench.state.isHandsFree)
    }
}
