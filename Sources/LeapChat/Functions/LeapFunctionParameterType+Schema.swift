package import LeapJSON

extension LeapFunctionParameterType {
    /// Creates a type from the text of a JSON Schema, and keeps the text as it is, with the order of its members.
    ///
    /// References must point into this text: `{"$ref": "#/$defs/Address", "$defs": {…}}`.
    ///
    /// - Throws: ``LeapSerializationException`` that names the place and the part that is not supported.
    public init(jsonSchema text: String) throws {
        let schema: JSONValue
        do {
            schema = try JSONParser.parse(text)
        } catch {
            throw LeapSerializationException("the JSON Schema is not JSON: \(error)", cause: error)
        }
        try self.init(schema: schema, place: "the JSON Schema")
    }

    /// Reads a type from JSON Schema.
    ///
    /// - Throws: ``LeapSerializationException`` that names the place and what is not understood there.
    package init(schema: JSONValue, place: String) throws {
        var view = SchemaView(root: schema)
        self = try view.type(of: schema, place: place)
    }

    /// The type as JSON Schema: as it was written, or with members in the order that models see in training (type,
    /// contents, description, enum).
    ///
    /// - Parameter description: wins over the type's own.
    package func schema(description: String? = nil) -> JSONValue {
        guard let written = source.written else { return derivedSchema(description: description) }
        guard let description, var object = written.object else { return written }
        object["description"] = .string(description)
        return .object(object)
    }

    private func derivedSchema(description: String?) -> JSONValue {
        var schema: JSONObject = [:]
        var values: [JSONValue]?
        switch self {
        case .string(let type):
            schema["type"] = "string"
            values = type.enumValues?.map { .string($0) }
        case .number(let type):
            schema["type"] = "number"
            values = type.enumValues?.map { value in Int64(exactly: value).map { .integer($0) } ?? .double(value) }
        case .integer(let type):
            schema["type"] = "integer"
            values = type.enumValues?.map { .integer(Int64($0)) }
        case .boolean: schema["type"] = "boolean"
        case .null: schema["type"] = "null"
        case .array(let type):
            schema["type"] = "array"
            schema["items"] = type.itemType.schema()
        case .object(let type):
            schema["type"] = "object"
            schema["properties"] = .object(JSONObject(type.orderedProperties.map { ($0.name, $0.type.schema()) }))
            if !type.required.isEmpty { schema["required"] = .array(type.required.map { .string($0) }) }
        }
        if let description = description ?? ownDescription { schema["description"] = .string(description) }
        if let values { schema["enum"] = .array(values) }
        return .object(schema)
    }

    /// The description inside the type.
    private var ownDescription: String? {
        switch self {
        case .string(let type): type.description
        case .number(let type): type.description
        case .integer(let type): type.description
        case .boolean(let type): type.description
        case .array(let type): type.description
        case .object(let type): type.description
        case .null: nil
        }
    }
}

extension LeapFunctionParameterType {
    /// The schema that the type was read from.
    var source: SchemaSource {
        switch self {
        case .string(let type): type.source
        case .number(let type): type.source
        case .integer(let type): type.source
        case .boolean(let type): type.source
        case .array(let type): type.source
        case .object(let type): type.source
        case .null(let type): type.source
        }
    }

    /// The same type, read from another schema.
    func with(source: SchemaSource) -> Self {
        func with<T>(_ value: T, _ path: WritableKeyPath<T, SchemaSource>) -> T {
            var value = value
            value[keyPath: path] = source
            return value
        }
        return switch self {
        case .string(let type): .string(with(type, \.source))
        case .number(let type): .number(with(type, \.source))
        case .integer(let type): .integer(with(type, \.source))
        case .boolean(let type): .boolean(with(type, \.source))
        case .array(let type): .array(with(type, \.source))
        case .object(let type): .object(with(type, \.source))
        case .null(let type): .null(with(type, \.source))
        }
    }

    /// True if the cases say all that the schema demands, in nested types too.
    var isModelled: Bool {
        guard source.isModelled else { return false }
        return switch self {
        case .array(let type): type.itemType.isModelled
        case .object(let type): type.properties.values.allSatisfy(\.isModelled)
        default: true
        }
    }
}

extension ObjectType {
    /// The properties in a fixed order, as a dictionary has none: the required ones as listed, then the others by name.
    var orderedProperties: [(name: String, type: LeapFunctionParameterType)] {
        let first = required.filter { properties[$0] != nil }
        let rest = properties.keys.filter { !first.contains($0) }.sorted()
        return (first + rest).compactMap { name in properties[name].map { (name, $0) } }
    }
}

extension LeapFunctionParameterType: Codable {
    /// Decodes a type from JSON Schema.
    ///
    /// `JSONDecoder` does not report the order of members; ``init(jsonSchema:)`` keeps it.
    public init(from decoder: any Decoder) throws {
        try self.init(schema: SchemaOrder.canonical(try JSONValue(from: decoder)), place: "the parameter type")
    }

    /// Encodes the type as JSON Schema.
    public func encode(to encoder: any Encoder) throws {
        try schema().encode(to: encoder)
    }
}
