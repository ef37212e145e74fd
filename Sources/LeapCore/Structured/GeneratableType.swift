/// A type that a model can be asked to fill in: it can say what it is and what its JSON looks like.
///
/// `@Generatable` (product `LeapSDKMacros`) writes the conformance; a type may also be made to conform by hand with
/// ``typeDescription`` and ``jsonSchema()``.
public protocol GeneratableType {
    /// A description of what the type stands for, for the model.
    static var typeDescription: String { get }

    /// The JSON Schema (draft 2020-12) of the type, as JSON text.
    static func jsonSchema() -> String

    /// The schema of the type inside a larger document. `@Generatable` writes it; by hand it need not be written.
    ///
    /// - Parameters:
    ///   - context: Collects definitions, so that types may contain themselves.
    ///   - description: What the place says of the value; replaces the type's own description.
    static func _schemaBody(in context: inout _SchemaContext, description: String?) -> String
}

extension GeneratableType {
    /// For conformances written by hand: the whole schema, with the place's description beside it.
    public static func _schemaBody(in context: inout _SchemaContext, description: String?) -> String {
        guard let description else { return jsonSchema() }
        return #"{"description":\#(_SchemaContext.quoted(description)),"allOf":[\#(jsonSchema())]}"#
    }
}

/// Gives the JSON Schema of a ``GeneratableType``.
public enum JSONSchemaGenerator {
    /// The JSON Schema (draft 2020-12) of the type, as JSON text.
    public static func getJSONSchema<T: GeneratableType>(for type: T.Type) -> String {
        type.jsonSchema()
    }
}
