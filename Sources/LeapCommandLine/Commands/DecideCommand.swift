import ArgumentParser
import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapSDK

/// `leap decide MODEL STATE`: typed questions about a state, with a probability for every option.
struct DecideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide",
        abstract: "Answer typed questions about a text, with a probability for every option.",
        discussion: """
              leap decide demo "Where is my invoice?" --question 'choice: Which team? | billing | sales'
              leap decide demo --question 'spam = yesno: Is this spam?' --json < mail.txt
              leap decide d1-omni.gguf --image receipt.jpg --question 'yesno: Is it paid?'
              leap decide demo --questions questions.json --states mails.jsonl --into answers.jsonl
              leap decide model.gguf --questions questions.json --calibrate labelled.jsonl --curve curve.svg

            No token is generated. Any chat model answers, with the probabilities of labels; a model that was trained for decisions answers as it was \
            trained. A state that is a JSON object or array is read as JSON.

            A question is TYPE: TEXT, with NAME = before it if the answer needs a short name. The types are yesno, choice and score. Options follow with | before \
            each, as OPTION or OPTION: DESCRIPTION; those of score are levels, lowest first, and those of yesno are the meanings yes: … and no: ….

            A line of --calibrate is {"state": …, "answers": {NAME: OPTION}}, with true or false for yesno. Temperatures are fitted by likelihood and \
            written beside the model, as its path with .calibration.json behind it. A model that is loaded from there uses them.

            On a terminal, each answer is a table with bars; elsewhere a line is the question, the option and its probability, with tabs between them.
            """)

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "The state; - or none is standard input.")
    var state: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: "A question, such as 'choice: Which team? | billing | sales'. Repeatable.")
    var question: [String] = []

    @Option(
        help: "A JSON file with an object of questions by name, as in /v1/systemone.",
        completion: .file(extensions: ["json"]))
    var questions: String?

    @Option(
        help:
            "A JPEG, PNG, WebP, GIF or BMP file, or an https address, that the state has too; for models that read pictures. Repeatable.",
        completion: .file(extensions: ["jpg", "jpeg", "png", "webp", "gif", "bmp"]))
    var image: [String] = []

    @Option(
        help: "A WAV, FLAC, MP3 or Ogg file of up to 30 seconds that the state has too; for models that hear.",
        completion: .file(extensions: AudioArgument.extensions))
    var audio: [String] = []

    @Option(
        help: "A file with a state in each line: JSON, or an object with state and id. Needs --into.",
        completion: .file(extensions: ["jsonl"]))
    var states: String?

    @Option(
        help:
            "The answers to --states, a JSON line for each; those of an earlier run are kept. With --calibrate, the temperatures (default: beside the model).",
        completion: .file(extensions: ["jsonl", "json"]))
    var into: String?

    @Option(
        help: "Fit temperatures to a file with a state and its right answers in each line.",
        completion: .file(extensions: ["jsonl"]))
    var calibrate: String?

    @Option(
        help: "A picture of how reliable answers are before and after --calibrate.",
        completion: .file(extensions: ["svg"]))
    var curve: String?

    @Option(
        help: "Use the temperatures of this file, as --calibrate writes them.",
        completion: .file(extensions: ["json"]))
    var temperatures: String?

    @Option(parsing: .unconditional, help: "Lines of --states and --calibrate to answer at a time, 1 to 1024.")
    var parallel = 8

    @Option(
        parsing: .unconditional, help: "Divide scores by this number, more than 0 (default: the file's, or 1).")
    var temperature: Double?

    @Option(
        parsing: .unconditional,
        help: "Orders of the options that a chat model's answer averages, 1 to 255 (default: at most 4).")
    var rotations: Int?

    @Flag(help: "Let a model that was trained for decisions answer as a chat model does.")
    var readout = false

    @Flag(help: "Print one JSON object: answers, reading, usage.")
    var json = false

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    func validate() throws {
        try CountRange(1...1024).check(parallel, "--parallel")
        try CountRange(1...255).check(rotations, "--rotations")
        if let temperature, !(temperature > 0 && temperature.isFinite) {
            throw ValidationError("--temperature is \(temperature): it has to be a number above 0")
        }
        guard !question.isEmpty || questions != nil else {
            throw ValidationError("there is no question: add --question 'yesno: Is this spam?', or --questions FILE")
        }
        _ = try question.map(QuestionArgument.question)
        guard states == nil || into != nil, into == nil || states != nil || calibrate != nil else {
            throw ValidationError("--states and --into need each other")
        }
        if calibrate != nil {
            guard state == nil, !json, states == nil, temperature == nil, temperatures == nil else {
                throw ValidationError(
                    "--calibrate has the states and finds the temperatures: leave out STATE, --json, --states, --temperature and --temperatures"
                )
            }
        } else if curve != nil {
            throw ValidationError("--curve has no effect without --calibrate FILE")
        }
        if states != nil, state != nil || json {
            throw ValidationError("--states has the states: leave out STATE and --json")
        }
        guard image.isEmpty || audio.isEmpty, audio.count <= 1 else {
            throw ValidationError("a state has pictures or one sound: give --image, or --audio once")
        }
        guard image.isEmpty && audio.isEmpty || states == nil && calibrate == nil else {
            throw ValidationError("--image and --audio belong to one state: leave out --states and --calibrate")
        }
    }

    func run() async throws {
        let asked = try asked()
        var options = DecisionOptions(temperature: temperature, rotations: rotations)
        options.usesReadout = readout
        if let calibrate {
            let lines = try CalibrationRun.lines(calibrate, asked)
            let runner = try await loading.load(model)
            let output = try into ?? sidecar(of: runner)
            try await CalibrationRun(runner: runner, questions: asked, options: options, parallel: parallel)
                .run(lines, output: (output as NSString).expandingTildeInPath, picture: curve)
            await runner.unload()
            return
        }
        let calibration = try temperatures.map {
            try DecisionCalibration(contentsOf: URL(fileURLWithPath: ($0 as NSString).expandingTildeInPath))
        }
        if let states, let into {
            let runner = try await loading.load(model)
            try use(calibration, &options, runner)
            try await answer(
                DecisionBatch(runner: runner, questions: asked, options: options, parallel: parallel),
                states, into)
            await runner.unload()
            return
        }
        let media = try image.map { try ImageArgument.read($0) } + audio.map { try AudioArgument.read($0) }
        let state = try wholeState(hasMedia: !media.isEmpty).with(media)
        let runner = try await loading.load(model)
        try use(calibration, &options, runner)
        let decisions = try await runner.decide(asked, about: state, options: options)
        show(decisions)
        await runner.unload()
    }

    /// The path of the temperatures beside a model.
    private func sidecar(of runner: any ModelRunner) throws -> String {
        guard let runner = runner as? LiquidInferenceEngineRunner else {
            throw CommandError("the model's file is not known here: say with --into where temperatures go")
        }
        return runner.files.modelPath + DecisionCalibration.suffix
    }

    /// Sets the temperatures of a calibration.
    private func use(
        _ calibration: DecisionCalibration?, _ options: inout DecisionOptions, _ runner: any ModelRunner
    ) throws {
        guard let calibration, let path = temperatures else { return }
        let reading: DecisionAnswer.Reading = readout ? .readout : runner.decisionCapabilities?.reading ?? .readout
        guard let found = calibration.temperatures[reading] else {
            throw CommandError(
                "--temperatures \(ShownText.of(path, limit: 4096)) has none for \(reading.rawValue), which is how the model answers"
            )
        }
        options.temperatures = found
    }

    /// The questions of both options, those of the file first.
    private func asked() throws -> [Question] {
        let listed: [Question] =
            try questions.map { path in
                try JSONFile.read(path, "--questions") { text in
                    let value: JSONValue
                    do {
                        value = try JSONParser.parse(text)
                    } catch {
                        throw LeapSerializationException("the questions are not JSON: \(error)")
                    }
                    return try Question.list(systemOne: value)
                }
            } ?? []
        return try listed + question.map(QuestionArgument.question)
    }

    /// The state: an argument, or standard input; it may be missing where there are pictures or a sound.
    private func wholeState(hasMedia: Bool) throws -> DecisionState {
        var text = state ?? ""
        if state == "-" || (state == nil && StandardInput.isPiped && !StandardInput.isRead) {
            text = try StandardInput.readText(for: "the state")
            if text.last?.isNewline == true { text.removeLast() }
        }
        guard !text.isEmpty else {
            if hasMedia { return .none }
            throw CommandError(
                "there is no state: write it after the model, as in leap decide demo \"Hello\" --question 'yesno: Is it a greeting?', or send it through a pipe"
            )
        }
        let first = text.first { !$0.isWhitespace }
        if first == "{" || first == "[", let value = try? JSONParser.parse(text) {
            return DecisionState(.json(value))
        }
        return DecisionState(.text(text))
    }

    private func show(_ decisions: Decisions) {
        for cut in decisions.cuts {
            Terminal.note("\(cut.field) was cut to \(cut.keptTokens) of \(cut.totalTokens) tokens")
        }
        if json {
            Terminal.writeLine(JSONWriter.string(.object(DecisionDocument.members(of: decisions))))
        } else if Terminal.outputIsTerminal {
            for line in DecisionTable(decisions, columns: Terminal.size(of: 1).columns).lines {
                Terminal.writeLine(line.text, line.style)
            }
        } else {
            for answer in decisions {
                for (option, share) in zip(answer.options, answer.probabilities) {
                    Terminal.writeLine("\(answer.name)\t\(option)\t\(share)")
                }
            }
        }
    }

    private func answer(_ batch: DecisionBatch, _ states: String, _ into: String) async throws {
        let display = LineProgress()
        let task = Task { try await batch.run(input: states, output: into) { display.show($0) } }
        let interrupts = Interrupts { task.cancel() }
        let progress = try await task.value
        withExtendedLifetime(interrupts) {}
        display.end(progress, isInterrupted: task.isCancelled)
        if task.isCancelled { throw Interrupts.status }
    }
}
