import LeapChat
import LeapCore
import LeapJSON

/// A request of OpenAI's speech.
struct AudioSpeechRequest: Sendable {
    var model: String?
    var voice: SpeechVoice
    /// The name of the text's language; nil for that of the voice.
    var language: String?
    var format: SpeechWriter.Format
    /// True if the sound comes as events instead of bytes.
    var hasEvents: Bool
    /// True if the sound is sent when it is whole, with its length in the header; false if it is sent while it is
    /// generated.
    var isWhole: Bool
    private var input: String
    /// Fields that have no effect.
    var ignored: [String]

    /// Reads a body.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: RequestBody) throws {
        var fields = try RequestFields(body)
        model = try fields.string("model")
        guard let input = try fields.string("input"), input.contains(where: { !$0.isWhitespace }) else {
            throw APIError.invalid("'input' is missing or empty; expected the text to speak", "input")
        }
        self.input = input
        voice = try fields.value("voice").map { value throws(APIError) in try SpeechVoice(value, "voice") } ?? .usMale
        language = try fields.string("language").map { given throws(APIError) in
            if let name = SpeechVoice.languageName(given) { return name }
            throw .invalid(
                "'language' is '\(HeaderText.safe(given))'; expected one of \(SpokenLanguage.all.map(\.code).joined(separator: ", ")), or an English name such as German or Brazilian Portuguese",
                "language")
        }
        format = try Self.format(&fields, "response_format", SpeechWriter.Format.self) ?? .wav
        if let speed = try fields.number("speed", in: 0.25...4), speed != 1 {
            throw APIError.invalid("'speed' is \(speed), but the models speak at one speed: leave it out", "speed")
        }
        let given = try fields.string("stream_format")
        let stream = given ?? "audio"
        guard ["audio", "sse"].contains(stream) else {
            throw APIError.invalid(
                "'stream_format' is '\(HeaderText.safe(stream))'; expected audio or sse", "stream_format")
        }
        hasEvents = stream == "sse"
        // Many readers of files want the length, and who asks for no stream wants a file.
        isWhole = given == nil && format != .pcm
        ignored = fields.ignored
    }

    /// Reads the name of a format; returns nil where the field is missing.
    static func format<Format: RawRepresentable<String> & CaseIterable>(
        _ fields: inout RequestFields, _ name: String, _ type: Format.Type
    ) throws(APIError) -> Format? {
        guard let given = try fields.string(name) else { return nil }
        if let format = Format(rawValue: given) { return format }
        let names = Format.allCases.map(\.rawValue)
        let list = names.dropLast().joined(separator: ", ") + (names.last.map { " or \($0)" } ?? "")
        throw .invalid(
            "'\(name)' is '\(HeaderText.safe(given))'; only \(list) is written here: ask for it, and convert it, for example with ffmpeg",
            name)
    }

    /// The text in front of the sound is the most likely one.
    static var options: GenerationOptions {
        let options = GenerationOptions(temperature: 0)
        options.further.audioOrder = .sequential
        return options
    }

    /// Returns the messages that ask a model for speech.
    ///
    /// - Throws: ``APIError`` where the model takes no language.
    func messages(for runner: any ModelRunner) throws -> [ChatMessage] {
        let prompt: String
        do {
            prompt = try runner.speechPrompt(voice, language: language)
        } catch let error as LeapGenerationException {
            throw APIError.invalid(error.message, "language")
        }
        return [ChatMessage(role: .system, textContent: prompt), ChatMessage(role: .user, textContent: input)]
    }
}
