import LeapJSON
import LeapOpenAIFormat

/// The parts of a message in OpenAI's shape: what is said, and what was thought beside it.
struct MessageParts {
    /// The message, for errors.
    let place: String
    /// Gets the place and the type of each part that is left out; nil where an unknown part is an error.
    let leaveOut: ((_ place: String, _ type: String) -> Void)?
    var content: [ChatMessageContent] = []
    /// The texts of parts with thoughts.
    private(set) var thoughts: [String] = []

    /// Adds pictures that stand beside the content, each in Base64 or as a `data:` address.
    ///
    /// - Throws: ``LeapSerializationException`` that names the picture at fault.
    mutating func add(pictures: [String]) throws {
        for picture in pictures {
            content.append(
                try ChatMessageContent.image(picture: picture, place: "content[\(content.count)] of \(place)"))
        }
    }

    /// Adds the content of a message.
    ///
    /// - Throws: ``LeapSerializationException`` that names the part at fault.
    mutating func add(_ value: JSONValue) throws {
        switch value {
        case .null: break
        case .string(let text): content.append(.text(text))
        case .array(let parts):
            let first = content.count
            for (index, part) in parts.enumerated() { try add(part, at: first + index) }
        default:
            guard content.isEmpty else {
                throw LeapSerializationException(
                    "text of content[\(content.count)] of \(place) is \(value.kind); expected a string")
            }
            throw LeapSerializationException(
                "content of \(place) is \(value.kind); expected a string, null or an array of parts")
        }
    }

    private mutating func add(_ part: JSONValue, at index: Int) throws {
        if case .string(let text) = part {
            content.append(.text(text))
            return
        }
        let type = part[OpenAI.Key.type]?.string ?? ""
        if Self.thinkingTypes.contains(type) {
            thoughts += Self.thoughts(in: part)
        } else if let leaveOut, !type.isEmpty, OpenAI.PartType(rawValue: type) == nil {
            leaveOut("\(place).content[\(index)]", type)
        } else {
            content.append(try ChatMessageContent(json: part, place: "content[\(index)] of \(place)"))
        }
    }

    /// Parts in which other interfaces keep what a model thought; a text that only they can read is no thought here.
    private static let thinkingTypes: Set<String> = [
        "thinking", "redacted_thinking", "reasoning", "reasoning_text", "summary_text",
    ]

    private static func thoughts(in part: JSONValue) -> [String] {
        for name in ["thinking", "text", "reasoning", "summary"] {
            if let text = part[name]?.string { return [text] }
            if let parts = part[name]?.array { return parts.compactMap { $0.string ?? $0["text"]?.string } }
        }
        return []
    }
}
