import ArgumentParser
import Foundation
import LeapCore
import LeapSDK

/// `leap run MODEL PROMPT…`: an answer to each prompt.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Answer a prompt, or several.",
        discussion: """
              leap run demo "What is the capital of Portugal?"
              leap run demo "Which animals are in this story?" < story.txt
              echo "Tell me a joke." | leap run demo

            Answers go to standard output, one after the other with an empty line between them; what the model thinks before an answer goes to \
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
            "A WAV or FLAC file for what the model says, with one prompt; the model is told to speak where --system says nothing.",
        completion: .file(extensions: SpokenFile.extensions))
    var speak: String?

    @Option(help: "The system message.")
    var system: String?

    @Option(
        help: "A file with a JSON array of tools in OpenAI's shape; - is standard input.",
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

    @Flag(
        help:
            "Print one JSON object a line for each prompt: text, reasoning, tool_calls, finish_reason, stats; logprobs where --extras asks for them."
    )
    var json = false

    func validate() throws {
        if speak == "-" {
            throw ValidationError("--speak - is standard output, where the answer's text goes: name a WAV or FLAC file")
        }
        if image.isEmpty, pictures.options != ImageOptions() {
            throw ValidationError(
                "--min-image-tokens, --max-image-tokens and --no-image-splitting have no effect without --image FILE")
        }
    }

    func run() async throws {
        let functions =
            try tools.map { try JSONFile.functions($0, "--tools") } ?? []
        try speak.map { try SpokenFile.check($0, "--speak") }
        let options = sampling.generationOptions()
        try constraint.apply(to: options)
        let media = try image.map { try ImageArgument.read($0) } + audio.map { try AudioArgument.read($0) }
        let texts = try prompts.texts()
        guard speak == nil || texts.count == 1 else {
            throw ValidationError("--speak writes one file, and there are \(texts.count) prompts: give one")
        }
        let runner = try await loading.load(model, pictures: pictures)
        let task = Task {
            for (index, text) in texts.enumerated() {
                if index > 0, !json { Terminal.writeLine() }
                let conversation = runner.createConversation(
                    systemPrompt: system ?? (speak == nil ? nil : SpeechPrompts.conversation))
                conversation.registerFunctions(functions)
                let message = ChatMessage(role: .user, content: media + [.text(text)])
                try await answer(message, in: conversation, options)
                if Task.isCancelled { break }
            }
        }
        try await Interrupts.ending(task)
        await runner.unload()
    }

    private func answer(
        _ message: ChatMessage, in conversation: any Conversation, _ options: GenerationOptions
    ) async throws {
        var result = RunResult(showsThoughts: sampling.thinking.isShown)
        var spoken = SpokenFile()
        var printer = ReplyPrinter(showsThinking: sampling.thinking.isShown, markdown: !constraint.isSome)
        do {
            for try await response in conversation.generateResponse(message: message, generationOptions: options)
                .throwing
            {
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
        if let speak { try spoken.write(to: speak, "--speak") }
    }
}
