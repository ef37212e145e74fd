import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The result of a function, as clients of all protocols send it: a text, a list of parts, or any other JSON.
enum ResultParts {
    /// Returns the content for the model: texts and pictures as such, other JSON as text.
    ///
    /// - Parameter place: the field, for errors.
    /// - Throws: ``APIError`` that names the part that is neither.
    static func content(_ value: JSONValue, at place: String) throws(APIError) -> [ChatMessageContent] {
        switch value {
        case .null: return []
        case .string(let text): return [.text(text)]
        case .array(let parts) where parts.allSatisfy({ $0.string != nil || $0[OpenAI.Key.type]?.string != nil }):
            var content: [ChatMessageContent] = []
            for (index, part) in parts.enumerated() { content.append(try Self.part(part, at: "\(place)[\(index)]")) }
            return content
        case .object where isText(value): return [try part(value, at: place)]
        default: return [.text(JSONWriter.string(value))]
        }
    }

    private static func isText(_ part: JSONValue) -> Bool {
        let type = part[OpenAI.Key.type]?.string.flatMap { OpenAI.PartType(rawValue: $0) }
        return type?.isText == true && part[OpenAI.Key.text]?.string != nil
    }

    private static func part(_ value: JSONValue, at place: String) throws(APIError) -> ChatMessageContent {
        if let text = value.string { return .text(text) }
        do {
            return try ChatMessageContent(json: value, place: place)
        } catch let error as LeapSerializationException {
            throw .invalid(error.message, place, code: "unsupported_content")
        } catch {
            throw APIError(error)
        }
    }
}
