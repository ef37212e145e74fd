package import LeapJSON

extension LeapFunctionCall: Codable {
    /// Reads a call in OpenAI's shape.
    public init(from decoder: any Decoder) throws {
        try self.init(json: try JSONValue(from: decoder), place: "the function call")
    }

    /// Writes the call in OpenAI's shape.
    public func encode(to encoder: any Encoder) throws {
        try json(defaultID: nil).encode(to: encoder)
    }
}

extension LeapFunctionCall {
    /// Reads an entry of OpenAI's `tool_calls`, or the bare `{"name", "arguments"}` inside one.
    ///
    /// Arguments that are no JSON object (another program cut them off, or the tool takes plain text) are kept as text: a conversation goes
    /// on whatever an earlier call looks like.
    package init(json: JSONValue, place: String) throws {
        guard let object = json.object else {
            throw LeapSerializationException("\(place) is \(json.kind); expected an object")
        }
        // A tool of OpenAI's type `custom` takes one text.
        let function = object["function"]?.object ?? object["custom"]?.object ?? object
        guard let name = function["name"]?.string else {
            throw LeapSerializationException("\(place) has no function name")
        }
        var arguments: JSONObject = [:]
        var text: String?
        switch function["arguments"] ?? function["input"] ?? .null {
        case .null: break
        case .object(let object): arguments = object
        case .string(let string) where string.allSatisfy(\.isWhitespace): break
        case .string(let string):
            if let object = (try? JSONParser.parse(string))?.object { arguments = object } else { text = string }
        case let other: text = JSONWriter.string(other)
        }
        self.init(name: name, arguments: arguments, argumentText: text, id: object["id"]?.string)
    }

    /// The call as an entry of OpenAI's `tool_calls`, where arguments are JSON in a string, or the text in their place.
    package func json(defaultID: String?) -> JSONValue {
        var object: JSONObject = [:]
        if let id = id ?? defaultID { object["id"] = .string(id) }
        object["type"] = "function"
        object["function"] = .object(["name": .string(name), "arguments": .string(argumentsJSON)])
        return .object(object)
    }

    /// The call as chat templates take it, where arguments are an object.
    package func templateValue(defaultID: String) -> JSONValue {
        .object([
            "id": .string(id ?? defaultID), "type": "function",
            "function": .object(["name": .string(name), "arguments": argumentValue]),
        ])
    }
}
