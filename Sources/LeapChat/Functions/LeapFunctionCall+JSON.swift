package import LeapJSON
package import LeapOpenAIFormat

extension LeapFunctionCall: Codable {
    /// Decodes a call in OpenAI's format.
    public init(from decoder: any Decoder) throws {
        try self.init(json: try JSONValue(from: decoder), place: "the function call")
    }

    /// Encodes the call in OpenAI's format.
    public func encode(to encoder: any Encoder) throws {
        try json(defaultID: nil).encode(to: encoder)
    }
}

extension LeapFunctionCall {
    /// Reads an entry of OpenAI's `tool_calls`, or the bare `{"name", "arguments"}` inside one.
    package init(json: JSONValue, place: String) throws {
        guard let call = OpenAI.ToolCall(json) else {
            throw LeapSerializationException("\(place) is \(json.kind); expected an object")
        }
        try self.init(call, place: place)
    }

    /// Makes a call from an entry of OpenAI's `tool_calls`.
    ///
    /// Arguments that are no JSON object (another program cut them off, or the tool takes plain text) are kept as text:
    /// a conversation goes on whatever an earlier call looks like.
    package init(_ call: OpenAI.ToolCall, place: String) throws {
        guard let name = call.name else {
            throw LeapSerializationException("\(place) has no function name")
        }
        var arguments: JSONObject = [:]
        var text: String?
        switch call.input ?? .null {
        case .null: break
        case .object(let object): arguments = object
        case .string(let string) where string.allSatisfy(\.isWhitespace): break
        case .string(let string):
            if let object = (try? JSONParser.parse(string))?.object { arguments = object } else { text = string }
        case let other: text = JSONWriter.string(other)
        }
        self.init(name: name, arguments: arguments, argumentText: text, id: call.id)
    }

    /// The call as an entry of OpenAI's `tool_calls`, where arguments are JSON in a string, or the text in their place.
    package func json(defaultID: String?) -> JSONValue {
        entry(defaultID: defaultID).json
    }

    /// The call as an entry of OpenAI's `tool_calls`, before it is JSON.
    package func entry(defaultID: String?) -> OpenAI.ToolCall {
        OpenAI.ToolCall(id: id ?? defaultID, name: name, input: .string(argumentsJSON))
    }

    /// The call as chat templates take it, where arguments are an object.
    package func templateValue(defaultID: String) -> JSONValue {
        OpenAI.ToolCall(id: id ?? defaultID, name: name, input: argumentValue).json
    }
}
