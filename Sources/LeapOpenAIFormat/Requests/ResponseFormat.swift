package import LeapJSON

extension OpenAI {
    /// A value of `response_format`: the form of a reply's text.
    package enum ResponseFormat: Sendable, Hashable {
        /// The `type` of a form.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case text
            case jsonObject = "json_object"
            case jsonSchema = "json_schema"
        }

        case text
        /// Any JSON object.
        case jsonObject
        /// JSON that validates against a schema.
        ///
        /// The name is for the client alone; `isStrict` is false, or nil, where an endpoint may depart from the schema.
        case jsonSchema(JSONValue, name: String? = nil, isStrict: Bool? = nil)

        /// The form as chat completions have it.
        package var json: JSONValue {
            switch self {
            case .text: .object([Key.type: .string(Kind.text.rawValue)])
            case .jsonObject: .object([Key.type: .string(Kind.jsonObject.rawValue)])
            case .jsonSchema(let schema, let name, let isStrict): Self.schema(schema, name, isStrict)
            }
        }

        private static func schema(_ schema: JSONValue, _ name: String?, _ isStrict: Bool?) -> JSONValue {
            var inner: JSONObject = [:]
            inner[Key.name] = name.map { .string($0) }
            inner[Key.strict] = isStrict.map { .bool($0) }
            inner[Key.schema] = schema
            return .object([Key.type: .string(Kind.jsonSchema.rawValue), Key.jsonSchema: .object(inner)])
        }
    }
}
