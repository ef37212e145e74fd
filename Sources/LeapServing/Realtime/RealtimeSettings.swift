import LeapChat
import LeapGrammar
import LeapJSON
import LeapOpenAIFormat

/// The settings of a realtime session.
struct RealtimeSettings: Sendable {
    private(set) var instructions: String?
    /// True if replies are spoken.
    var speaks = false
    var audio = RealtimeAudioSettings()
    private(set) var tools = ToolList()
    /// The entries of the tools, as they are shown again.
    private var toolEntries: [JSONValue] = []
    private var toolChoice = GenerationExtras.ToolChoice.auto
    private var maxTokens: Int?
    private var temperature: Double?
    /// True if the oldest turns are left out where the context is full.
    private var trims = true

    /// Takes what an event says: all of it but what has no effect here or, where it throws, nothing.
    ///
    /// - Parameters:
    ///   - place: the event's field.
    ///   - model: the session's model, which cannot be changed.
    /// - Returns: the places of settings that have no effect, as clients of the protocol's first server send them as a
    ///   matter of course.
    /// - Throws: ``APIError`` that names the field at fault.
    @discardableResult
    mutating func update(_ object: JSONObject, in place: String, model: String) throws -> [String] {
        var new = self
        var leftOut: [String] = []
        do {
            try new.read(Self.nested(object), model: model, &leftOut)
        } catch var error as APIError {
            error.parameter = error.parameter.map { "\(place).\($0)" } ?? place
            throw error
        }
        self = new
        return leftOut.map { "\(place).\($0)" }
    }

    // MARK: Reading

    /// The places that fields of the protocol's first version have now.
    private static let moved: KeyValuePairs<String, [String]> = [
        "modalities": ["output_modalities"], "max_response_output_tokens": ["max_output_tokens"],
        "input_audio_format": ["audio", "input", "format"],
        "input_audio_transcription": ["audio", "input", "transcription"],
        "input_audio_noise_reduction": ["audio", "input", "noise_reduction"],
        "turn_detection": ["audio", "input", "turn_detection"], "output_audio_format": ["audio", "output", "format"],
        "voice": ["audio", "output", "voice"], "speed": ["audio", "output", "speed"],
    ]

    /// Returns the object with fields of the protocol's first version in their places of now.
    private static func nested(_ object: JSONObject) -> JSONObject {
        var object = object
        for (name, path) in moved {
            guard let value = object[name] else { continue }
            object[name] = nil
            object = set(value, at: path[...], in: object)
        }
        return object
    }

    private static func set(_ value: JSONValue, at path: ArraySlice<String>, in object: JSONObject) -> JSONObject {
        var object = object
        guard let name = path.first else { return object }
        if path.count == 1 {
            if object[name] == nil { object.set(name, value) }
        } else {
            object.set(name, .object(set(value, at: path.dropFirst(), in: object[name]?.object ?? [:])))
        }
        return object
    }

    private mutating func read(_ object: JSONObject, model: String, _ leftOut: inout [String]) throws {
        var fields = RequestFields(object)
        if let type = try fields.string("type"), type != "realtime" {
            throw APIError.invalid("'type' is '\(HeaderText.safe(type))'; expected realtime", "type")
        }
        if let other = try fields.string("model"), other != model {
            throw APIError.invalid(
                "'model' is '\(HeaderText.safe(other))', but the session has begun with '\(model)'", "model")
        }
        if object["instructions"] != nil { instructions = try fields.string("instructions") }
        try readModalities(&fields)
        try readTools(&fields, &leftOut)
        if let value = fields.value("max_output_tokens") { maxTokens = try Self.maxTokens(value) }
        if let value = try fields.number("temperature", in: 0...2) { temperature = value }
        if fields.value("truncation")?.object != nil {
            // A share of the turns to keep: here they go one by one.
            trims = true
            leftOut.append("truncation")
        } else if let value = try fields.string("truncation") {
            guard ["auto", "disabled"].contains(value) else {
                throw APIError.invalid(
                    "'truncation' is '\(HeaderText.safe(value))'; expected auto or disabled", "truncation")
            }
            trims = value == "auto"
        }
        if let value = try fields.object("audio") {
            do {
                leftOut += try audio.read(value).map { "audio.\($0)" }
            } catch {
                var error = error
                error.parameter = error.parameter.map { "audio.\($0)" }
                throw error
            }
        }
        // Null asks for nothing.
        for name in ["tracing", "prompt", "include", "reasoning", OpenAI.Key.parallelToolCalls] {
            guard let value = fields.value(name), value.array?.isEmpty != true, value.bool != true else { continue }
            leftOut.append(name)
        }
        try RealtimeAudioSettings.refuse(fields.ignored)
    }

