import Foundation
import LeapTestSupport
import Testing

@testable import LeapUi

/// The table of transitions: what the assistant does in every phase on every event.
struct VoiceMachineTests {
    /// Machines in a phase, and how each got there.
    struct Situation: CustomStringConvertible {
        let name: String
        let machine: VoiceMachine
        var description: String { name }
    }

    /// Every phase, with a key and without one.
    static func situations(interruptToSpeak: Bool = true) -> [Situation] {
        func machine(_ events: [(VoiceMachine) -> VoiceEvent]) -> VoiceMachine {
            var machine = VoiceMachine(interruptToSpeak: interruptToSpeak)
            for event in events { _ = machine.handle(event(machine)) }
            return machine
        }
        let ready: [(VoiceMachine) -> VoiceEvent] = [{ _ in .modelReady }]
        let listening = ready + [{ _ in .toggle }, { .opened($0.turn) }]
        let responding = listening + [{ _ in .send }, { .recorded($0.turn, isEmpty: false) }]
        let armed = ready + [{ _ in .handsFree(true) }, { .opened($0.turn) }]
        let heard = armed + [{ _ in .speechStarted }]
        let answering = heard + [{ .recorded($0.turn, isEmpty: false) }]
        return [
            ("unavailable", []), ("idle", ready), ("opening", ready + [{ _ in .toggle }]), ("listening", listening),
            ("taking", listening + [{ _ in .send }]), ("responding", responding),
            ("playing", responding + [{ .replied($0.turn, hasAudio: true) }]),
            ("opening, hands-free", ready + [{ _ in .handsFree(true) }]), ("idle, hands-free", armed),
            ("listening, hands-free", heard), ("taking, hands-free", heard + [{ _ in .send }]),
            ("responding, hands-free", answering),
            ("playing, hands-free", answering + [{ .replied($0.turn, hasAudio: true) }]),
            ("closed", ready + [{ _ in .close }]),
        ].map { Situation(name: $0.0, machine: machine($0.1)) }
    }

    /// Every event, as the present turn of a machine has it.
    static func events(_ turn: Int) -> [(name: String, event: VoiceEvent)] {
        [
            ("model loading", .modelLoading), ("model failed", .modelFailed("no file")), ("model ready", .modelReady),
            ("toggle", .toggle), ("start listening", .listen), ("stop listening", .send), ("cancel", .cancel),
            ("reset", .reset), ("hands-free on", .handsFree(true)), ("hands-free off", .handsFree(false)),
            ("close", .close), ("speech likely", .speechLikely(true)), ("speech unlikely", .speechLikely(false)),
            ("speech started", .speechStarted), ("opened", .opened(turn)),
            ("refused", .refused(turn, .permissionDenied)),
            ("recorded", .recorded(turn, isEmpty: false)), ("recorded nothing", .recorded(turn, isEmpty: true)),
            ("microphone lost", .lost(.microphoneLost("gone"))), ("reply with sound", .replied(turn, hasAudio: true)),
            ("reply without sound", .replied(turn, hasAudio: false)),
            ("reply failed", .replyFailed(turn, .replyFailed("no memory"))),
            ("played", .played(turn)), ("time-out", .expired(turn)),
        ]
    }

    private static func name(_ machine: VoiceMachine) -> String {
        machine.phase.rawValue + (machine.isHandsFree ? ", hands-free" : "")
    }

    private static func name(_ effect: VoiceEffect) -> String {
        switch effect {
        case .openMicrophone: "open the microphone"
        case .takeRecording: "take the recording"
        case .takeUtterance: "take the utterance"
        case .dropUtterance: "drop the utterance"
        case .closeMicrophone: "close the microphone"
        case .reply: "reply"
        case .cancelReply: "cancel the reply"
        case .awaitPlayback: "await playback"
        case .silence: "silence"
        case .duck(let isDucked): isDucked ? "duck" : "play loud again"
        case .resetConversation: "reset the conversation"
        case .time(let deadline, _): "timer (\(deadline))"
        case .stopTimer: "stop the timer"
        }
    }

    /// The rows of the table for one setting; events that change nothing are left out.
    static func rows(interruptToSpeak: Bool) -> [String] {
        situations(interruptToSpeak: interruptToSpeak).flatMap { situation in
            events(situation.machine.turn).compactMap { name, event in
                var machine = situation.machine
                let effects = machine.handle(event)
                let problem = machine.problem == nil ? "" : " (problem)"
                let next = Self.name(machine) + problem
                guard next != situation.name || !effects.isEmpty else { return nil }
                return "| \(situation.name) | \(name) | \(next) | \(effects.map(Self.name).joined(separator: ", ")) |"
            }
        }
    }

