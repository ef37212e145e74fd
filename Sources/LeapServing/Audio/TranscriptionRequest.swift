import Foundation
import LeapAudio
import LeapChat
import LeapJSON

/// A request of OpenAI's transcriptions.
struct TranscriptionRequest: Sendable {
    /// The format of the answer.
    enum Format: String, CaseIterable, Sendable {
        case json
        case text
        /// With the sound's length and language; there are no times of words, as the models write none.
        case verbose = "verbose_json"
    }

    var model: String?
    /// The part of the file with speech; nil where there is none.
    var sound: ChatMessageContent?
    /// Seconds of the whole file.
    var duration: Double
    /// A warning about the file; nil where there is none.
    var note: String?
    var language: SpokenLanguage
    var format: Format
    var isStream: Bool
    /// True if the answer has the log probabilities of the tokens.
    var hasLogprobs: Bool
    private var temperature: Float
    /// Fields that have no effect.
    var ignored: [String]

    /// Reads a form.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: [UInt8], contentType: String?) throws {
        var fields = FormFields(try MultipartForm(body, contentType: contentType))
        guard let bytes = try fields.file("file") else {
            throw APIError.invalid("'file' is missing; expected a \(AudioFile.formats) file", "file")
        }
        let file = try Self.sound(bytes)
        // Silence has no text, and what models make of it is none that was said; around speech it must not change that
        // text.
        sound = file.spoken.map { .audio($0) }
        (duration, note) = (file.duration, file.note)
        model = try fields.string("model")
        language = try Self.language(&fields)
        format = try Self.format(&fields)
        temperature = Float(try fields.number("temperature", in: 0...1) ?? 0)
        isStream = try fields.bool("stream") ?? false
        hasLogprobs = try Self.logprobs(&fields)
        if hasLogprobs, format != .json {
            throw APIError.invalid("'include[]' with logprobs needs 'response_format' to be json", "include[]")
        }
        if isStream, format == .verbose {
            throw APIError.invalid(
                "'response_format' is verbose_json, which is not streamed; leave out 'stream', or use json",
                "response_format")
        }
        if let times = try fields.list("timestamp_granularities").first {
            throw APIError.invalid(
                "'timestamp_granularities[]' is '\(HeaderText.safe(times))', but the models give no times: leave it out",
                "timestamp_granularities[]")
        }
        ignored = fields.ignored
    }

    private static func sound(
        _ bytes: ArraySlice<UInt8>
    ) throws -> (spoken: Data?, duration: Double, note: String?) {
        do {
            let sound = try AudioFile.read(Data(bytes))
            guard sound.sampleCount > 0 else { throw AudioFileError(.empty, "the file has no samples") }
            return (
                SpeechExtent.find(in: sound).map { sound.part($0) },
                Double(sound.sampleCount) / Double(sound.sampleRate), sound.note
            )
        } catch let error as AudioFileError {
            throw APIError.invalid("'file' cannot be read: \(error.message)", "file", code: "invalid_audio")
        }
    }

    private static func language(_ fields: inout FormFields) throws(APIError) -> SpokenLanguage {
        guard let given = try fields.string("language") else { return .english }
        if let language = SpokenLanguage.find(given) { return language }
        throw unknownLanguage(given, SpokenLanguage.all)
    }

    /// Checks that a model is trained for the language.
    func checkLanguage(_ trained: [SpokenLanguage]) throws(APIError) {
        guard !trained.contains(language) else { return }
        throw Self.unknownLanguage(language.code, trained)
    }

    private static func unknownLanguage(_ given: String, _ known: [SpokenLanguage]) -> APIError {
        .invalid(
            "'language' is '\(HeaderText.safe(given))'; expected one of \(known.map(\.code).joined(separator: ", "))",
            "language")
    }

    private static func format(_ fields: inout FormFields) throws(APIError) -> Format {
        guard let given = try fields.string("response_format") else { return .json }
        guard let format = Format(rawValue: given) else {
            throw .invalid(
                "'response_format' is '\(HeaderText.safe(given))'; expected \(Format.allCases.map(\.rawValue).joined(separator: ", ")), because the models give no times and no speakers",
                "response_format")
        }
        return format
    }

    private static func logprobs(_ fields: inout FormFields) throws(APIError) -> Bool {
        let included = try fields.list("include")
        if let other = included.first(where: { $0 != "logprobs" }) {
            throw .invalid("'include[]' is '\(HeaderText.safe(other))'; expected logprobs", "include[]")
        }
        return !included.isEmpty
    }

    /// The messages that ask the model for the transcript.
    ///
    /// - Parameter prompt: what the model was trained with for the language.
    func messages(prompt: String) -> [ChatMessage] {
        [
            ChatMessage(role: .system, textContent: prompt),
            ChatMessage(role: .user, content: sound.map { [$0] } ?? []),
        ]
    }

    var options: GenerationOptions {
        let options = GenerationOptions(temperature: temperature)
        options.further.logprobs = hasLogprobs
        return options
    }
}
