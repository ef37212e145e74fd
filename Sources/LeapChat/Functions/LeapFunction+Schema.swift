package import LeapJSON
import LeapOpenAIFormat

extension LeapFunction {
    /// Creates a function whose arguments follow a JSON Schema.
    ///
    /// ```swift
    /// let function = try LeapFunction(
    ///     name: "forecast", description: "Forecast of a city",
    ///     parametersSchema: #"""
    ///         {"type": "object", "required": ["city"], "properties": {
    ///             "city": {"type": "string", "minLength": 1},
    ///             "days": {"type": ["integer", "null"], "minimum": 1, "maximum": 7}}}
    ///         """#)
    /// ```
    /// The schema stays as it is. Prompts show it with its members in this order, `toolChoice` enforces it, and calls
    /// are validated against it. It can use drafts 4 to 2020-12; references must point into this text. ``parameters``
    /// is derived from its `properties`.
    ///
    /// - Throws: ``LeapSerializationException`` if the text is not JSON, or not the schema of an object; it names the
    ///   place.
    public init(name: String, description: String, parametersSchema text: String) throws {
        let schema: JSONValue
        do {
            schema = try JSONParser.parse(text)
        } catch {
            throw LeapSerializationException(
                "the parameters of function '\(name)' are not JSON: \(error)", cause: error)
        }
        try self.init(name: name, description: description, parametersSchema: schema)
    }

    /// Creates a function whose arguments follow a JSON Schema that was parsed already.
    ///
    /// - Parameter description: nil for a definition without one.
    /// - Throws: ``LeapSerializationException`` if it is not the schema of an object; it names the place.
    package init(name: String, description: String?, parametersSchema schema: JSONValue) throws {
        let definition = OpenAI.Tool.definition(name: name, description: description, parameters: schema)
        try self.init(tool: .object(definition), place: "function '\(name)'")
    }

    /// The JSON Schema of the arguments object: the app's own, or one derived from ``parameters``.
    public var parametersSchema: String { JSONWriter.string(argumentSchema) }

    /// The function as an entry of OpenAI's `tools`: `{"type": "function", "function": {…}}`.
    package var tool: JSONValue {
        source.tool
            ?? OpenAI.Tool.function(
                .object(OpenAI.Tool.definition(name: name, description: description, parameters: typedSchema)))
    }

    /// The function alone: `{"name": …, "description": …, "parameters": {…}}`.
    package var definition: JSONValue { tool.object?[OpenAI.Key.function] ?? .null }

    /// The JSON Schema of an object that holds the arguments.
    package var argumentSchema: JSONValue { definition.object?[OpenAI.Key.parameters] ?? typedSchema }

    /// The JSON Schema that the typed parameters say.
    var typedSchema: JSONValue {
        .object([
            "type": "object",
            "properties": .object(
                JSONObject(parameters.map { ($0.name, $0.type.schema(description: $0.description)) })),
            "required": .array(parameters.filter { !$0.optional }.map { .string($0.name) }),
        ])
    }

    /// Creates a function from an entry of OpenAI's `tools`, or from the function inside one.
    ///
    /// A dictionary has no order, so the members get a canonical order. ``functions(fromJSON:)`` keeps the order of the
    /// text.
    ///
    /// - Throws: ``LeapSerializationException`` that names the invalid member.
    public init(openAI json: [String: Any]) throws {
        try self.init(tool: SchemaOrder.canonicalTool(JSONValue(any: json)), place: "the tool")
    }

    /// Reads an array of OpenAI's `tools` and keeps their definitions as they are.
    ///
    /// - Throws: ``LeapSerializationException`` that says which tool is invalid and why.
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

