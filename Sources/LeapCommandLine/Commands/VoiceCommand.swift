import ArgumentParser
import Foundation
import LeapBase
import LeapCore
import LeapSDK
import LeapUi

/// `leap voice MODEL`: a conversation by voice.
struct VoiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice",
        abstract: "Talk to a model that understands speech.",
        discussion: """
            MODEL is an LFM2-Audio or LFM3-Audio model with its encoder (mmproj-*.gguf) beside it; with LFM3-Audio, a terminal shows what you say \
            while you speak. Keys: space or Return starts listening, sends what you \
            said, or interrupts a reply; h turns hands-free mode on and off; Esc cancels, r forgets the conversation, q quits. The text of \
            replies goes to standard output, everything else to standard error.

            On Linux, pw-record or arecord records, and pw-play or aplay plays (packages pipewire-bin 1.2 or later, alsa-utils). \
            With loudspeakers, hands-free mode hears the replies too: use headphones, or --no-interrupt.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Option(help: "The system message (default for models that speak: the one that they were trained with).")
    var system: String?

    @Option(
        help:
            "A WAV, FLAC, MP3 or Ogg file instead of the microphone; the model answers it, then the command exits.",
        completion: .file(extensions: AudioArgument.extensions))
    var input: String?

    @Option(
        help: "Write what the model says to this WAV or FLAC file instead of playing it.",
        completion: .file(extensions: SpokenFile.extensions))
    var output: String?

    @Option(
        help: "When the context is full: trim leaves the oldest turns out of the prompt, fail ends the conversation.")
    var overflow = OverflowArgument.trim

    @Flag(help: "Begin and end utterances by voice instead of a key.")
    var handsFree = false

    @Flag(help: "Play replies to their end even while somebody speaks.")
    var noInterrupt = false

    @Option(
        parsing: .unconditional, help: "Hands-free: how likely speech has to be, 0 to 1; higher needs a louder voice.")
    var threshold = 0.5

    @Option(parsing: .unconditional, help: "Hands-free: milliseconds of silence that end an utterance, 20 to 60000.")
    var silence = 700

    @OptionGroup(title: "Sampling")
    var sampling: SamplingArguments

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    /// Returns the system message that makes a model that speaks answer in text and speech; nil for other models.
    private static func prompt(of runner: any ModelRunner) -> String? {
        let abilities = try? (runner as? LiquidInferenceEngineRunner)?.abilities()
        guard let abilities, abilities.capabilities.contains(.speech) else { return nil }
        return SpeechPrompts.conversation
    }

    /// Writes what was said where it is wanted, and says what became of it.
    private func tell(_ file: FileVoicePlayer, hasReplies: Bool) throws {
        guard hasReplies else {
            return Terminal.note(
                input.map { "--input \($0): it contains no speech" }
                    ?? "\(output ?? "") was not written: nothing was said")
        }
        guard let output else {
            guard file.seconds > 0 else { return }
            return Terminal.note(
                "\(String(format: "%.1f", file.seconds)) seconds of speech were not played, because the recording comes from a file: --output FILE.wav keeps them"
            )
        }
        let seconds = try file.write(to: output)
        Terminal.note(
            seconds > 0
                ? "\(output): \(String(format: "%.1f", seconds)) seconds"
                : "\(output) was not written: the model answered in text alone")
    }

    func validate() throws {
        guard (0...1).contains(threshold) else {
            throw ValidationError("--threshold is \(threshold): it has to be 0 to 1")
        }
        try CountRange(20...60_000).check(silence, "--silence")
        if output == "-" {
            throw ValidationError(
                "--output - is standard output, where the text of replies goes: name a WAV or FLAC file")
        }
    }

    func run() async throws {
        guard Terminal.inputIsTerminal || input != nil || handsFree else {
            throw CommandError(
                "leap voice listens when you press a key, but standard input is not a terminal: give --hands-free, or --input FILE.wav"
            )
        }
        try output.map { try SpokenFile.check($0, "--output") }
        // What the file's speaker does not say while a reply is given.
        let isAnswering = Locked<@Sendable () -> Bool>({ false })
        let recorder = try VoiceDevices.recorder(input, silence: silence) { isAnswering.withLock { $0 }() }
        if let input, !handsFree, let file = recorder as? FileVoiceRecorder, !file.hasSpeech {
            return Terminal.note("--input \(input): it contains no speech")
        }
        let player = try VoiceDevices.player(output ?? (input == nil ? nil : ""))
        let runner = try await loading.load(model)
        // Says why, where the model reads no sound.
        _ = try AudioInputStream(runner: runner, sampleRate: recorder.nativeSampleRate)
        let store = VoiceAssistantStore(
            recorder: recorder, player: player, interruptToSpeak: !noInterrupt,
            labels: VoiceWidgetLabels(idle: "Press space to speak"),
            turnDetection: VoiceTurnDetection(threshold: threshold, silenceDurationMs: silence))
        isAnswering.withLock { $0 = { [weak store] in store?.state.value.widgetState == .responding } }
        let conversation = ModelVoiceConversation(
            conversation: runner.createConversation(systemPrompt: system ?? Self.prompt(of: runner)),
            generationOptions: sampling.generationOptions().with(contextOverflowPolicy: overflow.policy))
        store.setConversation(conv: conversation)
        let keys = input == nil && Terminal.inputIsTerminal ? VoiceKeys() : nil
        let isDrawn = Terminal.errorIsTerminal && TextStyle.movesCursor && input == nil
        let session = VoiceSession(
            store: store, keys: keys, file: recorder as? FileVoiceRecorder, startsHandsFree: handsFree,
            screen: VoiceScreen(isDrawn: isDrawn, hint: keys == nil ? "" : VoiceKeys.hint),
            leftOut: { [contextSize = runner.contextSize] in
                let count = conversation.leftOutCount
                return (
                    count,
                    "(the context of \(contextSize) tokens is full: the oldest \(count) messages were left out of the prompt)"
                )
            })
        let endings = Endings { KeyboardMode.end() }
        defer {
            KeyboardMode.restore()
            withExtendedLifetime((endings, keys)) {}
        }
        try await Interrupts.ending(Task { try await session.run() })
        if let file = player as? FileVoicePlayer {
            try tell(file, hasReplies: store.state.value.replyCount > 0)
        }
        await runner.unload()
    }
}
