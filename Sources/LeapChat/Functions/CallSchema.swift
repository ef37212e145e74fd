import LeapJSON

/// Schemas of arguments, made ready for grammars and checks.
enum CallSchema {
    /// Keywords beside which an object may be closed without a change of what its author means.
    private static let plainKeywords: Set<String> = [
        "type", "properties", "required", "description", "title", "default", "examples", "deprecated", "$comment",
        "$schema", "$id", "$defs", "definitions", "maxProperties", "dependentRequired",
    ]

    /// A schema in which objects have the properties that they declare, and no others, unless it says something else.
    ///
    /// - Parameter isRoot: whether the schema is that of all arguments, which are those that the function has.
    static func closed(_ schema: JSONValue, isRoot: Bool = false) -> JSONValue {
        guard var object = schema.object else { return schema }
        if let properties = object["properties"]?.object {
            object["properties"] = .object(JSONObject(properties.members.map { ($0.key, closed($0.value)) }))
        }
        let isDeclared = object["properties"]?.object?.isEmpty == false || object["required"] != nil
        let isObject = object["type"] == "object" || object["properties"] != nil
        if isObject, isRoot || isDeclared, object.keys.allSatisfy(plainKeywords.contains) {
            declareRequired(&object)
            object["additionalProperties"] = .bool(false)
        }
        if let items = object["items"], items.object != nil { object["items"] = closed(items) }
        return .object(object)
    }

    /// Declares what is required without a schema of its own: an object that is closed could not have it otherwise.
    private static func declareRequired(_ object: inout JSONObject) {
        let required = object["required"]?.array?.compactMap(\.string) ?? []
        var properties: JSONObject = [:]
        if let declared = object["properties"] {
            guard let declared = declared.object else { return }
            properties = declared
        }
        for name in required where properties[name] == nil { properties[name] = .bool(true) }
        if !properties.isEmpty { object["properties"] = .object(properties) }
    }

    /// A schema of arguments with other names for the properties at its root.
    static func renamed(_ schema: JSONValue, _ name: (String) -> String) -> JSONValue {
        guard var object = schema.object else { return schema }
        if let properties = object["properties"]?.object {
            object["properties"] = .object(JSONObject(properties.members.map { (name($0.key), $0.value) }))
        }
        if let required = object["required"]?.array {
            object["required"] = .array(required.map { value in value.string.map { .string(name($0)) } ?? value })
        }
        return .object(object)
    }

    // MARK: References

    /// The schema with what its root refers to in place of the reference; what stands beside the reference stays.
    static func inlined(_ schema: JSONValue) -> JSONValue {
        guard var object = schema.object else { return schema }
        for _ in 0..<8 {
            guard let reference = object["$ref"]?.string, let target = target(of: reference, in: schema)?.object else {
                break
            }
            object["$ref"] = nil
            for (key, value) in target.members where object[key] == nil { object[key] = value }
        }
        return .object(object)
    }

    /// Returns whether a schema has references into its own document.
    static func hasReferences(_ schema: JSONValue) -> Bool {
        switch schema {
        case .array(let values): values.contains { hasReferences($0) }
        case .object(let object):
            object.members.contains { member in
                member.key == "$ref" ? member.value.string != nil : !isData(member.key) && hasReferences(member.value)
            }
        default: false
        }
    }

    /// A schema that is going to stand below `prefix` of another document, its references adjusted.
    static func moved(_ schema: JSONValue, below prefix: String) -> JSONValue {
        switch schema {
        case .array(let values): return .array(values.map { moved($0, below: prefix) })
        case .object(let object):
            // What has an address of its own is a document of its own.
            if let address = object["$id"]?.string, !address.isEmpty, !address.hasPrefix("#") { return schema }
            return .object(
                JSONObject(
                    object.members.map { member in
                        if member.key == "$ref", let reference = member.value.string {
                            let isPointer = reference == "#" || reference.hasPrefix("#/")
                            return (
                                member.key, .string(isPointer ? "#" + prefix + reference.dropFirst() : reference)
                            )
                        }
                        return (member.key, isData(member.key) ? member.value : moved(member.value, below: prefix))
                    }))
        default: return schema
        }
    }

    /// The schema of one property, as a document of its own that references still lead into.
    static func property(_ name: String, of schema: JSONValue) -> JSONValue? {
        guard let property = schema.object?["properties"]?.object?[name] else { return nil }
        guard hasReferences(property) else { return property }
        return .object([
            "$id": "urn:leap:arguments",
            "$ref": .string("#/$defs/arguments/properties/" + escaped(name)),
            "$defs": .object(["arguments": moved(schema, below: "/$defs/arguments")]),
        ])
    }

    /// Members that hold instances, not schemas.
    private static func isData(_ keyword: String) -> Bool {
        ["enum", "const", "default", "examples"].contains(keyword)
    }

    /// Returns the schema that a reference such as `#/$defs/Address` leads to; nil for other documents and places that
    /// are not there.
    static func target(of reference: String, in root: JSONValue) -> JSONValue? {
        if reference == "#" { return root }
        guard reference.hasPrefix("#/") else { return nil }
        return value(at: String(reference.dropFirst()), in: root)
    }

    /// The value at a JSON Pointer (RFC 6901).
    static func value(at pointer: String, in root: JSONValue) -> JSONValue? {
        tokens(of: pointer).reduce(root) { value, token in
            switch value {
            case .object(let object): object[token]
            case .array(let values): Int(token).flatMap { values.indices.contains($0) ? values[$0] : nil }
            default: nil
            }
        }
    }

    /// The parts of a JSON Pointer.
    static func tokens(of pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    /// A name as part of a JSON Pointer.
    static func escaped(_ token: String) -> String {
        token.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

extension CallSchema {
    /// The schema of the value at a JSON Pointer into an instance, as far as `properties`, `items` and references tell.
    static func schema(at pointer: String, in root: JSONValue) -> JSONValue? {
        var schema: JSONValue? = root
        for token in tokens(of: pointer) {
            guard let object = resolved(schema, in: root)?.object else { return nil }
            if let property = object["properties"]?.object?[token] {
                schema = property
            } else if let index = Int(token), let items = object["items"] ?? object["prefixItems"] {
                schema = items.array.map { $0.indices.contains(index) ? $0[index] : .null } ?? items
            } else {
                return nil
            }
        }
        return resolved(schema, in: root)
    }

    /// Returns a schema with its references followed.
    static func resolved(_ schema: JSONValue?, in root: JSONValue) -> JSONValue? {
        var schema = schema
        for _ in 0..<8 {
            guard let reference = schema?.object?["$ref"]?.string else { return schema }
            schema = target(of: reference, in: root)
        }
        return schema
    }
}