    /// Makes a function from an entry of `tools`.
    ///
    /// - Parameter isLenient: whether a schema that is not understood is kept as it was written, for prompts; calls are
    ///   held to what of it can be enforced.
    package init(tool: JSONValue, place: String, isLenient: Bool = false) throws {
        guard let written = tool.object else {
            throw LeapSerializationException("\(place) is \(tool.kind); expected an object")
        }
        let isWrapped = written["function"]?.object != nil
        var definition = written["function"]?.object ?? written
        guard let name = definition["name"]?.string else {
            throw LeapSerializationException("\(place) has no name")
        }
        // Other interfaces put the type beside the name, and call the schema something else.
        if !isWrapped, definition["type"] == "function" { definition["type"] = nil }
        if definition["parameters"] == nil, let schema = definition["input_schema"] {
            definition = JSONObject(
                definition.members.map { ($0.key == "input_schema" ? "parameters" : $0.key, $0.value) })
            definition["parameters"] = schema
        }
        if definition["parameters"] == .null { definition["parameters"] = nil }
        if isLenient, definition["parameters"]?.object == nil { definition["parameters"] = nil }
        var entry = isWrapped ? written : ["type": "function"]
        entry["function"] = .object(definition)

        let schema = definition["parameters"] ?? .object([:])
        guard schema.object != nil else {
            throw LeapSerializationException(
                "parameters of \(place) are \(schema.kind); expected a JSON Schema of an object")
        }
        let parameters = try Self.parameters(of: schema, place: place, isLenient: isLenient)
        let description = definition["description"]?.string ?? ""
        let view = LeapFunction(name: name, description: description, parameters: parameters)
        self.init(
            name: name, description: description, parameters: parameters,
            source: FunctionSource(tool: .object(entry), view: view))
    }

    /// True if calls of the function have to follow its schema: OpenAI's `strict`.
    var isStrict: Bool { definition.object?[OpenAI.Key.strict] == .bool(true) }

    /// The same function under another name and with another schema of its arguments.
    func with(name: String? = nil, argumentSchema schema: JSONValue) -> LeapFunction {
        var tool = tool.object ?? [:]
        var definition = definition.object ?? [:]
        definition["name"] = .string(name ?? self.name)
        definition["parameters"] = schema
        tool["function"] = .object(definition)
        return (try? LeapFunction(tool: .object(tool), place: "the function", isLenient: true)) ?? self
    }

    /// The typed view of a schema of arguments.
    private static func parameters(
        of schema: JSONValue, place: String, isLenient: Bool
    ) throws -> [LeapFunctionParameter] {
        var view = SchemaView(root: schema, isLenient: isLenient)
        let object = schema.object?["$ref"]?.string.flatMap { CallSchema.target(of: $0, in: schema)?.object }
        let shown = object ?? schema.object
        let required = Set(shown?["required"]?.array?.compactMap(\.string) ?? [])
        return try (shown?["properties"]?.object?.members ?? []).map { member in
            LeapFunctionParameter(
                name: member.key,
                type: try view.type(of: member.value, place: "parameter '\(member.key)' of \(place)"),
                description: member.value.object?["description"]?.string ?? "",
                optional: !required.contains(member.key))
        }
    }
}

extension LeapFunction: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, description, parameters
        /// The entry of `tools` as text, as encoders do not keep the order of members.
        case tool
    }

    /// Decodes a function in the format of ``encode(to:)``, or an entry of OpenAI's `tools`.
    ///
    /// `JSONDecoder` does not report the order of members, so the members of an entry get a canonical order.
    /// ``functions(fromJSON:)`` keeps their order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try? container.decode(String.self, forKey: .tool), let tool = try? JSONParser.parse(text) {
            try self.init(tool: tool, place: "the function")
        } else if let parameters = try? container.decode([LeapFunctionParameter].self, forKey: .parameters) {
            self.init(
                name: try container.decode(String.self, forKey: .name),
                description: try container.decode(String.self, forKey: .description), parameters: parameters)
        } else {
            try self.init(tool: SchemaOrder.canonicalTool(try JSONValue(from: decoder)), place: "the function")
        }
    }

    /// Encodes the name, description, typed parameters and, if there is one, the original definition.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(description, forKey: .description)
        try container.encode(parameters, forKey: .parameters)
        if let tool = source.tool { try container.encode(JSONWriter.string(tool), forKey: .tool) }
    }
}
