import ArgumentParser
import Foundation
import LeapBase
import LeapSDK

/// `leap speak MODEL TEXT -o FILE`: a text that is read out.
struct SpeakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speak",
        abstract: "Speak a text into a WAV or FLAC file.",
        discussion: """
              leap speak demo-audio "The lamp is on." --output lamp.wav

            MODEL is an LFM2.5-Audio model with its audio decoder (vocoder-*.gguf) beside it, or LFM3-Audio or LFM3-Omni with the projector \
            (mmproj-*.gguf). The demo model speaks only the sentences that it was trained on.
            """)

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "The text; without it, reads the text from a pipe.")
    var text: String?

    @Option(
        name: .customLong("text"), parsing: .unconditional,
        help: "The text as an option, for text that begins with a hyphen.")
    var textOption: String?

    @Option(
        name: .shortAndLong,
        help:
            "The WAV file to write, or FLAC file if its name ends with .flac: one channel, 24,000 samples of 16 bits a second; - is standard output, as WAV.",
        completion: .file(extensions: SpokenFile.extensions))
    var output: String

    @Option(
        help: "The voice: \(SpeechVoice.allCases.map(\.rawValue).joined(separator: ", ")); or female, male.")
    var voice = SpeechVoice.usMale.rawValue

    @Option(help: "The language of the text by its code or English name; LFM3-Audio and LFM3-Omni only.")
    var language: String?

    @Option(parsing: .unconditional, help: "The same seed gives the same speech.")
    var seed: Int64?

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    func validate() throws {
        if text != nil, textOption != nil {
            throw ValidationError("the text is given twice, as an argument and with --text: give one")
        }
        if output == "-", Terminal.outputIsTerminal {
            throw ValidationError("--output - writes sound that a terminal cannot show: send it to a file or a pipe")
        }
        guard SpeechVoice(name: voice) != nil else {
            throw ValidationError(
                "--voice is \(voice): the voices are \(SpeechVoice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let language, SpeechVoice.languageName(language) == nil {
            throw ValidationError(
                "--language is \(language): it has to be one of \(SpokenLanguage.all.map(\.code).joined(separator: ", ")), or an English name such as German or Brazilian Portuguese"
            )
        }
    }

    func run() async throws {
        if output != "-" { try SpokenFile.check(output, "--output") }
        let text = try text ?? textOption ?? StandardInput.readText(for: "TEXT")
        guard text.contains(where: { !$0.isWhitespace }) else { throw CommandError("there is no text to speak") }
        let runner = try await loading.load(model)
        let prompt = try runner.speechPrompt(
            SpeechVoice(name: voice) ?? .usMale, language: language.flatMap { SpeechVoice.languageName($0) })
        let conversation = runner.createConversation(systemPrompt: prompt)
        let options = GenerationOptions(temperature: 0, rngSeed: seed)
        options.further.audioOrder = .sequential
        let task = Task {
            var file = SpokenFile()
            for try await response in conversation.generateResponse(
                message: ChatMessage(role: .user, textContent: text), generationOptions: options
            ).throwing {
                file.add(response)
                if case .complete(let completion) = response, completion.finishReason != .stop {
                    Terminal.note("finished early: \(completion.finishReason)")
                }
            }
            try file.write(to: output, "--output")
        }
        try await Interrupts.ending(task)
        await runner.unload()
    }
}
