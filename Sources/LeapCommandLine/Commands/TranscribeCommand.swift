import ArgumentParser
import Foundation
import LeapAudio
import LeapBase
import LeapChat
import LeapCore
import LeapSDK

/// `leap transcribe MODEL FILE`: what is said in a sound, as text.
struct TranscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Transcribe the speech in a sound file, or while it is recorded.",
        discussion: """
            MODEL is an LFM2-Audio, LFM3-Audio or Gemma 4 model with its encoder (mmproj-*.gguf) beside it. The command reads WAV and FLAC files, and MP3 and Ogg (Vorbis, Opus) files \
            if the system has libsndfile.

            With --live, LFM3-Audio models write the text while the sound comes in: \
            arecord -q -t wav -f S16_LE -r 16000 | leap transcribe MODEL - --live. Other models read the sound to its end first.
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

    @Flag(help: "Write the text while the sound comes in (LFM3-Audio).")
    var live = false

    @Option(
        parsing: .unconditional,
        help: "With --live: milliseconds of sound that the model reads at a time, a multiple of 80 up to 400.")
    var chunk: Int?

    @Option(
        parsing: .unconditional,
        help:
            "With --live and -: standard input is raw 16-bit samples of one channel, low byte first, so many a second.")
    var rate: Int?

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
        for (isGiven, name) in [(chunk != nil, "--chunk"), (rate != nil, "--rate")] where isGiven && !live {
            throw ValidationError("\(name) needs --live")
        }
        if live, maxTokens != nil {
            throw ValidationError("--max-tokens limits the text of a whole recording: leave it out, or --live")
        }
        if live, language != nil {
            throw ValidationError("live transcription is asked for without a language: leave out --language, or --live")
        }
        if rate != nil, file != "-" {
            throw ValidationError("--rate describes raw samples on standard input: give - for the file")
        }
        try CountRange(WAVFile.sampleRates).check(rate, "--rate")
        if let chunk {
            let lengths = LiveTranscriptionOptions.chunkMilliseconds
            guard lengths.contains(chunk), chunk.isMultiple(of: lengths.lowerBound) else {
                throw ValidationError(
                    "--chunk is \(chunk): it has to be a multiple of \(lengths.lowerBound), up to \(lengths.upperBound)"
                )
            }
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
        if live, file == "-" {
            return try await write(LiveInput(rawRate: rate, name: "transcribe -"))
        }
        let sound = try AudioArgument.read(file, name: "transcribe")
        // Silence has no text, and what models make of it is none that was said; around speech it must not change that
        // text.
        guard let sound = AudioArgument.spoken(sound) else { return try writeSilence() }
        if live { return try await write(LiveInput(sound, name: "transcribe \(file)")) }
        let runner = try await loading.load(model)
        try await write(sound, runner)
        await runner.unload()
    }

    /// Writes what is said in a whole sound.
    private func write(_ sound: ChatMessageContent, _ runner: any ModelRunner) async throws {
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
            try Self.end(result, isJSON)
        }
        try await Interrupts.ending(task)
    }

    /// Writes the end of a transcript.
    private static func end(_ result: RunResult, _ isJSON: Bool) throws {
        guard !isJSON else { return Terminal.writeLine(try result.jsonLine()) }
        Terminal.writeLine()
        if result.finishCode != "stop" { Terminal.note("finished early: \(result.finishCode)") }
    }

    /// Writes that nobody speaks.
    private func writeSilence() throws {
        Terminal.note("transcribe \(file): it contains no speech")
        Terminal.writeLine(json ? try RunResult(showsThoughts: false).jsonLine() : "")
    }

    // MARK: Live

    private var liveOptions: LiveTranscriptionOptions {
        var options = LiveTranscriptionOptions()
        if let chunk { options.chunkMilliseconds = chunk }
        options.systemPrompt = system
        return options
    }

    /// Writes what is said in a sound while it comes in.
    private func write(_ input: LiveInput) async throws {
        let runner = try await loading.load(model)
        guard runner.transcribesLive else {
            Terminal.note("\(runner.modelId) does not transcribe live: the text comes when the sound has ended")
            var input = input
            guard let sound = try await input.rest().flatMap({ AudioArgument.spoken($0) }) else {
                return try writeSilence()
            }
            try await write(sound, runner)
            return await runner.unload()
        }
        let (options, isJSON) = (liveOptions, json)
        let task = Task {
            var input = input
            guard let first = try await input.next(), let sampleRate = input.sampleRate else {
                return try Self.end(RunResult(showsThoughts: false), isJSON)
            }
            let live = try runner.transcribeLive(sampleRate: sampleRate, options: options)
            let feeding = Task { [input] in
                var input = input
                try await live.feed(first)
                while let samples = try await input.next() { try await live.feed(samples) }
                live.finish()
            }
            // Where the sound cannot be read, its text ends too.
            let watching = Task {
                if case .failure = await feeding.result { live.cancel() }
            }
            var result = RunResult(showsThoughts: false)
            do {
                for try await text in live.text {
                    result.add(.chunk(text))
                    if !isJSON { Terminal.write(text) }
                }
                try Task.checkCancellation()
            } catch {
                feeding.cancel()
                throw error
            }
            try await feeding.value
            await watching.value
            result.add(.complete(live.completion(result.text)))
            try Self.end(result, isJSON)
        }
        try await Interrupts.ending(task)
        await runner.unload()
    }
}