    /// The table of Transitions.md.
    static func table() -> String {
        let interrupting = rows(interruptToSpeak: true)
        let patient = rows(interruptToSpeak: false)
        let head = "| state | event | next | effects |\n|---|---|---|---|\n"
        return head + interrupting.joined(separator: "\n")
            + "\n\nWith `interruptToSpeak: false` these are different:\n\n" + head
            + patient.filter { !interrupting.contains($0) }.joined(separator: "\n") + "\n"
    }

    @Test("The table of the documentation is what the machine does in every state on every event")
    func documented() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/LeapUi/LeapUi.docc/Transitions.md"), encoding: .utf8)
        let table = Self.table()
        #expect(page.contains(table), "Transitions.md should have this table:\n\(table)")
    }

    @Test("Each situation is what its name says, and all phases are among them")
    func coverage() {
        let situations = Self.situations()
        for situation in situations { #expect(Self.name(situation.machine) == situation.name) }
        #expect(Set(situations.map(\.machine.phase)) == Set(VoiceMachine.Phase.allCases))
    }

    @Test("A conversation by key: listen, send, answer, play, and again")
    func conversation() {
        var machine = VoiceMachine(interruptToSpeak: true)
        #expect(machine.handle(.toggle).isEmpty && machine.phase == .unavailable)
        #expect(machine.handle(.modelReady).isEmpty && machine.phase == .idle)
        let opening = machine.handle(.toggle)
        let turn = machine.turn
        #expect(opening == [.openMicrophone(turn, streaming: false), .time(.microphone, turn)])
        #expect(machine.handle(.opened(turn)) == [.stopTimer] && machine.phase == .listening)
        #expect(machine.handle(.toggle) == [.takeRecording(turn), .time(.microphone, turn)])
        #expect(machine.handle(.recorded(turn, isEmpty: false)) == [.stopTimer, .reply(turn)])
        #expect(machine.handle(.replied(turn, hasAudio: true)) == [.awaitPlayback(turn), .time(.playback, turn)])
        #expect(machine.handle(.played(turn)) == [.stopTimer] && machine.phase == .idle && machine.problem == nil)
    }

    @Test("What comes of a turn that is over changes nothing, in any state")
    func stale() {
        for situation in Self.situations() {
            for (name, event) in Self.events(situation.machine.turn - 1) where event.turn != nil {
                var machine = situation.machine
                #expect(machine.handle(event).isEmpty && machine == situation.machine, "\(name) in \(situation)")
            }
        }
    }

    @Test("Cancel silences a reply at once, in every state, and leaves no timer and no recording")
    func cancel() {
        for situation in Self.situations() where situation.machine.phase != .unavailable {
            var machine = situation.machine
            let effects = machine.handle(.cancel)
            guard machine.phase != .closed else { continue }
            #expect(machine.phase == .idle, "\(situation)")
            if [.responding, .playing].contains(situation.machine.phase) { #expect(effects.contains(.silence)) }
            #expect(effects.contains(.cancelReply) == (situation.machine.phase == .responding))
        }
    }

    @Test("After any events the microphone is open exactly while it should be, and one timer and reply run at most")
    func anyEvents() {
        for seed in 0..<TestLevel.rounds(25, all: 200) {
            var numbers = SeededGenerator(seed: UInt64(seed))
            var machine = VoiceMachine(interruptToSpeak: seed % 2 == 0)
            var (isOpen, timers, isReplying, isDucked) = (false, 0, false, false)
            for _ in 0..<300 {
                guard
                    let (name, event) = Self.events(machine.turn - Int.random(in: 0...3, using: &numbers) / 3)
                        .filter({ $0.name != "close" }).randomElement(using: &numbers)
                else { continue }
                let before = machine
                for effect in machine.handle(event) {
                    switch effect {
                    case .openMicrophone:
                        #expect(!isOpen, "\(name) in \(before) opens twice")
                        isOpen = true
                    case .closeMicrophone, .takeRecording: isOpen = false
                    case .time: timers += 1
                    case .stopTimer: timers = 0
                    case .reply:
                        #expect(!isReplying)
                        isReplying = true
                    case .cancelReply: isReplying = false
                    case .silence: isDucked = false
                    case .duck(let now): isDucked = now
                    default: break
                    }
                }
                if case .replied = event, machine != before { isReplying = false }
                if case .replyFailed = event, machine != before { isReplying = false }
                if case .expired = event, machine != before { timers = 0 }
                #expect(timers <= 1)
                let needsMicrophone = machine.isHandsFree || [.opening, .listening].contains(machine.phase)
                #expect(isOpen == needsMicrophone, "\(name) in \(before) to \(machine)")
                #expect(isReplying == (machine.phase == .responding), "\(name) in \(before)")
                #expect(!isDucked || [.responding, .playing].contains(machine.phase))
            }
        }
    }
}
