import LeapCore
import LeapJSON

/// The settings of a realtime session for sound in both directions.
struct RealtimeAudioSettings: Sendable {
    /// The settings of the detection of speech.
    struct Turns: Sendable, Equatable {
        /// The probability from which a sound counts as speech, 0...1.
        var threshold = 0.5
        /// Sound from before the speech that belongs to it.
        var prefixMilliseconds = 300
        /// The silence that ends it.
        var silenceMilliseconds = 500
        /// True if the end of speech begins a reply.
        var createsResponse = true
        /// True if the beginning of speech ends a reply.
        var interruptsResponse = true
    }

    /// The detection of speech; nil where the client tells the ends of turns.
    private(set) var turns: Turns? = Turns()
    /// The language of the transcripts of the user's speech; nil where there are none.
    private(set) var transcription: String?
    private(set) var voice = SpeechVoice.usMale

    /// Takes the members of `audio`.
    mutating func read(_ object: JSONObject) throws(APIError) {
        var fields = RequestFields(object)
        if let input = try fields.object("input") {
            try Self.placed("input") { () throws(APIError) in try readInput(input) }
        }
        if let output = try fields.object("output") {
            try Self.placed("output") { () throws(APIError) in try readOutput(output) }
        }
        try Self.refuse(fields.ignored)
    }

    /// Refuses fields without effect.
    static func refuse(_ names: [String]) throws(APIError) {
        guard let name = names.first else { return }
        throw .invalid("there is no field '\(HeaderText.safe(name))'", name, code: "unknown_parameter")
    }

    private static func placed(_ place: String, _ body: () throws(APIError) -> Void) throws(APIError) {
        do {
            try body()
        } catch {
            var error = error
            error.parameter = error.parameter.map { "\(place).\($0)" } ?? place
            throw error
        }
    }

    private mutating func readInput(_ object: JSONObject) throws(APIError) {
        var fields = RequestFields(object)
        try Self.checkFormat(&fields)
        if fields.value("noise_reduction") != nil {
            throw .invalid(
                "'noise_reduction' has no effect here: leave it out", "noise_reduction", code: "unsupported_parameter")
        }
        if let given = object["transcription"] {
            transcription = given == .null ? nil : try Self.language(&fields)
        }
        if let given = object["turn_detection"] {
            if given == .null {
                turns = nil
            } else if let given = try fields.object("turn_detection") {
                try readTurns(given)
            }
        }
        // Both were read where they were null, too.
        _ = (fields.value("transcription"), fields.value("turn_detection"))
        try Self.refuse(fields.ignored)
    }

    private static func checkFormat(_ fields: inout RequestFields) throws(APIError) {
        guard let format = fields.value("format") else { return }
        let isRaw = format == "pcm16" || format["type"] == "audio/pcm"
        guard isRaw, format["rate"] == nil || format["rate"]?.integer == PCM16.sampleRate else {
            throw .invalid(
                "'format' is \(HeaderText.safe(JSONWriter.string(format))); expected audio/pcm at \(PCM16.sampleRate) samples per second, of 16 bits and one channel",
                "format")
        }
    }

    private static func language(_ fields: inout RequestFields) throws(APIError) -> String? {
        let given = try RequestFields(fields.object("transcription") ?? [:])
        var inner = given
        let language = try inner.string("language")
        guard let prompt = SpeechPrompts.transcription(of: language) else {
            throw .invalid(
                "'transcription.language' is '\(HeaderText.safe(language ?? ""))'; the models are trained for \(SpeechPrompts.transcription.map(\.key).joined(separator: " and "))",
                "transcription.language")
        }
        // The session's model writes it down, whatever name is asked for.
        _ = (inner.value("model"), inner.value("prompt"))
        try refuse(inner.ignored.map { "transcription.\($0)" })
        return prompt.name
    }

    private mutating func readTurns(_ object: JSONObject) throws(APIError) {
        var fields = RequestFields(object)
        var new = turns ?? Turns()
        do throws(APIError) {
            if let type = try fields.string("type"), type != "server_vad" {
                throw APIError.invalid("'type' is '\(HeaderText.safe(type))'; expected server_vad", "type")
            }
            if let value = try fields.number("threshold", in: 0...1) { new.threshold = value }
            if let value = try fields.integer("prefix_padding_ms", in: 0...5000) { new.prefixMilliseconds = value }
            if let value = try fields.integer("silence_duration_ms", in: 50...10_000) {
                new.silenceMilliseconds = value
            }
            if let value = try fields.bool("create_response") { new.createsResponse = value }
            if let value = try fields.bool("interrupt_response") { new.interruptsResponse = value }
            _ = fields.value("eagerness")
            if fields.value("idle_timeout_ms") != nil {
                throw APIError.invalid(
                    "'idle_timeout_ms' has no effect here: leave it out", "idle_timeout_ms",
                    code: "unsupported_parameter")
            }
            try Self.refuse(fields.ignored)
        } catch {
            var error = error
            error.parameter = error.parameter.map { "turn_detection.\($0)" }
            throw error
        }
        turns = new
    }

    private mutating func readOutput(_ object: JSONObject) throws(APIError) {
        var fields = RequestFields(object)
        try Self.checkFormat(&fields)
        if let value = fields.value("voice") { voice = try SpeechVoice(value, "voice") }
        if let speed = fields.value("speed"), speed.double != 1 {
            throw .invalid("'speed' has to be 1: the models speak at one speed", "speed")
        }
        try Self.refuse(fields.ignored)
    }

    /// The settings as the protocol shows them.
    var json: JSONValue {
        let format: JSONValue = .object(["type": "audio/pcm", "rate": .integer(Int64(PCM16.sampleRate))])
        let detection = turns.map { turns -> JSONValue in
            .object([
                "type": "server_vad", "threshold": .double(turns.threshold),
                "prefix_padding_ms": .integer(Int64(turns.prefixMilliseconds)),
                "silence_duration_ms": .integer(Int64(turns.silenceMilliseconds)),
                "create_response": .bool(turns.createsResponse),
                "interrupt_response": .bool(turns.interruptsResponse), "idle_timeout_ms": .null,
            ])
        }
        let input: JSONObject = [
            "format": format, "turn_detection": detection ?? .null, "noise_reduction": .null,
            "transcription": transcription.map { .object(["language": .string($0)]) } ?? .null,
        ]
        let output: JSONObject = ["format": format, "voice": .string(voice.rawValue), "speed": .integer(1)]
        return .object(["input": .object(input), "output": .object(output)])
    }
}
