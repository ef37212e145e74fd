extension LeapFunctionParameterType {
    /// The description inside the type.
    var ownDescription: String? {
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

    /// The type as JSON Schema, with members in the order that models see in training: type, contents, description, enum.
    ///
    /// - Parameter description: wins over the type's own.
    package func schema(description: String? = nil) -> JSONValue {
        var schema: JSONObject = [:]
        var values: [JSONValue]?
        switch self {
        case .string(let type):
            schema["type"] = "string"
            values = type.enumValues?.map { .string($0) }
        case .number(let type):
            schema["type"] = "number"
            values = type.enumValues?.map { value in Int64(exactly: value).map { .integer($0) } ?? .number(value) }
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

    /// Reads a type from JSON Schema.
    ///
    /// - Throws: ``LeapSerializationException`` that names the place and what is not understood there.
    package init(schema: JSONValue, place: String) throws {
        guard let object = schema.object else {
            throw LeapSerializationException("\(place) is \(schema.kind); expected a JSON Schema object")
        }
        let description = object["description"]?.string
        let values = object["enum"]?.array
        switch try Self.typeName(of: object, place: place) {
        case "string": self = .string(StringType(description: description, enumValues: values?.compactMap(\.string)))
        case "number": self = .number(NumberType(description: description, enumValues: values?.compactMap(\.double)))
        case "integer":
            self = .integer(IntegerType(description: description, enumValues: values?.compactMap(\.integer)))
        case "boolean": self = .boolean(BooleanType(description: description))
        case "null": self = .null(NullType())
        case "array":
            let items = try object["items"].map { try Self(schema: $0, place: "\(place).items") }
            self = .array(ArrayType(itemType: items ?? .string(StringType()), description: description))
        case "object":
            var properties: [String: Self] = [:]
            for member in object["properties"]?.object?.members ?? [] {
                properties[member.key] = try Self(schema: member.value, place: "\(place).properties.\(member.key)")
            }
            let required = object["required"]?.array?.compactMap(\.string) ?? []
            self = .object(ObjectType(properties: properties, required: required, description: description))
        case let other:
            throw LeapSerializationException(
                "type of \(place) is '\(other)'; expected string, number, integer, boolean, array, object or null")
        }
    }

    /// The type's name; of a list such as `["string", "null"]` the first that is not null.
    private static func typeName(of object: JSONObject, place: String) throws -> String {
        switch object["type"] {
        case .string(let name): return name
        case .array(let names):
            let names = names.compactMap(\.string)
            if let name = names.first(where: { $0 != "null" }) ?? names.first { return name }
        case nil where object["enum"] != nil: return "string"
        case nil where object["properties"] != nil: return "object"
        case nil where object["items"] != nil: return "array"
        default: break
        }
        throw LeapSerializationException(
            "\(place) has no type; expected string, number, integer, boolean, array or object")
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
    /// Reads a type from JSON Schema.
    public init(from decoder: any Decoder) throws {
        try self.init(schema: try JSONValue(from: decoder), place: "the parameter type")
    }

    /// Writes the type as JSON Schema.
    public func encode(to encoder: any Encoder) throws {
        try schema().encode(to: encoder)
    }
}
