import ArgumentParser
import Foundation
import LeapBase
import LeapChat
import LeapCore
import LeapSDK

/// `leap transcribe MODEL FILE`: what is said in a sound, as text.
struct TranscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Transcribe the speech in a sound file.",
        discussion: """
            MODEL is an LFM2-Audio or LFM3-Audio model with its encoder (mmproj-*.gguf) beside it. The command reads WAV and FLAC files, and MP3 and Ogg (Vorbis, Opus) files \
            if the system has libsndfile.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(
        help: "A WAV, FLAC, MP3 or Ogg file, at any rate; - reads it from standard input.",
        completion: .file(extensions: AudioArgument.extensions))
    var file: String

    @Option(
        help:
            "The system message that asks for the text (default: the model's for English); \"Perform ASR in japanese.\" for the Japanese model."
    )
    var system: String?

    @Option(
        help:
            "The language of the speech (default: en): a code such as de, or an English name. LFM2-Audio transcribes en and ja, LFM3-Audio more."
    )
    var language: String?

    @Option(parsing: .unconditional, help: "Maximum tokens of the text (default: as many as the context holds).")
    var maxTokens: Int32?

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    @Flag(help: "Print one JSON object: text, finish_reason, stats.")
    var json = false

    func validate() throws {
        if let language {
            if system != nil { throw ValidationError("--language and --system exclude each other: give one of them") }
            if SpokenLanguage.find(language) == nil {
                throw ValidationError(
                    "--language is \(language): it has to be one of \(Self.codes(SpokenLanguage.all)), or their English name"
                )
            }
        }
        if let maxTokens, maxTokens < 1 {
            throw ValidationError("--max-tokens is \(maxTokens): it has to be 1 or more")
        }
    }

    private static func codes(_ languages: [SpokenLanguage]) -> String {
        languages.map(\.code).joined(separator: ", ")
    }

    /// The message that asks a model for the text in the language.
    private func prompt(_ runner: any ModelRunner) throws -> String {
        guard let language = language.flatMap({ SpokenLanguage.find($0) }) else { return runner.transcriptionPrompt() }
        let trained = runner.transcriptionLanguages
        guard trained.contains(language) else {
            throw CommandError(
                "--language is \(language.code), but the model transcribes \(Self.codes(trained)): use one of these, or LFM3-Audio"
            )
        }
        return runner.transcriptionPrompt(in: language.lowercasedName)
    }

    func run() async throws {
        let sound = try AudioArgument.read(file, name: "transcribe")
        // Silence has no text, and what models make of it is none that was said; around speech it must not change that
        // text.
        guard let sound = AudioArgument.spoken(sound) else {
            Terminal.note("transcribe \(file): it contains no speech")
            Terminal.writeLine(json ? try RunResult(showsThoughts: false).jsonLine() : "")
            return
        }
        let runner = try await loading.load(model)
        let conversation = runner.createConversation(systemPrompt: try system ?? prompt(runner))
        // The most likely words.
        let options = GenerationOptions()
        options.temperature = 0
        options.maxTokens = maxTokens
        let message = ChatMessage(role: .user, content: [sound])
        let isJSON = json
        let task = Task {
            var result = RunResult(showsThoughts: false)
            for try await response in conversation.generateResponse(message: message, generationOptions: options)
                .throwing
            {
                result.add(response)
                if case .chunk(let piece) = response, !isJSON { Terminal.write(piece) }
            }
            if isJSON {
                Terminal.writeLine(try result.jsonLine())
            } else {
                Terminal.writeLine()
                if result.finishCode != "stop" { Terminal.note("finished early: \(result.finishCode)") }
            }
        }
        try await Interrupts.ending(task)
        await runner.unload()
    }
}
