import ArgumentParser
import Foundation
import LeapCore
import LeapSDK
import LeapTokenizer

/// `leap run MODEL PROMPT…`: an answer to each prompt.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Answer a prompt, or several.",
        discussion: """
              leap run demo "What is the capital of Portugal?"
              leap run demo "Extract name, age and city as JSON:" < person.txt
              echo "Tell me a joke." | leap run demo

            A base model, which has no chat template, continues the text; --raw makes other models do so.

            Answers go to standard output, separated by an empty line; the reasoning before an answer goes to \
            standard error, if --thinking asks for it. Ctrl-C ends the answer with status 130.
            """)

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @OptionGroup var prompts: PromptArguments

    @Option(
        help:
            "A JPEG, PNG, WebP, GIF or BMP file, or an https address; - reads the file from standard input. Repeatable.",
        completion: .file(extensions: ["jpg", "jpeg", "png", "webp", "gif", "bmp"]))
    var image: [String] = []

    @Option(
        help: "A WAV, FLAC, MP3 or Ogg file, at any rate; - reads the file from standard input. Repeatable.",
        completion: .file(extensions: AudioArgument.extensions))
    var audio: [String] = []

    @Option(
        help:
            "A folder with a picture for each frame, a GIF file, or a video file if the program ffmpeg is installed. Repeatable.",
        completion: .file())
    var video: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per second of --video; more than 0, up to 60 (default: 2).", valueName: "number"))
    var videoFps: Double?

    @Option(
        help:
            "A WAV or FLAC file for the model's speech, with one prompt; without --system, the system message tells the model to speak.",
        completion: .file(extensions: SpokenFile.extensions))
    var speak: String?

    @Option(help: "The system message.")
    var system: String?

    @Option(
        help: "A file with a JSON array of tools in OpenAI's format; - is standard input.",
        completion: .file(extensions: ["json"]))
    var tools: String?

    @OptionGroup(title: "Form of the answer")
    var constraint: ConstraintArguments

    @OptionGroup(title: "Sampling")
    var sampling: SamplingArguments

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    @OptionGroup(title: "Pictures")
    var pictures: ImageArguments

    @Flag(help: "Continue the text as it is, without the model's chat template.")
    var raw = false

    @Flag(help: "Show tokens and speed after each answer, on standard error.")
    var verbose = false

    @Flag(
        help:
            "Print one JSON object a line for each prompt: text, reasoning, tool_calls, finish_reason, stats; logprobs if --extras asks for them."
    )
    var json = false

    func validate() throws {
        if speak == "-" {
            throw ValidationError("--speak - is standard output, where the answer's text goes: name a WAV or FLAC file")
        }
        if raw, !takesRaw {
            throw ValidationError(
                "--raw continues text only: leave out --system, --tools, --image, --audio, --video and --speak")
        }
        if image.isEmpty, video.isEmpty, pictures.options != ImageOptions() {
            throw ValidationError(
                "--min-image-tokens, --max-image-tokens and --no-image-splitting have no effect without --image FILE or --video PATH"
            )
        }
        if let videoFps {
            guard !video.isEmpty else { throw ValidationError("--video-fps has no effect without --video PATH") }
            guard videoFps > 0, videoFps <= 60 else {
                throw ValidationError("--video-fps is \(videoFps); expected more than 0, and at most 60")
            }
        }
    }

    /// True if nothing is asked for that a text which is gone on with has no place for.
    private var takesRaw: Bool { system == nil && tools == nil && speak == nil && media.isEmpty }

    /// The files of pictures, sounds and videos.
    private var media: [String] { image + audio + video }

    func run() async throws {
        let functions =
            try tools.map { try JSONFile.functions($0, "--tools") } ?? []
        try speak.map { try SpokenFile.check($0, "--speak") }
        let options = sampling.generationOptions()
        try constraint.apply(to: options)
        let pictures = try image.map { try ImageArgument.read($0) }
        let rate = videoFps ?? VideoFrames.usualFramesPerSecond
        let videos = try video.map { try VideoArgument.read($0, framesPerSecond: rate) }
        let media = try pictures + videos + audio.map { try AudioArgument.read($0) }
        let texts = try prompts.texts()
        guard speak == nil || texts.count == 1 else {
            throw ValidationError("--speak writes one file, and there are \(texts.count) prompts: give one")
        }
        let runner = try await loading.load(model, pictures: self.pictures)
        let isBase = runner.hasBaseModel
        let completer = raw || (isBase && takesRaw) ? runner as? LiquidInferenceEngineRunner : nil
        if isBase, !raw {
            Terminal.note(
                "(\(runner.modelId) is a base model, without a chat template: "
                    + (completer == nil ? "its answer may be anything)" : "it continues the text)"))
        }
        let task = Task {
            for (index, text) in texts.enumerated() {
                if index > 0, !json { Terminal.writeLine() }
                if let completer {
                    let prompt = PromptDisplay(runner) { try? completer.tokenizer().encode(text).count }
                    try await show(completer.completion(of: .text(text), options: options).stream(), prompt)
                    if Task.isCancelled { break }
                    continue
                }
                let conversation = runner.createConversation(
                    systemPrompt: system ?? (speak == nil ? nil : SpeechPrompts.conversation))
                conversation.registerFunctions(functions)
                let message = ChatMessage(role: .user, content: media + [.text(text)])
                let prompt = PromptDisplay(runner) {
                    let history = conversation.history.filter { $0.role == .system }
                    return runner.promptTokens(of: history + [message], functions: functions)
                }
                try await show(
                    conversation.generateResponse(message: message, generationOptions: options), prompt)
                if Task.isCancelled { break }
            }
        }
        try await Interrupts.ending(task)
        await runner.unload()
    }

    private func show(_ responses: MessageResponseStream, _ prompt: PromptDisplay) async throws {
        var result = RunResult(showsThoughts: sampling.thinking.isShown)
        var spoken = SpokenFile()
        var printer = ReplyPrinter(
            showsThinking: sampling.thinking.isShown, markdown: !constraint.isSome, prompt: prompt)
        defer { prompt.end() }
        do {
            for try await response in responses.throwing {
                prompt.end()
                result.add(response)
                spoken.add(response)
                if !json { printer.add(response) }
            }
        } catch {
            throw constraint.locate(error)
        }
        if json {
            Terminal.writeLine(try result.jsonLine())
        } else {
            printer.end()
            for call in result.calls { Terminal.writeLine(call.line) }
            if !printer.hasText, result.calls.isEmpty { Terminal.writeLine() }
            if result.finishCode != "stop" { Terminal.note("finished early: \(result.finishCode)") }
        }
        if verbose, let figures = result.figures { Terminal.note(AnswerFigures.line(figures)) }
        if let speak { try spoken.write(to: speak, "--speak") }
    }
}
