extension LeapFunction {
    /// The function as an entry of OpenAI's `tools`: `{"type": "function", "function": {…}}`.
    package var tool: JSONValue {
        .object(["type": "function", "function": definition])
    }

    /// The function alone: `{"name": …, "description": …, "parameters": {…}}`.
    package var definition: JSONValue {
        .object(["name": .string(name), "description": .string(description), "parameters": argumentSchema])
    }

    /// The JSON Schema of an object that holds the arguments.
    package var argumentSchema: JSONValue {
        .object([
            "type": "object",
            "properties": .object(
                JSONObject(parameters.map { ($0.name, $0.type.schema(description: $0.description)) })),
            "required": .array(parameters.filter { !$0.optional }.map { .string($0.name) }),
        ])
    }

    /// Makes a function from an entry of OpenAI's `tools`, or from the bare function inside one.
    ///
    /// - Throws: ``LeapSerializationException`` that names the member at fault.
    public init(openAI json: [String: Any]) throws {
        try self.init(tool: JSONValue(any: json), place: "the tool")
    }

    /// Reads an array of OpenAI's `tools`.
    ///
    /// - Throws: ``LeapSerializationException`` that says which tool is at fault and why.
    public static func functions(fromJSON text: String) throws -> [LeapFunction] {
        let value: JSONValue
        do {
            value = try JSONParser.parse(text)
        } catch {
            throw LeapSerializationException("the tools are not JSON: \(error)", cause: error)
        }
        guard let tools = value.array else {
            throw LeapSerializationException("the tools are \(value.kind); expected an array of tools")
        }
        return try tools.enumerated().map { try LeapFunction(tool: $1, place: "tool \($0)") }
    }

    package init(tool: JSONValue, place: String) throws {
        guard let object = tool.object?["function"]?.object ?? tool.object else {
            throw LeapSerializationException("\(place) is \(tool.kind); expected an object")
        }
        guard let name = object["name"]?.string else {
            throw LeapSerializationException("\(place) has no name")
        }
        let schema = object["parameters"] ?? object["input_schema"] ?? .null
        let required = Set(schema.object?["required"]?.array?.compactMap(\.string) ?? [])
        let parameters = try (schema.object?["properties"]?.object?.members ?? []).map { member in
            LeapFunctionParameter(
                name: member.key,
                type: try LeapFunctionParameterType(
                    schema: member.value, place: "parameter '\(member.key)' of \(place)"),
                description: member.value.object?["description"]?.string ?? "",
                optional: !required.contains(member.key))
        }
        self.init(name: name, description: object["description"]?.string ?? "", parameters: parameters)
    }
}
