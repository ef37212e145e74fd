import LeapBase
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The `input` of OpenAI's decisions and the instructions of questions: texts, pictures and JSON.
struct DecisionInput: Sendable {
    /// Pictures, each with its place in the request.
    private(set) var media: [(part: ChatMessageContent, place: String)] = []
    /// The places of items and parts that are left out.
    private(set) var leftOut: [String] = []

    /// The type of a part with JSON.
    private static let jsonType = "input_json"

    init() {}

    /// Reads a text, or a list of messages, calls of functions and their results.
    ///
    /// - Throws: ``APIError`` that names the item at fault.
    mutating func state(_ value: JSONValue?) throws -> DecisionState.Content {
        let items = value?.array?.map(Self.withTexts)
        try Self.checkCalls(items ?? [])
        let read = try ResponsesInput.read(items.map { .array($0) } ?? value, leftOut: &leftOut)
        // A text, or one message of it, is the state itself.
        if read.messages.count == 1, let message = read.messages.first, message.role == .user {
            let texts = take(message.content, read.places.first ?? OpenAI.Key.input)
            return .text(texts.joined(separator: "\n"))
        }
        var messages: [ChatMessage] = []
        for (message, place) in zip(read.messages, read.places) {
            var message = message
            message.content = take(message.content, place).map { .text($0) }
            messages.append(message)
        }
        return .messages(messages)
    }

    /// Reads the instructions of a question: a text, or parts.
    ///
    /// - Returns: the texts, in lines; empty where there are none.
    /// - Throws: ``APIError`` that names the part at fault.
    mutating func text(_ value: JSONValue?, _ place: String) throws -> String {
        guard let value, value != .null else { return "" }
        if let text = value.string { return text }
        guard let parts = value.array else {
            throw APIError.invalid("'\(place)' is \(value.kind); expected a string or an array of parts", place)
        }
        let content = try parts.enumerated().map { index, part in
            try RequestFields.read("\(place)[\(index)]") {
                try ChatMessageContent(json: Self.withText(part), place: $0)
            }
        }
        return take(content, place).joined(separator: "\n")
    }

    /// Keeps the pictures, and returns the texts.
    private mutating func take(_ content: [ChatMessageContent], _ place: String) -> [String] {
        var texts: [String] = []
        for (index, part) in content.enumerated() {
            if let text = part.text { texts.append(text) } else { media.append((part, "\(place)[\(index)]")) }
        }
        return texts
    }

    // MARK: JSON

    /// The item with text in the place of JSON.
    private static func withTexts(_ item: JSONValue) -> JSONValue {
        guard var object = item.object, let parts = object[OpenAI.Key.content]?.array else { return item }
        object[OpenAI.Key.content] = .array(parts.map(withText))
        return .object(object)
    }

    private static func withText(_ part: JSONValue) -> JSONValue {
        guard part[OpenAI.Key.type]?.string == jsonType, let data = part[OpenAI.Key.data] else { return part }
        return .object([
            OpenAI.Key.type: .string(OpenAI.PartType.inputText.rawValue),
            OpenAI.Key.text: .string(JSONWriter.string(data)),
        ])
    }

    // MARK: Calls

    /// Checks that each result names a call before it.
    private static func checkCalls(_ items: [JSONValue]) throws(APIError) {
        var calls: Set<String> = []
        for (index, item) in items.enumerated() {
            guard let id = item["call_id"]?.string else { continue }
            if item["output"] == nil {
                calls.insert(id)
            } else if !calls.contains(id) {
                let place = "\(OpenAI.Key.input)[\(index)].call_id"
                throw .invalid("'\(place)' is that of no call before it", place)
            }
        }
    }
}
