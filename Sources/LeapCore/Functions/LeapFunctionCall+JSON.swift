import LeapJSON

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
    package init(json: JSONValue, place: String) throws {
        guard let object = json.object else {
            throw LeapSerializationException("\(place) is \(json.kind); expected an object")
        }
        let function = object["function"]?.object ?? object
        guard let name = function["name"]?.string else {
            throw LeapSerializationException("\(place) has no function name")
        }
        let arguments: JSONObject
        switch function["arguments"] ?? .null {
        case .null: arguments = [:]
        case .object(let object): arguments = object
        case .string(let text) where text.allSatisfy(\.isWhitespace): arguments = [:]
        case .string(let text):
            do {
                guard let object = try JSONParser.parse(text).object else {
                    throw LeapSerializationException("arguments of \(place) are not an object")
                }
                arguments = object
            } catch let failure as JSONParser.Failure {
                throw LeapSerializationException("arguments of \(place) are not JSON: \(failure)", cause: failure)
            }
        case let other:
            throw LeapSerializationException(
                "arguments of \(place) are \(other.kind); expected an object or JSON in a string")
        }
        self.init(name: name, arguments: arguments, id: object["id"]?.string)
    }

    /// The call as an entry of OpenAI's `tool_calls`, where arguments are JSON in a string.
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
            "function": .object(["name": .string(name), "arguments": .object(argumentObject)]),
        ])
    }
}
