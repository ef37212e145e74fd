extension GenerationOptions {
    /// Makes the reply JSON that decodes into a type.
    ///
    /// If the schema cannot be enforced, the generation throws ``LeapGeneratableSchematizationException`` when it
    /// starts.
    public func setResponseFormat<T: GeneratableType>(type: T.Type) {
        jsonSchemaConstraint = T.jsonSchema()
    }

    /// Makes the reply JSON that decodes into a type; see ``setResponseFormat(type:)``.
    public func setResponseFormatType<T: GeneratableType>(_ type: T.Type) {
        setResponseFormat(type: type)
    }

    /// Returns the same options with a reply that is JSON and decodes into a type.
    public func with<T: GeneratableType>(responseFormat type: T.Type) -> GenerationOptions {
        with(jsonSchema: T.jsonSchema())
    }
}

/// Options with the method that version 0.10 of the LEAP SDK has on a separate type.
public final class GenerationOptionsCompat: GenerationOptions, @unchecked Sendable {
    // Sendable: adds no state.

    /// Makes the reply JSON that validates against a JSON Schema.
    public func setResponseFormat(jsonSchema: String) {
        jsonSchemaConstraint = jsonSchema
    }
}
