import LeapJSON

/// Derives typed views from JSON Schema.
///
/// A view shows what the typed enumeration can say. Of a union the first type that is not null is shown, of a reference
/// what it refers to, and `.string` where a schema says nothing about types; the schema itself stays beside the view.
struct SchemaView {
    /// The document that references lead into.
    private let root: JSONValue
    /// True if a schema that is not understood is shown as a string instead of being an error.
    private let isLenient: Bool
    /// References are followed this many times in all: a few bytes of schema may otherwise expand without end.
    private var remainingReferences = 512
    private static let maximumReferenceDepth = 8

    init(root: JSONValue, isLenient: Bool = false) {
        self.root = root
        self.isLenient = isLenient
    }

    /// The view of a schema.
    ///
    /// - Throws: ``LeapSerializationException`` that names the place and what is not understood there.
    mutating func type(
        of schema: JSONValue, place: String, referenceDepth: Int = 0
    ) throws -> LeapFunctionParameterType {
        if case .bool = schema { return view(.string(StringType()), of: schema) }
        guard let object = schema.object else {
            if isLenient { return view(.string(StringType()), of: schema) }
            throw LeapSerializationException("\(place) is \(schema.kind); expected a JSON Schema object")
        }
        if let target = try referenced(by: object, place: place, referenceDepth: referenceDepth) {
            return view(target, of: schema)
        }
        return view(try plain(object, place: place, referenceDepth: referenceDepth), of: schema)
    }

    private func view(_ type: LeapFunctionParameterType, of schema: JSONValue) -> LeapFunctionParameterType {
        let bare = type.with(source: .none)
        let written = bare.schema()
        // Where both are the same to the letter there is nothing to keep.
        if JSONWriter.string(written) == JSONWriter.string(schema) { return bare }
        return bare.with(source: SchemaSource(schema, view: written))
    }

    /// Returns the type that a schema without a type of its own stands for: the target of `$ref`, or a branch of a
    /// combination.
    private mutating func referenced(
        by object: JSONObject, place: String, referenceDepth: Int
    ) throws -> LeapFunctionParameterType? {
        guard object["type"] == nil else { return nil }
        if let reference = object["$ref"]?.string {
            guard referenceDepth < Self.maximumReferenceDepth, remainingReferences > 0,
                let target = CallSchema.target(of: reference, in: root)
            else { return .object(ObjectType(properties: [:])) }
            remainingReferences -= 1
            return try type(of: target, place: place, referenceDepth: referenceDepth + 1)
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let branches = object[keyword]?.array ?? []
            guard let branch = branches.first(where: { !Self.isNull($0) }) ?? branches.first else { continue }
            return try type(of: branch, place: "\(place).\(keyword)", referenceDepth: referenceDepth)
        }
        return nil
    }

    private static func isNull(_ schema: JSONValue) -> Bool {
        schema.object?["type"] == "null" || schema.object?["const"] == .null
    }

    private mutating func plain(
        _ object: JSONObject, place: String, referenceDepth: Int
    ) throws -> LeapFunctionParameterType {
        let description = object["description"]?.string
        let values = object["enum"]?.array ?? object["const"].map { [$0] }
        switch try typeName(of: object, values: values, place: place) {
        case "string": return .string(StringType(description: description, enumValues: values?.compactMap(\.string)))
        case "number": return .number(NumberType(description: description, enumValues: values?.compactMap(\.double)))
        case "integer":
            return .integer(IntegerType(description: description, enumValues: values?.compactMap(\.integer)))
        case "boolean": return .boolean(BooleanType(description: description))
        case "null": return .null(NullType())
        case "array":
            let items = try object["items"].flatMap { $0.array?.first ?? ($0.array == nil ? $0 : nil) }.map {
                try type(of: $0, place: "\(place).items", referenceDepth: referenceDepth)
            }
            return .array(ArrayType(itemType: items ?? .string(StringType()), description: description))
        case "object":
            var properties: [String: LeapFunctionParameterType] = [:]
            for member in object["properties"]?.object?.members ?? [] {
                properties[member.key] = try type(
                    of: member.value, place: "\(place).properties.\(member.key)", referenceDepth: referenceDepth)
            }
            let required = object["required"]?.array?.compactMap(\.string) ?? []
            return .object(ObjectType(properties: properties, required: required, description: description))
        case let other:
            if isLenient { return .string(StringType(description: description)) }
            throw LeapSerializationException(
                "type of \(place) is '\(other)'; expected string, number, integer, boolean, array, object or null")
        }
    }

    /// The type's name; of a list such as `["string", "null"]` the first that is not null.
    private func typeName(of object: JSONObject, values: [JSONValue]?, place: String) throws -> String {
        switch object["type"] {
        case .string(let name): return Self.known(name)
        case .array(let names):
            let names = names.compactMap(\.string).map(Self.known)
            if let name = names.first(where: { $0 != "null" }) ?? names.first { return name }
            if isLenient { return "" }
        case nil:
            if let value = values?.first(where: { $0 != .null }) ?? values?.first { return Self.typeName(of: value) }
            if object["properties"] != nil { return "object" }
            return object["items"] != nil || object["prefixItems"] != nil ? "array" : "string"
        case let other?:
            if isLenient { return "" }
            throw LeapSerializationException("type of \(place) is \(other.kind); expected a name or a list of names")
        }
        throw LeapSerializationException("type of \(place) is an empty list; expected names of types")
    }

    /// The types of JSON Schema.
    static let typeNames: Set<String> = ["string", "number", "integer", "boolean", "array", "object", "null"]

    /// The name of a type, also where it is in capitals, as Google's interfaces write it.
    static func known(_ name: String) -> String {
        let lowercased = name.lowercased()
        return typeNames.contains(lowercased) ? lowercased : name
    }

    private static func typeName(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number.integer == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
