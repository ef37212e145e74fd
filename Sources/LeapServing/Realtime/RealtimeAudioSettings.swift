import LeapChat
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
    /// The languages that the session's model writes down.
    var languages = [SpokenLanguage.english, .japanese]
    private(set) var voice = SpeechVoice.usMale

    /// Takes the members of `audio`.
    ///
    /// - Returns: the places of those that have no effect.
    mutating func read(_ object: JSONObject) throws(APIError) -> [String] {
        var fields = RequestFields(object)
        var leftOut: [String] = []
        if let input = try fields.object("input") {
            leftOut += try Self.placed("input") { () throws(APIError) -> [String] in try readInput(input) }
        }
        if let output = try fields.object("output") {
            leftOut += try Self.placed("output") { () throws(APIError) -> [String] in try readOutput(output) }
        }
        try Self.refuse(fields.ignored)
        return leftOut
    }

    /// Refuses fields that the protocol does not have.
    static func refuse(_ names: [String]) throws(APIError) {
        guard let name = names.first else { return }
        throw .invalid("there is no field '\(HeaderText.safe(name))'", name, code: "unknown_parameter")
    }

    /// Runs the reader of an object; the places that it returns and throws are those inside of it.
    private static func placed(
        _ place: String, _ body: () throws(APIError) -> [String]
    ) throws(APIError) -> [String] {
        do {
            return try body().map { "\(place).\($0)" }
        } catch {
            var error = error
            error.parameter = error.parameter.map { "\(place).\($0)" } ?? place
            throw error
        }
    }

    private mutating func readInput(_ object: JSONObject) throws(APIError) -> [String] {
        var fields = RequestFields(object)
        var leftOut: [String] = []
        try Self.checkFormat(&fields)
        if fields.value("noise_reduction") != nil { leftOut.append("noise_reduction") }
        if let given = object["transcription"] {
            transcription = given == .null ? nil : try language(&fields, &leftOut)
        }
        if let given = object["turn_detection"] {
            if given == .null {
                turns = nil
            } else if let given = try fields.object("turn_detection") {
                leftOut += try Self.placed("turn_detection") { () throws(APIError) -> [String] in try readTurns(given) }
            }
        }
        // Both were read where they were null, too.
        _ = (fields.value("transcription"), fields.value("turn_detection"))
        try Self.refuse(fields.ignored)
        return leftOut
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

    /// The language of the transcripts; one that the model is not trained for has no effect.
    private func language(
        _ fields: inout RequestFields, _ leftOut: inout [String]
    ) throws(APIError) -> String? {
        let given = try RequestFields(fields.object("transcription") ?? [:])
        var inner = given
        let language = try inner.string("language")
        let found = language.map { SpokenLanguage.find($0) } ?? .english
        let known = found.flatMap { languages.contains($0) ? $0 : nil }
        if known == nil { leftOut.append("transcription.language=\(language ?? "")") }
        // The session's model writes it down, whatever name is asked for.
        _ = (inner.value("model"), inner.value("prompt"))
        try Self.refuse(inner.ignored.map { "transcription.\($0)" })
        return (known ?? .english).lowercasedName
    }

    private mutating func readTurns(_ object: JSONObject) throws(APIError) -> [String] {
        var fields = RequestFields(object)
        var new = turns ?? Turns()
        var leftOut: [String] = []
        switch try fields.string("type") {
        case nil, "server_vad": break
        // Which ends turns by their words: here by the silence behind them.
        case "semantic_vad": leftOut.append("type=semantic_vad")
        case let type?:
            throw .invalid("'type' is '\(HeaderText.safe(type))'; expected server_vad or semantic_vad", "type")
        }
        if let value = try fields.number("threshold", in: 0...1) { new.threshold = value }
        if let value = try fields.integer("prefix_padding_ms", in: 0...5000) { new.prefixMilliseconds = value }
        if let value = try fields.integer("silence_duration_ms", in: 50...10_000) { new.silenceMilliseconds = value }
        if let value = try fields.bool("create_response") { new.createsResponse = value }
        if let value = try fields.bool("interrupt_response") { new.interruptsResponse = value }
        if let value = fields.value("eagerness"), value != "auto" { leftOut.append("eagerness") }
        if fields.value("idle_timeout_ms") != nil { leftOut.append("idle_timeout_ms") }
        try Self.refuse(fields.ignored)
        turns = new
        return leftOut
    }

    private mutating func readOutput(_ object: JSONObject) throws(APIError) -> [String] {
        var fields = RequestFields(object)
        try Self.checkFormat(&fields)
        if let value = fields.value("voice") { voice = try SpeechVoice(value, "voice") }
        // The models speak at one speed.
        let isOtherSpeed = fields.value("speed").map { $0.double != 1 } ?? false
        try Self.refuse(fields.ignored)
        return isOtherSpeed ? ["speed"] : []
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
