/// A type that a model can fill in; it provides a description and a JSON Schema.
///
/// `@Generatable` (product `LeapSDKMacros`) writes the conformance. To conform by hand, implement ``typeDescription``
/// and ``jsonSchema()``.
public protocol GeneratableType {
    /// A description of the type, written for the model.
    static var typeDescription: String { get }

    /// Returns the JSON Schema (draft 2020-12) of the type, as JSON text.
    static func jsonSchema() -> String

    /// Returns the schema of the type inside a larger document; `@Generatable` writes it.
    ///
    /// A conformance by hand does not need it.
    ///
    /// - Parameters:
    ///   - context: Collects definitions, so that types can contain themselves.
    ///   - description: The description of the value at this place; replaces the type's own description.
    static func _schemaBody(in context: inout _SchemaContext, description: String?) -> String
}

extension GeneratableType {
    /// Returns the whole schema with the description of its place, for conformances by hand.
    public static func _schemaBody(in context: inout _SchemaContext, description: String?) -> String {
        guard let description else { return jsonSchema() }
        return #"{"description":\#(_SchemaContext.quoted(description)),"allOf":[\#(jsonSchema())]}"#
    }
}

/// Returns the JSON Schema of a ``GeneratableType``.
public enum JSONSchemaGenerator {
    /// Returns the JSON Schema (draft 2020-12) of the type, as JSON text.
    public static func getJSONSchema<T: GeneratableType>(for type: T.Type) -> String {
        type.jsonSchema()
    }
}
