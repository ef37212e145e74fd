package import LeapJSON

/// A type's JSON Schema as an app wrote it, beside the typed view that was derived from it.
///
/// ``LeapFunctionParameterType`` models the schema keywords that the LEAP SDK has. Everything else (`minimum`,
/// `pattern`, `["string", "null"]`, `$ref`, the order of members, …) stays in here, and is what prompts, grammars and
/// checks use.
package struct SchemaSource: Sendable {
    /// The schema as it was written; nil where the typed view is all there is.
    package let written: JSONValue?
    /// True if the typed view says all that the schema demands of a value; annotations demand nothing.
    package let isModelled: Bool
    /// The schema as equality compares it; nil where the typed view differs in the order of members only.
    private let distinction: JSONValue?

    /// No schema but the typed view.
    package static let none = SchemaSource()

    private init() {
        written = nil
        isModelled = true
        distinction = nil
    }

    /// A written schema.
    ///
    /// - Parameter view: what the typed view of it writes.
    init(_ written: JSONValue, view: JSONValue) {
        let isEqual = written == view
        self.written = written
        isModelled = isEqual || Self.demands(of: written) == Self.demands(of: view)
        distinction = isEqual ? nil : written
    }

    private static let annotations: Set<String> = [
        "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment",
    ]

    /// The schema without what demands nothing.
    static func demands(of schema: JSONValue) -> JSONValue {
        guard let object = schema.object else { return schema }
        var demands = object
        for key in object.keys where annotations.contains(key) { demands[key] = nil }
        if demands["required"] == .array([]) { demands["required"] = nil }
        return .object(demands)
    }
}

extension SchemaSource: Hashable {
    package static func == (a: SchemaSource, b: SchemaSource) -> Bool { a.distinction == b.distinction }
    package func hash(into hasher: inout Hasher) { hasher.combine(distinction) }
}
