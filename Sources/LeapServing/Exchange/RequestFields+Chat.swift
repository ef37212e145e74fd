import LeapCore
import LeapJSON

/// What the chats of all protocols have in common.
extension RequestFields {
    /// The functions in `tools`; none where the field is missing.
    mutating func functions() throws -> [LeapFunction] {
        try (array("tools") ?? []).enumerated().map { try Self.function($1, $0) }
    }

    /// A function that is an entry of `tools`.
    static func function(_ tool: JSONValue, _ index: Int) throws -> LeapFunction {
        try read("tools[\(index)]") { try LeapFunction(tool: tool, place: $0) }
    }

    /// A message at a place of the request.
    static func message(_ value: JSONValue, at place: String) throws -> ChatMessage {
        try read(place) { try ChatMessage(json: value, place: $0) }
    }

    /// Reads what is at a place of the request; an error names the place as the parameter at fault.
    static func read<T>(_ place: String, _ body: (String) throws -> T) throws -> T {
        do {
            return try body(place)
        } catch let error as LeapSerializationException {
            throw APIError.invalid(error.message, place)
        }
    }
}
