import Foundation
import LeapChat
import LeapEngine
import LeapJSON
import LeapOpenAIFormat

/// A conversation's history and functions as a file holds them: all that another process needs to make the same
/// prompts.
struct SavedHistory: Sendable {
    var messages: [ChatMessage] = []
    /// nil until a function is registered.
    var registered: [LeapFunction]?
    /// The messages that the last prompt was made without.
    var leftOut: [ChatMessage] = []
    /// The remains of an interrupted reply.
    var interruption = ConversationRecord.Interruption.none
    /// The point at which the last reply was suspended; nil where none was.
    var suspension: OutputResumption?

    init() {}

    /// Takes from a conversation all that is saved of its history.
    init(_ record: ConversationRecord, leftOut: [ChatMessage], suspension: OutputResumption? = nil) {
        messages = record.history
        registered = record.registered
        interruption = record.interruption
        self.leftOut = leftOut
        self.suspension = suspension
    }

    // MARK: Writing

    /// The history as JSON.
    func json() throws -> JSONValue {
        var sets = FunctionSets()
        var object: JSONObject = [:]
        object["messages"] = .array(try messages.map { try Self.json($0, &sets) })
        object["left_out"] = .array(try leftOut.map { try Self.json($0, &sets) })
        if let registered { object["registered"] = .number(JSONNumber(try sets.index(of: registered))) }
        switch interruption {
        case .none: break
        case .reply: object["interruption"] = "reply"
        case .nothing: object["interruption"] = "nothing"
        }
        if let suspension {
            object["suspension"] = .object([
                "tokens": .number(JSONNumber(suspension.tokenCount)),
                "draws": .number(JSONNumber(suspension.drawCount)),
            ])
        }
        object["functions"] = .array(sets.texts.map { .string($0) })
        return .object(object)
    }

    /// A message with what OpenAI's shape has no place for.
    private static func json(_ message: ChatMessage, _ sets: inout FunctionSets) throws -> JSONValue {
        var object = message.json.object ?? [:]
        object[OpenAI.Key.content] = .array(message.content.map(\.json))
        if let calls = message.functionCalls {
            object[OpenAI.Key.toolCalls] = .array(
                calls.map { call in
                    var entry = call.json(defaultID: nil).object ?? [:]
                    if let issue = call.issue { entry["issue"] = .string(issue) }
                    return .object(entry)
                })
        }
        if let origin = message.origin {
            object["written"] = .string(origin.rawText)
            object["written_with"] = .number(JSONNumber(try sets.index(of: origin.functions)))
        }
        return .object(object)
    }

    /// Functions that messages were written with, each set once.
    private struct FunctionSets {
        var texts: [String] = []

        mutating func index(of functions: [LeapFunction]) throws -> Int {
            let text = String(decoding: try JSONEncoder().encode(functions), as: UTF8.self)
            if let index = texts.firstIndex(of: text) { return index }
            texts.append(text)
            return texts.count - 1
        }
    }

    // MARK: Reading

    /// Reads a history.
    ///
    /// - Throws: ``LeapSerializationException`` that says what is wrong.
    init(json: JSONValue) throws {
        guard let object = json.object, let values = object["messages"]?.array else {
            throw LeapSerializationException("the history is missing")
        }
        let sets = try (object["functions"]?.array ?? []).map { value in
            try JSONDecoder().decode([LeapFunction].self, from: Data((value.string ?? "").utf8))
        }
        func functions(_ value: JSONValue?) throws -> [LeapFunction]? {
            guard let value else { return nil }
            guard let index = value.integer, sets.indices.contains(index) else {
                throw LeapSerializationException("the functions of the history are missing")
            }
            return sets[index]
        }
        func message(_ value: JSONValue, _ place: String) throws -> ChatMessage {
            var message = try Self.message(value, place: place)
            if let text = value.object?["written"]?.string {
                message.origin = ReplyOrigin(
                    rawText: text, functions: try functions(value.object?["written_with"]) ?? [])
            }
            return message
        }
        messages = try values.enumerated().map { try message($1, "message \($0)") }
        leftOut = try (object["left_out"]?.array ?? []).enumerated().map { try message($1, "left-out message \($0)") }
        registered = try functions(object["registered"])
        switch object["interruption"]?.string {
        case "reply" where !messages.isEmpty: interruption = .reply(at: messages.count - 1)
        case "nothing": interruption = .nothing
        default: interruption = .none
        }
        if let tokens = object["suspension"]?["tokens"]?.integer, let draws = object["suspension"]?["draws"]?.integer {
            suspension = OutputResumption(tokenCount: tokens, drawCount: draws)
        }
    }

    private static func message(_ json: JSONValue, place: String) throws -> ChatMessage {
        guard var object = json.object, let parts = object[OpenAI.Key.content]?.array else {
            throw LeapSerializationException("\(place) has no content")
        }
        object[OpenAI.Key.content] = .array([])
        var message = try ChatMessage(json: .object(object), place: place)
        message.content = try parts.enumerated().map { try content($1, place: "content[\($0)] of \(place)") }
        if let entries = object[OpenAI.Key.toolCalls]?.array {
            message.functionCalls = zip(message.functionCalls ?? [], entries).map { call, entry in
                call.with(issue: entry.object?["issue"]?.string)
            }
        }
        return message
    }

    /// A part; audio of any format, as histories may hold what no model here reads.
    private static func content(_ json: JSONValue, place: String) throws -> ChatMessageContent {
        if let audio = json[OpenAI.Key.inputAudio], let format = audio[OpenAI.Key.format]?.string,
            format != AudioFormatName.wav.rawValue,
            let data = audio[OpenAI.Key.data]?.string.flatMap({ Data(base64Encoded: $0) })
        {
            return .audio(data: data, format: format)
        }
        return try ChatMessageContent(json: json, place: place)
    }
}
