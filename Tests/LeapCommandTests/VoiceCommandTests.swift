import Foundation
import LeapAudioDemoModel
import LeapCore
import LeapTestSupport
import LeapUi
import LeapUiTesting
import Testing

@testable import LeapCommandLine

/// `leap voice` with files in the place of a microphone and a loudspeaker.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct VoiceCommandTests {
    /// A folder with a model, its encoder and a recording: a second of a voice, silence, and a voice again.
    private static func folder() throws -> TemporaryFolder {
        let folder = try AudioCommandTests.modelFolder()
        let voice = (0..<16_000).map { index -> Float in
            let time = Double(index) / 16_000
            let syllable = time.truncatingRemainder(dividingBy: 0.24)
            guard syllable < 0.18 else { return 0 }
            let sum = (1...12).reduce(0.0) { $0 + sin(2 * .pi * 130 * Double($1) * time) / Double($1) }
            return Float(0.1 * sum * sin(.pi * syllable / 0.18))
        }
        let silence = [Float](repeating: 0, count: 20_000)
        guard
            case .audio(let data) = ChatMessageContent.fromFloatSamples(
                silence + voice + silence + voice + silence, sampleRate: 16_000)
        else { return folder }
        try data.write(to: folder.url.appending(path: "said.wav"))
        return folder
    }

    @Test(
        "A file is answered as a whole, or by its utterances with --hands-free; the text goes to standard output",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func input() throws {
        let folder = try Self.folder()
        let arguments = [
            "voice", folder.path("model.gguf"), "--input", folder.path("said.wav"), "--output", folder.path("out.wav"),
            "--max-tokens", "5", "--threads", "1", "--temperature", "0",
        ]
        let once = try LeapProgram.run(arguments)
        #expect(once.status == 0, "\(once.errors)")
        #expect(once.output.hasSuffix("\n") && once.output.count > 1)
        #expect(once.errors.contains("Listening…") && once.errors.contains("Answering…"), "\(once.errors)")
        #expect(once.errors.contains("5 tokens"), "\(once.errors)")
        // A model that answers in text alone writes no sound, and says so.
        #expect(once.errors.contains("was not written"))
        let free = try LeapProgram.run(arguments + ["--hands-free"])
        #expect(free.status == 0, "\(free.errors)")
        #expect(free.errors.components(separatedBy: "Answering…").count - 1 == 2, "\(free.errors)")
        // A silence that is longer than the pause makes one of two, and a threshold that nothing reaches none.
        let joined = try LeapProgram.run(arguments + ["--hands-free", "--silence", "2000"])
        #expect(joined.errors.components(separatedBy: "Answering…").count - 1 == 1, "\(joined.errors)")
        let none = try LeapProgram.run(arguments + ["--hands-free", "--threshold", "1"])
        #expect(none.status == 0 && !none.errors.contains("Answering…") && none.output.isEmpty)
        #expect(none.errors.contains("said.wav: it contains no speech"), "\(none.errors)")
    }

    @Test("Silence is told as such, and the model is not asked about it")
    func silence() throws {
        let folder = try AudioCommandTests.modelFolder()
        let file = try folder.file("silence.wav", MadeWAV.file(samples: [UInt8](repeating: 0, count: 32_000)))
        let outcome = try LeapProgram.run(
            ["voice", folder.path("model.gguf"), "--input", file, "--output", folder.path("out.wav")])
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("silence.wav: it contains no speech"), "\(outcome.errors)")
    }

    @Test(
        "When the context is full the oldest turns are left out, or the conversation ends, as --overflow says",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func overflow() throws {
        let folder = try TemporaryFolder()
        for (source, name) in [
            (try LeapAudioDemoModel.url, "model.gguf"), (try LeapAudioDemoModel.encoderURL, "mmproj-model.gguf"),
        ] { try FileManager.default.copyItem(at: source, to: folder.url.appending(path: name)) }
        let said = try [UInt8](LeapAudioDemoModel.Recording.whereabouts.data.dropFirst(44))
        let silence = [UInt8](repeating: 0, count: 32_000)
        let file = try folder.file(
            "said.wav", MadeWAV.file(samples: (0..<4).flatMap { _ in said + silence }))
        let arguments = [
            "voice", folder.path("model.gguf"), "--input", file, "--hands-free", "--temperature", "0", "--context",
            "128",
            "--max-tokens", "12", "--threads", "1",
        ]
        let trimmed = try LeapProgram.run(arguments)
        #expect(trimmed.status == 0, "\(trimmed.errors)")
        #expect(trimmed.errors.components(separatedBy: "Answering…").count - 1 == 4, "\(trimmed.errors)")
        #expect(trimmed.errors.contains("messages were left out of the prompt"), "\(trimmed.errors)")
        let failed = try LeapProgram.run(arguments + ["--overflow", "fail"])
        #expect(failed.status == 1 && failed.errors.contains("--context"), "\(failed.errors)")
        #expect(!failed.errors.contains("contextSize") && !failed.errors.contains("contextOverflowPolicy"))
    }

    @Test("Without --output it is told what becomes of the speech")
    func unplayed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("said.wav", try LeapAudioDemoModel.Recording.whereabouts.data)
        let outcome = try LeapProgram.run(
            ["voice", "demo-audio", "--input", file, "--temperature", "0", "--max-tokens", "60"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("seconds of speech were not played"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--output FILE.wav keeps them"))
    }

    @Test("What cannot be is told before a model is loaded, or by the model's name")
    func refusals() throws {
        let folder = try Self.folder()
        let model = folder.path("model.gguf")
        for (arguments, words) in [
            (["voice", model], "standard input is not a terminal"),
            (["voice", model, "--input", "/no/such.wav"], "there is no file that can be read"),
            (["voice", model, "--input", folder.path("said.wav"), "--output", "-"], "name a WAV or FLAC file"),
            (
                ["voice", "/no/such", "--input", folder.path("said.wav"), "--output", "a.ogg"],
                "leap writes only WAV and FLAC files"
            ),
            (["voice", model, "--input", model], "the audio is not a WAV, FLAC, MP3"),
            (["voice", model, "--input", folder.path("said.wav"), "--threshold", "2"], "--threshold is 2"),
            (["voice", model, "--input", folder.path("said.wav"), "--silence", "1"], "--silence is 1"),
            (["voice", "demo", "--input", folder.path("said.wav")], "loaded without a projector"),
        ] {
            let outcome = try LeapProgram.run(arguments)
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    #if os(Linux)
        /// Writes programs into a folder, which is their current one, and gives the environment in which they are
        /// found.
        private static func environment(_ folder: TemporaryFolder, _ scripts: [String: String]) throws -> [String:
            String]
        {
            for (name, script) in scripts { try ShellScript.write(script, named: name, in: folder.url) }
            return ["PATH": "\(folder.url.path):/usr/bin:/bin", "TERM": "xterm"]
        }

        /// Waits for something that another process brings about.
        private static func until(_ condition: () -> Bool) -> Bool {
            for _ in 0..<60_000 where !condition() { usleep(5000) }
            return condition()
        }

        private static func exists(_ folder: TemporaryFolder, _ name: String) -> Bool {
            FileManager.default.fileExists(atPath: folder.path(name))
        }

        /// Returns whether the program that wrote its number into a file runs.
        private static func runs(_ folder: TemporaryFolder, _ name: String) -> Bool {
            guard let text = try? String(contentsOfFile: folder.path(name), encoding: .utf8),
                let number = Int32(text.trimmingCharacters(in: .newlines)),
                let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            else { return false }
            return status.split(separator: ")").last?.hasPrefix(" Z") == false
        }

        @Test(
            "The program that records ends with leap, however that ends",
            arguments: TestLevel.cases([SIGINT, SIGTERM, SIGKILL], standard: 2))
        func recorderEnds(signal: Int32) throws {
            let folder = try AudioCommandTests.modelFolder()
            // Only where leap is killed has the recorder to notice by itself that nobody reads any more.
            let environment = try Self.environment(
                folder,
                [
                    "arecord":
                        "\(signal == SIGINT ? "trap '' PIPE TERM; " : "")echo $$ > number; mv number pid; while :; do printf '\\000\\100\\000\\300' 2> /dev/null; sleep 0.02; done",
                    "aplay": "cat > /dev/null",
                ])
            var seen = false
            let outcome = try LeapProgram.run(
                ["voice", folder.path("model.gguf"), "--hands-free", "--threads", "1"], environment: environment
            ) { process in
                seen = Self.until { Self.exists(folder, "pid") } && Self.runs(folder, "pid")
                kill(process.processIdentifier, signal)
            }
            #expect(seen, "\(outcome.errors)")
            #expect(outcome.status != 0)
            #expect(Self.until { !Self.runs(folder, "pid") })
        }

        @Test(
            "A person who speaks ends the reply, or hears it to its end with --no-interrupt",
            .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"), arguments: [false, true])
        func noInterrupt(isOn: Bool) throws {
            let folder = try TemporaryFolder()
            try LeapAudioDemoModel.Recording.whereabouts.data.dropFirst(44).write(
                to: folder.url.appending(path: "said"))
            try Data(count: 32_000).write(to: folder.url.appending(path: "silence"))
            let environment = try Self.environment(
                folder,
                [
                    // Something is said, and again while the reply is played.
                    "arecord": """
                    cat silence said silence
                    while [ ! -e playing ]; do cat silence; sleep 0.5; done
                    cat silence said
                    touch interrupted
                    while :; do cat silence; sleep 0.5; done
                    """,
                    // A loudspeaker that takes no sound until it is told to.
                    "aplay":
                        "echo $$ > number; mv number playing; while [ ! -e go ]; do sleep 0.02; done; cat > sound; touch ended",
                ])
            var ended = false
            let arguments =
                ["voice", "demo-audio", "--hands-free", "--temperature", "0"] + (isOn ? ["--no-interrupt"] : [])
            let outcome = try LeapProgram.run(arguments, environment: environment) { process in
                if Self.until({ Self.exists(folder, "interrupted") }) {
                    if isOn {
                        // Time in which the reply would be ended.
                        usleep(1_500_000)
                        _ = FileManager.default.createFile(atPath: folder.path("go"), contents: nil)
                        ended = Self.until { Self.exists(folder, "ended") }
                    } else {
                        ended = Self.until { !Self.runs(folder, "playing") }
                    }
                }
                kill(process.processIdentifier, SIGINT)
            }
            #expect(ended, "\(outcome.errors)")
            #expect(Self.exists(folder, "ended") == isOn)
            #expect(outcome.output.hasPrefix("Mia is"), "\(outcome.output)")
        }

        @Test("Without a program that records, the error says what to install")
        func noPrograms() throws {
            let folder = try AudioCommandTests.modelFolder()
            let outcome = try LeapProgram.run(
                ["voice", folder.path("model.gguf"), "--hands-free"], environment: ["PATH": folder.url.path])
            #expect(outcome.status == 1 && outcome.errors.contains("install pipewire-bin"), "\(outcome.errors)")
        }

        @Test("At a terminal, a key begins to listen and sends, and q leaves")
        func keys() throws {
            let folder = try AudioCommandTests.modelFolder()
            // A microphone that is never silent, and a loudspeaker that takes everything.
            let environment = try Self.environment(
                folder,
                [
                    "arecord": "while :; do printf '\\000\\100\\000\\300'; sleep 0.01; done",
                    "aplay": "cat > /dev/null",
                ])
            let shown = try TerminalSession.run(
                ["voice", folder.path("model.gguf"), "--max-tokens", "3", "--threads", "1"], [" ", "q"],
                environment: environment)
            #expect(shown.contains("Press space to speak"), "\(shown)")
        }
    #endif

    @Test("Keys ask for what the line says")
    func keyTable() {
        #expect(VoiceKeys.commands(of: .text(" ")) == [.intent(.toggle)])
        #expect(VoiceKeys.commands(of: .enter) == [.intent(.toggle)])
        #expect(VoiceKeys.commands(of: .cancel) == [.intent(.cancel)])
        #expect(VoiceKeys.commands(of: .text("hrx")) == [.toggleHandsFree, .intent(.reset)])
        #expect(VoiceKeys.commands(of: .interrupt) == [.leave] && VoiceKeys.commands(of: .endOfInput) == [.leave])
        #expect(VoiceKeys.commands(of: .text("q")) == [.leave] && VoiceKeys.commands(of: .tab).isEmpty)
    }

    @Test("The screen writes each reply once, and its line gives way to the text")
    func screen() async throws {
        let clock = ManualClock()
        let recorder = FakeVoiceRecorder()
        let store = VoiceAssistantStore(
            recorder: recorder, player: FakeVoicePlayer(clock: clock), clock: clock)
        store.setConversation(
            conv: FakeVoiceConversation { _, text, _ in
                text("Same.")
                return nil
            })
        for isDrawn in [true, false] {
            var screen = VoiceScreen(isDrawn: isDrawn, hint: "[q] leave")
            var (results, notes) = ("", "")
            func show() {
                for piece in screen.show(store.state.value) {
                    switch piece {
                    case .result(let text): results += text
                    case .note(let text): notes += text
                    }
                }
            }
            for _ in 0..<2 {
                show()
                let count = store.state.value.replyCount
                store.processIntent(intent: .toggle)
                while store.state.value.widgetState != .listening { try await Task.sleep(for: .milliseconds(1)) }
                show()
                store.processIntent(intent: .toggle)
                while store.state.value.replyCount == count || store.state.value.widgetState != .idle {
                    try await Task.sleep(for: .milliseconds(1))
                }
                show()
            }
            #expect(results.hasSuffix("Same.\nSame.\n"))
            #expect(notes.contains("Listening…") && notes.contains("\u{1B}[K") == isDrawn)
            #expect(notes.contains("[q] leave") == isDrawn && notes.contains("░") == isDrawn)
            // Nothing is drawn that would break into a second line.
            var narrow = VoiceScreen(isDrawn: isDrawn, hint: "[q] leave")
            if isDrawn {
                #expect(
                    narrow.show(store.state.value, columns: 20).last
                        == .note("\r\u{1B}[K" + String(repeating: "░", count: 16) + "  T"))
            }
            #expect(screen.finish() == (isDrawn ? [.note("\r\u{1B}[K")] : []))
        }
    }

    @Test("While a person speaks, a line that is drawn shows the latest of their words")
    func heard() async throws {
        let clock = ManualClock()
        let recorder = FakeVoiceRecorder()
        let store = VoiceAssistantStore(recorder: recorder, player: FakeVoicePlayer(clock: clock), clock: clock)
        store.setConversation(conv: HearingConversation())
        store.processIntent(intent: .toggle)
        while store.state.value.widgetState != .listening { try await Task.sleep(for: .milliseconds(1)) }
        recorder.speak([0.1, 0.2])
        while store.state.value.heard.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        for isDrawn in [true, false] {
            var screen = VoiceScreen(isDrawn: isDrawn, hint: "")
            guard case .note(let line) = screen.show(store.state.value).last else {
                Issue.record("no line")
                continue
            }
            #expect(line.hasSuffix(HearingConversation.words.suffix(40)) == isDrawn)
            #expect(!line.contains("Once"))
        }
    }
}

/// A conversation that hears the same words in every sound.
private final class HearingConversation: TranscribingVoiceConversation {
    static let words = "Once there were two lamps in the garden, and both of them were on."

    private final class Words: VoiceTranscription {
        private let onText: @Sendable (String) -> Void

        init(_ onText: @escaping @Sendable (String) -> Void) { self.onText = onText }

        func append(samples: [Float]) { onText(HearingConversation.words) }
        func finish() {}
        func cancel() {}
    }

    func transcribe(
        sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void
    ) -> (any VoiceTranscription)? { Words(onText) }

    func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? { nil }

    func reset() {}
}
