import LeapJSON

/// The order of members for schemas that come without one.
///
/// Foundation's decoders hand out the members of an object in an order that changes from run to run. A prompt must not
/// change with it, so such schemas are brought into the order that models see in training: type, contents, description,
/// enum, then the rest by name; properties in the order of `required`, then by name.
enum SchemaOrder {
    private static let keywords = ["type", "items", "properties", "required", "description", "enum"]

    static func canonical(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .array(let values): return .array(values.map(canonical))
        case .object(let object):
            let required = object["required"]?.array?.compactMap(\.string) ?? []
            return ordered(object, first: keywords) { keyword, value in
                switch keyword {
                case "properties": value.object.map { ordered($0, first: required) { canonical($1) } } ?? value
                case "enum", "const", "default", "examples": byName(value)
                default: canonical(value)
                }
            }
        default: return schema
        }
    }

    fileprivate static func byName(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map(byName))
        case .object(let object): ordered(object, first: []) { byName($1) }
        default: value
        }
    }

    fileprivate static func ordered(
        _ object: JSONObject, first: [String], _ change: (String, JSONValue) -> JSONValue
    ) -> JSONValue {
        var result = JSONObject()
        for key in first + object.keys.sorted() where result[key] == nil {
            if let value = object[key] { result[key] = change(key, value) }
        }
        return .object(result)
    }
}

extension SchemaOrder {
    /// An entry of `tools` with its members in the usual order, the schema of its parameters included.
    static func canonicalTool(_ tool: JSONValue) -> JSONValue {
        guard let object = tool.object else { return tool }
        return ordered(object, first: ["type", "function", "name", "description", "parameters"]) { key, value in
            switch key {
            case "function": canonicalTool(value)
            case "parameters", "input_schema": canonical(value)
            default: byName(value)
            }
        }
    }
}
