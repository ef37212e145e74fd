/// Options with the method that version 0.10 of the LEAP SDK has on a separate type.
public final class GenerationOptionsCompat: GenerationOptions, @unchecked Sendable {
    // Sendable: adds no state.

    /// Makes the reply JSON that validates against a JSON Schema.
    public func setResponseFormat(jsonSchema: String) {
        jsonSchemaConstraint = jsonSchema
    }
}