    private mutating func readModalities(_ fields: inout RequestFields) throws(APIError) {
        guard let given = try fields.array("output_modalities") else { return }
        let names = given.compactMap(\.string)
        guard !given.isEmpty, names.count == given.count, names.allSatisfy({ ["text", "audio"].contains($0) }) else {
            throw .invalid("'output_modalities' has to be [\"text\"] or [\"audio\"]", "output_modalities")
        }
        speaks = names.contains("audio")
    }

    private mutating func readTools(_ fields: inout RequestFields, _ leftOut: inout [String]) throws {
        if let entries = try fields.array("tools") {
            tools = try ToolList(entries)
            leftOut += tools.leftOut
            toolEntries = entries
        }
        guard let choice = fields.value(OpenAI.Key.toolChoice) else { return }
        toolChoice = try SamplingFields.toolChoice(choice, hasFunctions: !tools.functions.isEmpty)
    }

    private static func maxTokens(_ value: JSONValue) throws(APIError) -> Int? {
        // -1 is how other servers say it.
        if value == "inf" || value.integer == -1 { return nil }
        guard let count = value.integer, (1...Int(Int32.max)).contains(count) else {
            throw .invalid("'max_output_tokens' has to be 1 or more, or \"inf\"", "max_output_tokens")
        }
        return count
    }

    // MARK: Use

    /// The system message; nil for none.
    var systemMessage: ChatMessage? {
        let texts = (speaks ? [SpeechPrompts.conversation] : []) + [instructions ?? ""].filter { !$0.isEmpty }
        return texts.isEmpty ? nil : ChatMessage(role: .system, textContent: texts.joined(separator: "\n"))
    }

    var options: GenerationOptions {
        let options = GenerationOptions(temperature: temperature.map(Float.init), maxTokens: maxTokens.map(Int32.init))
        options.further.contextOverflowPolicy = trims ? .trimOldestTurns : .fail
        options.further.audioOrder = speaks ? .interleaved : .off
        if !tools.functions.isEmpty { options.further.toolChoice = toolChoice }
        return options
    }

    /// The order of the reply to items; nil where there is nothing to reply to.
    ///
    /// The items' parts were checked as they came.
    ///
    /// - Parameter ignored: the places of settings that have no effect.
    func order(to items: [RealtimeItem], ignored: [String]) -> ReplyOrder? {
        var messages = [systemMessage].compactMap { $0 } + RealtimeConversation.messages(items)
        guard !messages.isEmpty else { return nil }
        // The assistant greets, by its instructions.
        if messages.allSatisfy({ $0.role == .system }) { messages.append(ChatMessage(role: .user, textContent: "")) }
        return ReplyOrder(messages: messages, tools: tools, options: [options], isStream: true, ignored: ignored)
    }

    /// The settings as the protocol shows them.
    var members: JSONObject {
        [
            "output_modalities": .array([speaks ? "audio" : "text"]),
            "instructions": .string(instructions ?? ""), "tools": .array(toolEntries),
            OpenAI.Key.toolChoice: toolChoice.json,
            "max_output_tokens": maxTokens.map { .integer(Int64($0)) } ?? "inf",
            "truncation": trims ? "auto" : "disabled", "audio": audio.json,
        ]
    }
}
