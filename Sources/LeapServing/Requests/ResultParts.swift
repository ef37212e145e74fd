import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The result of a function, as clients of all protocols send it: a text, a list of parts, or any other JSON.
enum ResultParts {
    /// Returns the content for the model: texts and pictures as such, other JSON as text.
    ///
    /// - Parameters:
    ///   - pictures: those that stand beside the result and come first.
    ///   - place: the field, for errors.
    ///   - leaveOut: gets the place and the type of each part of a type that is not known; nil makes such a part an
    ///     error.
    /// - Throws: ``APIError`` that names the part that is neither.
    static func content(
        _ value: JSONValue, beside pictures: [String] = [], at place: String,
        leaveOut: ((_ place: String, _ type: String) -> Void)? = nil
    ) throws(APIError) -> [ChatMessageContent] {
        var content: [ChatMessageContent] = []
        for picture in pictures {
            content.append(try read("\(place)[\(content.count)]") { try .image(picture: picture, place: $0) })
        }
        let first = content.count
        switch value {
        case .null: return content
        case .string(let text): return content + [.text(text)]
        case .array(let parts) where parts.allSatisfy({ $0.string != nil || $0[OpenAI.Key.type]?.string != nil }):
            for (index, part) in parts.enumerated() {
                let place = "\(place)[\(first + index)]"
                if let leaveOut, let type = part[OpenAI.Key.type]?.string, OpenAI.PartType(rawValue: type) == nil {
                    leaveOut(place, type)
                    continue
                }
                content.append(try Self.part(part, at: place))
            }
            return content
        case .object where isText(value): return content + [try part(value, at: place)]
        default: return content + [.text(JSONWriter.string(value))]
        }
    }

    private static func isText(_ part: JSONValue) -> Bool {
        let type = part[OpenAI.Key.type]?.string.flatMap { OpenAI.PartType(rawValue: $0) }
        return type?.isText == true && part[OpenAI.Key.text]?.string != nil
    }

    private static func part(_ value: JSONValue, at place: String) throws(APIError) -> ChatMessageContent {
        if let text = value.string { return .text(text) }
        return try read(place) { try ChatMessageContent(json: value, place: $0) }
    }

    private static func read(
        _ place: String, _ body: (String) throws -> ChatMessageContent
    ) throws(APIError) -> ChatMessageContent {
        do {
            return try body(place)
        } catch let error as LeapSerializationException {
            throw .invalid(error.message, place, code: "unsupported_content")
        } catch {
            throw APIError(error)
        }
    }
}
